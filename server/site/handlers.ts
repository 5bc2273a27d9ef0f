/** The calls of the public site, and of staff about reports, early access and news, one small function per row. */
import { sql } from 'kysely';
import { apiDescription } from '#shared/openapi/api-description.ts';
import type { earlyAccessEndpoints } from '#shared/site/early-access-endpoints.ts';
import type { siteEndpoints } from '#shared/site/endpoints.ts';
import type { newsEndpoints } from '#shared/site/news-endpoints.ts';
import type { reportEndpoints } from '#shared/site/report-endpoints.ts';
import type { Handlers } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { requireStaff } from '../http/staff.ts';
import { drawAvatar } from './avatar.ts';
import { decideReports } from './decisions.ts';
import { requestAccess, approveAccess, confirmNews, declineAccess } from './early-access.ts';
import { announce } from './news.ts';
import { listReports } from './report-list.ts';

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
  'newsletter.create': ({ context, body }) => requestAccess(context, body),
  'news.create': async ({ context, actor, body }) => {
    requireStaff(context, actor);
    return { result: await announce(context, body) };
  },
  'report.list': ({ context, actor, query }) => {
    requireStaff(context, actor);
    return listReports(context.db, query);
  },
  'report.decide': async ({ context, actor, params: { id: resourceId }, body: { decision, note } }) => {
    requireStaff(context, actor);
    const reports = await decideReports(context, { resourceId, decision, note, staffId: actor.userId });
    return { result: { resourceId, decision, reports } };
  },
  'newsletter.confirm': ({ context, body }) => confirmNews(context, body.token),
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
} satisfies Handlers<
  typeof siteEndpoints & typeof newsEndpoints & typeof reportEndpoints & typeof earlyAccessEndpoints
>;
