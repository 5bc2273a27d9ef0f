/** The calls about early access, one small function per row. */
import { sql } from 'kysely';
import type { earlyAccessEndpoints } from '#shared/site/early-access-endpoints.ts';
import { requireStaff } from '../accounts/service.ts';
import type { Handlers } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { approveAccess, confirmNews, declineAccess } from './early-access.ts';

export const earlyAccessHandlers = {
  'newsletter.confirm': async ({ context, body }) => {
    await confirmNews(context, body.token);
    return { result: null };
  },
  'access_request.list': ({ context, actor, query }) => {
    requireStaff(context, actor);
    const { status, ...page } = query;
    const rows = context.db
      .selectFrom('newsletter_signup')
      .select(['email', 'created', 'approvedAt', 'declinedAt', 'joinedAt'])
      .select(sql<boolean>`"newsConfirmedAt" is not null`.as('news'))
      .where('approvedAt', status === 'approved' ? 'is not' : 'is', null)
      .$if(status !== 'approved', (list) =>
        list.where('declinedAt', status === 'waiting' ? 'is' : 'is not', null),
      );
    return listPage(rows, { table: 'newsletter_signup', query: page, tie: 'email' });
  },
  'access_request.approve': async ({ context, actor, body }) => {
    requireStaff(context, actor);
    return { result: { approved: await approveAccess(context, body) } };
  },
  'access_request.decline': async ({ context, actor, body }) => {
    requireStaff(context, actor);
    return { result: { declined: await declineAccess(context, body.emails) } };
  },
} satisfies Handlers<typeof earlyAccessEndpoints>;
