/** The calls of staff about reports, one small function per row. */
import { AppError } from '#shared/errors.ts';
import type { reportEndpoints } from '#shared/site/report-endpoints.ts';
import type { Context } from '../context.ts';
import type { Handlers, Person } from '../http/call.ts';
import { decideReports } from './decisions.ts';
import { listReports } from './report-list.ts';
import { isStaff } from './staff.ts';

/** @throws forbidden for everybody who is not named in the configuration */
function staffOnly({ config }: Context, { user, impersonator }: Person): void {
  if (impersonator !== null || !isStaff(config, user))
    throw new AppError('forbidden', 'Only for the people who run this server');
}

export const reportHandlers = {
  'report.list': ({ context, actor, query }) => {
    staffOnly(context, actor);
    return listReports(context.db, query);
  },
  'report.decide': async ({ context, actor, params: { id: resourceId }, body: { decision, note } }) => {
    staffOnly(context, actor);
    const reports = await decideReports(context, { resourceId, decision, note, staffId: actor.userId });
    return { result: { resourceId, decision, reports } };
  },
} satisfies Handlers<typeof reportEndpoints>;
