// The hourly clean-up: the feed's own parts after those of the features. All of them are safe to run twice.
import { HOUR_MS } from '#shared/constants.ts';
import { sql } from 'kysely';
import type { WriteContext } from '../db/transaction.ts';
import { collectOldTombstones, forgetClients, forgetResults, purgeTrash } from './retention.ts';

/** Clean-up task of a feature beside the feed; must be idempotent. */
export type CleanUpTask = (now: Date) => Promise<unknown>;

/** Everything that is due; false when another process does it. A failed task does not block the others. */
export async function cleanUp(context: WriteContext, tasks: readonly CleanUpTask[] = []): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    insert into "sync_setting" as s ("name", "value") values ('cleaned', ${context.clock.now().toISOString()})
    on conflict ("name") do update set "value" = excluded."value"
      where s."value" < ${new Date(context.clock.now().getTime() - HOUR_MS / 2).toISOString()}
    returning true as "mine"`.execute(context.db);
  if (rows.length === 0) return false;
  const now = context.clock.now();
  const due: CleanUpTask[] = [
    ...tasks,
    () => purgeTrash(context, now),
    () => forgetResults(context, now),
    () => forgetClients(context.db, now),
    // Last, so that today's mark covers the tombstones that were just made.
    () => collectOldTombstones(context.db, now),
  ];
  for (const task of due) {
    await task(now).catch((error: unknown) =>
      context.log.error({ err: error }, 'a part of the clean-up failed'),
    );
  }
  return true;
}
