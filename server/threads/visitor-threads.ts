/** The end of threads that visitors began. */
import { sql } from 'kysely';
import { DAY_MS } from '#shared/constants.ts';
import { PUBLIC } from '#shared/spaces/limits.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm } from '../db/transaction.ts';

/** So many in one transaction, which holds up the writes of its workspace. */
const AT_ONCE = 50;

/** Deletes old threads that no member changed or wrote in, and forgets the counts of days before. */
export async function forgetVisitorThreads(context: Context, now: Date): Promise<void> {
  const before = new Date(now.getTime() - PUBLIC.visitorThreadDays * DAY_MS).toISOString();
  await sql`
    delete from "visitor_question_day" where "day" < ${before}::date ${across('purge')}`.execute(context.db);
  const { rows } = await sql<{ id: Id<'thread'>; workspaceId: Id<'workspace'> }>`
    select t."id", t."workspaceId" from "visitor_thread" v 
    join "thread" t on t."workspaceId" = v."workspaceId" and t."id" = v."threadId"
    where v."created" < ${before} and t."deletedAt" is null and t."lastEditedBy" is null
      and not exists (select 1 from "message" m where m."workspaceId" = t."workspaceId"
        and m."threadId" = t."id" and m."createdBy" is not null)
    order by t."workspaceId", t."id" ${across('purge')}`.execute(context.db);
  const byWorkspace = Map.groupBy(rows, ({ workspaceId }) => workspaceId);
  for (const [workspaceId, threads] of byWorkspace) {
    for (let start = 0; start < threads.length; start += AT_ONCE) {
      await writeInRealm(context, workspaceId, systemActor, async (tx) => {
        for (const { id } of threads.slice(start, start + AT_ONCE)) {
          const row = await tx.get('thread', id);
          // A member may have changed it meanwhile.
          if (row?.deletedAt === null && row.lastEditedBy === null)
            await tx.update('thread', id, { deletedAt: now.toISOString() });
        }
      });
    }
  }
}
