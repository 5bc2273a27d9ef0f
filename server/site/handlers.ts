/** The calls of the public site, one small function per row. */
import { ENDPOINTS } from '#shared/endpoints.ts';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { PROTOCOL_CALLS } from '#shared/oauth/protocol-calls.ts';
import type { siteEndpoints } from '#shared/site/endpoints.ts';
import type { Handlers } from '../http/call.ts';
import { describeApi } from '../http/openapi.ts';
import { drawAvatar } from './avatar.ts';
import { requestAccess } from './early-access.ts';

const DAY_SECONDS = 86_400;

const TABLES = { endpoints: ENDPOINTS, protocol: PROTOCOL_CALLS };

/** Made once per address; the table does not change while the server runs. */
const descriptions = new Map<string, Record<string, unknown>>();

/** The OpenAPI document for a server at this address. */
export function apiDescription(origin: string): Record<string, unknown> {
  const known = descriptions.get(origin) ?? describeApi(TABLES, { ...INFO, origin });
  descriptions.set(origin, known);
  return known;
}

const INFO = {
  title: `${PRODUCT_NAME} API`,
  version: '1',
  description:
    'Answers are `{"success": true, "result": …}` or `{"success": false, "error": {message, detail, code}}`. ' +
    'Lists take orderBy, order, perPage, page and field filters: equality, a comma list for any of several values, ' +
    '`null` for none, `from..to` for dates. Writes answer `meta.syncVersion`. POST takes an Idempotency-Key.',
};

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
