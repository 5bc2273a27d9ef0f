/** The calls of staff about reports, one small function per row. */
import type { reportEndpoints } from '#shared/site/report-endpoints.ts';
import { requireStaff } from '../accounts/service.ts';
import type { Handlers } from '../http/call.ts';
import { decideReports } from './decisions.ts';
import { listReports } from './report-list.ts';

export const reportHandlers = {
  'report.list': ({ context, actor, query }) => {
    requireStaff(context, actor);
    return listReports(context.db, query);
  },
  'report.decide': async ({ context, actor, params: { id: resourceId }, body: { decision, note } }) => {
    requireStaff(context, actor);
    const reports = await decideReports(context, { resourceId, decision, note, staffId: actor.userId });
    return { result: { resourceId, decision, reports } };
  },
} satisfies Handlers<typeof reportEndpoints>;
