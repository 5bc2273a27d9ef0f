// The calls with which staff act as another person, for support: a one-time code for a stated reason, its exchange for a
// short session, and the end of that.
import { z } from 'zod';
import { IMPERSONATION } from './limits.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { email, text, timestamp } from '../define/fields.ts';
import { user } from './user.ts';

export const impersonationEndpoints = {
  'staff.whoami': defineEndpoint({
    method: 'GET',
    path: '/v1/staff',
    summary: 'Whether the person runs this server.',
    auth: 'session',
    result: z.object({ staff: z.boolean() }),
  }),
  'impersonation.create': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/impersonate',
    summary:
      'A one-time code with which staff see what a person sees, for five minutes. For staff, after the password was given within the last hours.',
    auth: 'session',
    rate: 'login',
    secret: true,
    body: z.object({
      email,
      /** Shown to the person afterwards. */
      reason: text(IMPERSONATION.reasonMax).trim().min(IMPERSONATION.reasonMin, 'Say why, in a few words'),
    }),
    result: z.object({ code: z.string(), expiresAt: timestamp }),
    status: 201,
  }),
  'impersonation.exchange': defineEndpoint({
    method: 'POST',
    path: '/v1/auth/impersonate/exchange',
    summary: 'Exchanges such a code, once, for a session that acts as the person for half an hour.',
    auth: 'public',
    rate: 'login',
    secret: true,
    body: z.object({ code: z.string().min(1, 'Required').max(200) }),
    result: z.object({ token: z.string(), user: user.row.meta({ id: 'User' }), endsAt: timestamp }),
  }),
} as const;
