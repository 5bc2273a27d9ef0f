/** The calls of the public site, one small function per row. */
import { apiDescription } from '#shared/openapi/api-description.ts';
import type { siteEndpoints } from '#shared/site/endpoints.ts';
import type { Handlers } from '../http/call.ts';
import { drawAvatar } from './avatar.ts';
import { requestAccess } from './early-access.ts';

const DAY_SECONDS = 86_400;

export const siteHandlers = {
  'openapi.get': ({ context }) => ({
    result: apiDescription(context.config.appOrigin),
    headers: { 'Cache-Control': 'public, max-age=300' },
  }),
  'avatar.get': ({ query }) => ({
    result: drawAvatar(query.email),
    headers: {
      'Cache-Control': `public, max-age=${DAY_SECONDS}, immutable`,
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  }),
  'newsletter.create': async ({ context, body }) => {
    await requestAccess(context, body);
    return { result: null };
  },
} satisfies Handlers<typeof siteEndpoints>;
