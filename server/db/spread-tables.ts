/** Whether the tables of this database are spread over servers by distribute.ts. */
import { sql } from 'kysely';
import type { Database } from './database.ts';

const known = new WeakMap<Database, Promise<boolean>>();

/** Asks once for each pool: servers are stopped while tables are spread. */
export function areTablesSpread(db: Database): Promise<boolean> {
  const asked = known.get(db) ?? ask(db);
  known.set(db, asked);
  asked.catch(() => known.delete(db));
  return asked;
}

async function ask(db: Database): Promise<boolean> {
  const { rows } = await sql<{ hasCitus: boolean }>`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as "hasCitus"`.execute(db);
  if (rows[0]?.hasCitus !== true) return false;
  const { rows: spread } = await sql`
    select 1 from pg_dist_partition where "logicalrelid" = 'memory'::regclass and "partmethod" = 'h'`.execute(
    db,
  );
  return spread.length > 0;
}
