// Questions that wait for an answer while no job is left that would answer them: each of its tries met a server that was
// killed or a database that was too busy, to its end.
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import { endedJobs } from '../jobs/queue.ts';
import type { AnswerRequest } from './answer-message.ts';

/** After this time the person has asked again, or no longer waits. */
const SOUGHT_MS = 24 * 3_600_000;
/** Number of jobs without an answer after which a question is given up. */
const JOBS_MAX = 3;
/** Questions at a time. */
const SWEEP_MAX = 500;

/** Queues them again; safe to run twice. */
export async function queueForgottenAnswers({
  db,
  jobs,
  clock,
}: Pick<Context, 'db' | 'jobs' | 'clock'>): Promise<void> {
  const since = new Date(clock.now().getTime() - SOUGHT_MS);
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ data: AnswerRequest }>`
      select ended."data" from ${endedJobs('message.answer', since)} ended
      join "message" m on m."workspaceId" = ended."data" ->> 'workspaceId' and m."id" = ended."data" ->> 'messageId'
      join "thread" t on t."workspaceId" = m."workspaceId" and t."id" = m."threadId" and t."deletedAt" is null
      where not ended."data" ? 'replaces' and ended."times" < ${JOBS_MAX} and not exists (
        select 1 from "message" reply where reply."workspaceId" = m."workspaceId" and reply."replyTo" = m."id")
      limit ${SWEEP_MAX} ${across('upkeep')}`.execute(trx);
    for (const { data } of rows) await jobs.enqueue(trx, 'message.answer', data);
  });
}
