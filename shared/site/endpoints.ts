// Calls of the public site that belong to no other feature: avatars and the newsletter.
import { z } from 'zod';
import { defineEndpoint } from '../define/endpoint.ts';
import { email, text } from '../define/fields.ts';
import { LIMITS } from '../constants.ts';

export const siteEndpoints = {
  'openapi.get': defineEndpoint({
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'This description of the API, as OpenAPI 3.1.',
    auth: 'public',
    rate: 'media',
    result: z.record(z.string(), z.unknown()),
    answer: 'plain',
  }),
  'avatar.get': defineEndpoint({
    method: 'GET',
    path: '/v1/avatars',
    summary: 'A picture made of the e-mail address alone; it reveals nothing about accounts.',
    auth: 'public',
    rate: 'media',
    query: z.object({ email: text(LIMITS.email).trim().toLowerCase().min(1, 'Required') }),
    result: z.string(),
    answer: 'file',
    mediaType: 'image/svg+xml; charset=utf-8',
  }),
  'newsletter.create': defineEndpoint({
    method: 'POST',
    path: '/signup',
    summary: 'Registers an address for early access and news; the answer never says whether it was known.',
    auth: 'public',
    rate: 'report',
    body: z.object({
      email,
      /** Also wants product updates, which are sent once the mailed link was used. */
      news: z.boolean().default(false),
      /** A trap for robots: what fills it is not stored. */
      website: z.string().max(LIMITS.url).optional(),
    }),
    result: z.null(),
  }),
} as const;
