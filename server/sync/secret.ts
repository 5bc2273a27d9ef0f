// The key that signs cookies: made on first use, kept in the database so that every process and every restore has it.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

const NAME = 'cookie';
const known = new WeakMap<Database, Promise<string>>();

/** The key; read once per process. */
export function cookieSecret(db: Database): Promise<string> {
  const found = known.get(db) ?? readSecret(db);
  known.set(db, found);
  found.catch(() => known.delete(db));
  return found;
}

async function readSecret(db: Database): Promise<string> {
  const fresh = randomBytes(32).toString('base64url');
  await sql`insert into "sync_setting" ("name", "value") values (${NAME}, ${fresh}) on conflict do nothing`.execute(
    db,
  );
  const { rows } = await sql<{ value: string }>`
    select "value" from "sync_setting" where "name" = ${NAME}`.execute(db);
  const secret = rows[0]?.value;
  if (secret === undefined) throw new Error('The key for cookies is neither there nor could it be made');
  return secret;
}
