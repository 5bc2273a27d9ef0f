// Keys that this server generates: created on first use and stored in the database, so that every process and every restored
// backup has the same ones.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';

const known = new WeakMap<Database, Map<string, Promise<string>>>();

/** The key with this name, 32 bytes in base64url; read once per process. */
export function storedSecret(db: Database, name: string): Promise<string> {
  const secrets = known.get(db) ?? new Map<string, Promise<string>>();
  known.set(db, secrets);
  const found = secrets.get(name) ?? readSecret(db, name);
  secrets.set(name, found);
  found.catch(() => secrets.delete(name));
  return found;
}

async function readSecret(db: Database, name: string): Promise<string> {
  const fresh = randomBytes(32).toString('base64url');
  await sql`insert into "sync_setting" ("name", "value") values (${name}, ${fresh}) on conflict do nothing`.execute(
    db,
  );
  const { rows } = await sql<{ value: string }>`
    select "value" from "sync_setting" where "name" = ${name}`.execute(db);
  const secret = rows[0]?.value;
  if (secret === undefined) throw new Error(`The key ${name} is neither there nor could it be made`);
  return secret;
}
