/** News of the product in the app: one notification for every account, on the channels that each person chose. */
import { sql } from 'kysely';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealms } from '../db/transaction.ts';
import { emit } from '../events/emit.ts';
import type { JobPayload } from '../jobs/jobs.ts';

/** People in one transaction: few enough that their own writes wait for a moment only. */
const STEP = 50;

/** Delivers to the next people, and queues the delivery to those after them; each person receives the same news once. */
export async function deliverNews(
  context: Context,
  { subject, after, ...news }: JobPayload<'news.deliver'>,
): Promise<void> {
  const all = context.db.selectFrom('user').select('id').orderBy('id').limit(STEP);
  const people = await (after === undefined ? all : all.where('id', '>', after)).execute();
  const [first, ...others] = people.map(({ id }) => id);
  if (first === undefined) return;
  await writeInRealms(context, [first, ...others], systemActor, async (tx) => {
    // An earlier try may have come this far.
    const { rows } = await sql<{ userId: Id<'user'> }>`
      select "userId" from "notification" where "userId" = any(${[first, ...others]}::text[])
        and "triggerId" = 'news.published' and "metadata"->>'subject' = ${subject}`.execute(tx.trx);
    const told = new Set(rows.map(({ userId }) => userId));
    for (const userId of [first, ...others].filter((id) => !told.has(id)))
      await emit(tx, 'news.published', { ...news, userId, subject });
  });
  const last = others.at(-1);
  if (people.length === STEP && last !== undefined)
    await context.jobs.enqueue(context.db, 'news.deliver', { ...news, subject, after: last });
}
