// Calls of the public site that belong to no other feature: avatars and the newsletter (specification section 7).
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
    summary: 'A picture made of the e-mail address alone; it tells nothing about accounts.',
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
    body: z.object({ email, website: z.string().max(0, 'Must stay empty').optional() }),
    result: z.null(),
  }),
} as const;
