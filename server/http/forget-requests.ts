/** Removes data that requests leave behind: stored responses, expired counters, salts, ended sessions. */
import { sql } from 'kysely';
import { EMAIL_LINK_MS } from '#shared/accounts/limits.ts';
import type { Database } from '../db/database.ts';
import { forgetCallCounts } from './call-counter.ts';
import { ANSWER_STORED_MS } from './idempotency.ts';
import { forgetSalts } from './visitor-key.ts';

/** Removes what has run out. */
export async function forgetRequests(db: Database, now: Date): Promise<void> {
  await sql`delete from "idempotency_key" where "created" < ${new Date(now.getTime() - ANSWER_STORED_MS).toISOString()}`.execute(
    db,
  );
  await sql`delete from "rate_limit" where "expire" < ${now.getTime()}`.execute(db);
  await sql`delete from "session" where "expiresAt" < ${now.toISOString()} or "endsAt" < ${now.toISOString()}`.execute(
    db,
  );
  await sql`delete from "email_token" where "expiresAt" < ${now.toISOString()}`.execute(db);
  const changesBefore = new Date(now.getTime() - EMAIL_LINK_MS.change).toISOString();
  await sql`delete from "email_change" where "requested" < ${changesBefore}`.execute(db);
  await forgetSalts(db, now);
  await forgetCallCounts(db, now);
}
