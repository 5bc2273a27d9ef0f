/**
 * Migrates a database to the schema of this code: forward-only SQL files, each in one transaction, one process at a
 * time.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Client, Pool } from 'pg';
import { TIMEOUTS } from '../limits.ts';

/** Folder of the product's migrations. */
const MIGRATIONS_FOLDER = path.resolve(import.meta.dirname, '../../migrations');

/** Any constant, the same in every process: "migrate" as far as it fits an int8. */
const LOCK_KEY = 0x6d69677261;

/** A file of the schema from before the first release, which was written anew then. */
const BEFORE_RELEASE = '0002_content.sql';

const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;

/** One SQL file; the checksum guards against edits after it was applied. */
interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/** The database has a schema that this code must not change; the message names the remedy. */
export class SchemaHistoryError extends Error {
  override readonly name = 'SchemaHistoryError';
}

export interface MigrateOptions {
  url: string;
  folder?: string;
  log?: (line: string) => void;
  /** Called once, before the first change to a database that already has a schema: the moment for a copy. */
  beforeChange?: (pending: readonly string[]) => Promise<void>;
}

/** The files in order. @throws Error on a name that is not NNNN_words.sql or a number used twice */
function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const wrong = names.filter((name) => !FILE_NAME.test(name));
  if (wrong.length > 0) throw new Error(`Migrations must be named NNNN_words.sql: ${wrong.join(', ')}`);
  names.forEach((name, index) => {
    if (names[index - 1]?.slice(0, 4) === name.slice(0, 4))
      throw new Error(`Two migrations have the number of ${name}`);
  });
  return names.map((name) => {
    const sql = readFileSync(path.join(folder, name), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

/** Applies missing migrations and returns their names. @throws Error when a migration fails, and SchemaHistoryError */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(options.folder ?? MIGRATIONS_FOLDER);
  const client = new Client({
    connectionString: options.url,
    connectionTimeoutMillis: TIMEOUTS.startConnection,
    application_name: 'loci migrate',
    options: '-c timezone=UTC',
  });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await client.query(
      `create table if not exists schema_migration (
         name text primary key, checksum text not null, applied timestamptz not null default now())`,
    );
    const applied = await appliedMigrations(client);
    refuseForeignHistory(migrations, applied);
    const pending = migrations.filter(({ name }) => !applied.has(name));
    if (pending.length > 0 && applied.size > 0) await options.beforeChange?.(pending.map(({ name }) => name));
    for (const migration of pending) {
      await apply(client, migration);
      options.log?.(`Applied migration ${migration.name}`);
    }
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Whether every migration of this code is in the database; for readiness checks. */
export async function isMigrated(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ name: string }>('select name from schema_migration');
  const applied = new Set(rows.map(({ name }) => name));
  return readMigrations(MIGRATIONS_FOLDER).every(({ name }) => applied.has(name));
}

async function appliedMigrations(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration order by name',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** @throws SchemaHistoryError when the database has other or later migrations than this code */
function refuseForeignHistory(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): void {
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const unknown = [...applied.keys()].filter((name) => !known.has(name));
  if (unknown.includes(BEFORE_RELEASE)) {
    throw new SchemaHistoryError(
      'The database was made by a Loci from before its first release; export its workspaces with that version and import them into an empty database (another DATA_DIR or DATABASE_URL).',
    );
  }
  if (unknown.length > 0) {
    throw new SchemaHistoryError(
      `The database was migrated by a newer Loci (${unknown.join(', ')}); start that version instead.`,
    );
  }
  const edited = [...applied]
    .filter(([name, checksum]) => known.get(name) !== checksum)
    .map(([name]) => name);
  if (edited.length > 0) {
    throw new SchemaHistoryError(
      `Applied migrations were edited (${edited.join(', ')}); add a new file instead.`,
    );
  }
  const last = [...applied.keys()].at(-1);
  const late = migrations.find(({ name }) => !applied.has(name) && last !== undefined && name < last);
  if (late)
    throw new SchemaHistoryError(
      `Migration ${late.name} comes before ${last ?? ''}, which is already applied.`,
    );
}

async function apply(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(migration.sql);
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback');
    throw new Error(
      `Migration ${migration.name} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
}
