/** Bookkeeping of requests that nobody will ask for again: kept answers, run-out counters, salts, ended sessions. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { forgetCallCounts } from './call-counter.ts';
import { KEEP_ANSWER_MS } from './idempotency.ts';
import { forgetSalts } from './visitor-key.ts';

/** Removes what has run out. */
export async function forgetRequests(db: Database, now: Date): Promise<void> {
  await sql`delete from "idempotency_key" where "created" < ${new Date(now.getTime() - KEEP_ANSWER_MS).toISOString()}`.execute(
    db,
  );
  await sql`delete from "rate_limit" where "expire" < ${now.getTime()}`.execute(db);
  await sql`delete from "session" where "expiresAt" < ${now.toISOString()} or "endsAt" < ${now.toISOString()}`.execute(
    db,
  );
  await forgetSalts(db, now);
  await forgetCallCounts(db, now);
}
