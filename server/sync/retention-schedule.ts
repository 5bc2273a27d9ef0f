// When the feed is cleaned: every hour by whichever process comes first. All parts may run twice without harm.
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { WriteContext } from '../db/transaction.ts';
import { collectOldTombstones, forgetClients, forgetResults, purgeTrash } from './retention.ts';

const HOUR_MS = 3_600_000;

/** Everything that is due; false when another process is at it. */
export async function cleanUp(context: WriteContext): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    insert into "sync_setting" as s ("name", "value") values ('cleaned', ${context.clock.now().toISOString()})
    on conflict ("name") do update set "value" = excluded."value"
      where s."value" < ${new Date(context.clock.now().getTime() - HOUR_MS / 2).toISOString()}
    returning true as "mine"`.execute(context.db);
  if (rows.length === 0) return false;
  const now = context.clock.now();
  await purgeTrash(context, now);
  await forgetResults(context, now);
  await forgetClients(context.db, now);
  // Last, so that today's mark covers the tombstones that were just made.
  await collectOldTombstones(context.db, now);
  return true;
}

/** Cleans hourly; call the result to stop. */
export function startRetention(context: Context): () => void {
  const timer = setInterval(() => {
    cleanUp(context).catch((error: unknown) => context.log.error({ err: error }, 'cleaning the feed failed'));
  }, HOUR_MS);
  timer.unref();
  return () => clearInterval(timer);
}
