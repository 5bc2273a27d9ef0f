// What all features remove when its time has come, for the hourly clean-up. Only this table joins features to it.
import { purgeAccounts } from './accounts/purge.ts';
import type { Context } from './context.ts';
import { forgetRequests } from './http/forget-requests.ts';
import { forgetVisits } from './site/service.ts';
import type { CleanUpTask } from './sync/retention-schedule.ts';
import { purgeWorkspaces } from './workspaces/purge.ts';

/** The tasks of this server. Accounts before workspaces: the last member of a workspace closes it. */
export function createCleanUpTasks(context: Context): CleanUpTask[] {
  return [
    (now) => purgeAccounts(context, now),
    (now) => purgeWorkspaces(context, now),
    (now) => forgetRequests(context.db, now),
    (now) => forgetVisits(context.db, now),
  ];
}
