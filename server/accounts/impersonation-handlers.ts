/** The calls of staff who act as another person, one small function per row. */
import type { impersonationEndpoints } from '#shared/accounts/impersonation-endpoints.ts';
import type { Handlers } from '../http/call.ts';
import { createImpersonationCode, exchangeImpersonationCode } from './impersonation.ts';
import { isStaffSession } from './staff.ts';

export const impersonationHandlers = {
  'staff.whoami': ({ context, actor }) => ({ result: { staff: isStaffSession(context, actor) } }),
  'impersonation.create': async ({ context, actor, body }) => ({
    result: await createImpersonationCode(context, actor, body),
  }),
  'impersonation.exchange': async ({ context, body, request }) => ({
    result: await exchangeImpersonationCode(context, body.code, {
      address: request.address,
      userAgent: request.header('user-agent'),
    }),
  }),
} satisfies Handlers<typeof impersonationEndpoints>;
