// Early access: confirming the newsletter sign-up, and the calls with which the people who run a server approve newcomers.
// Staff are named in the configuration; for all other people those calls are forbidden.
import { z } from 'zod';
import { EARLY_ACCESS } from './limits.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { email, timestamp } from '../define/fields.ts';
import { pageQuery } from '../define/list-query.ts';

const accessRequest = z.object({
  email: z.string(),
  created: timestamp,
  /** Wants news, and has confirmed it by mail. */
  news: z.boolean(),
  approvedAt: timestamp.nullable(),
  declinedAt: timestamp.nullable(),
  /** When the account was created. */
  joinedAt: timestamp.nullable(),
});

export const earlyAccessEndpoints = {
  'newsletter.confirm': defineEndpoint({
    method: 'POST',
    path: '/v1/newsletter/confirm',
    summary: 'Confirms the wish for news with the token of the mailed link.',
    auth: 'public',
    rate: 'login',
    body: z.object({ token: z.string().min(1, 'Required').max(200) }),
    result: z.null(),
  }),
  'access_request.list': defineEndpoint({
    method: 'GET',
    path: '/v1/access_requests',
    summary: 'Requests for early access, waiting ones unless asked otherwise. For staff.',
    auth: 'session',
    query: pageQuery(['created']).extend({
      status: z.enum(['waiting', 'approved', 'declined']).default('waiting'),
    }),
    result: z.array(accessRequest),
    list: true,
  }),
  'access_request.approve': defineEndpoint({
    method: 'POST',
    path: '/v1/access_requests/approve',
    summary:
      'Lets the named people in, or so many of those who have waited longest; each is mailed a link that works for 14 days. For staff.',
    auth: 'session',
    body: z.union(
      [
        z.object({ emails: z.array(email).min(1).max(EARLY_ACCESS.batchMax) }),
        z.object({ count: z.number().int().min(1).max(EARLY_ACCESS.batchMax) }),
      ],
      { error: 'Send emails or a count' },
    ),
    result: z.object({ approved: z.number().int() }),
  }),
  'access_request.decline': defineEndpoint({
    method: 'POST',
    path: '/v1/access_requests/decline',
    summary:
      'Declines the named requests that still wait. No mail is sent, and asking again changes nothing; approving by name still lets them in. For staff.',
    auth: 'session',
    body: z.object({ emails: z.array(email).min(1).max(EARLY_ACCESS.batchMax) }),
    result: z.object({ declined: z.number().int() }),
  }),
} as const;
