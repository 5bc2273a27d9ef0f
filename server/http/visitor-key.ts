/**
 * Distinguishes visitors of one day without knowing them: a hash with a salt that all processes share and that is deleted
 * after its day, from when on the hashes lead back to no address.
 */
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { RequestFacts } from './call.ts';

interface Salt {
  day: string;
  value: Promise<string>;
}

/** The salt of today, read once per process. */
const known = new WeakMap<Database, Salt>();

/** The day of a moment, in UTC. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** A value that only identifies requests of the same visitor on the same day; null for internal calls. */
export async function visitorKey(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  request: RequestFacts,
): Promise<string | null> {
  if (request.address === null) return null;
  const day = dayOf(clock.now());
  const parts = [day, request.address, request.header('user-agent') ?? ''];
  return createHash('sha256')
    .update(await saltOf(db, day))
    .update(JSON.stringify(parts))
    .digest('base64url');
}

function saltOf(db: Database, day: string): Promise<string> {
  const found = known.get(db);
  if (found?.day === day) return found.value;
  const value = readSalt(db, day);
  known.set(db, { day, value });
  value.catch(() => known.delete(db));
  return value;
}

async function readSalt(db: Database, day: string): Promise<string> {
  const fresh = randomBytes(32).toString('base64url');
  await sql`insert into "visitor_salt" ("day", "salt") values (${day}::date, ${fresh}) on conflict do nothing`.execute(
    db,
  );
  const { rows } = await sql<{ salt: string }>`
    select "salt" from "visitor_salt" where "day" = ${day}::date`.execute(db);
  const salt = rows[0]?.salt;
  if (salt === undefined) throw new Error('The salt of the day is neither there nor could it be made');
  return salt;
}

/** Forgets the salts of the days before. */
export async function forgetSalts(db: Database, now: Date): Promise<void> {
  await sql`delete from "visitor_salt" where "day" < ${dayOf(now)}::date`.execute(db);
}
