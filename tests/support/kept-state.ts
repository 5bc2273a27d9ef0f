/**
 * The state of a test's database at a moment, to set it back to: what was written since is gone, as after a dump is
 * restored in place or a failover lost transactions. The server notices nothing while it happens.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

/** Columns that are written, of every table of the product. */
async function tablesOf(db: Database): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select c."table_name" as "name", array_agg(c."column_name"::text) as "columns"
    from information_schema.columns c
    join information_schema.tables t using ("table_schema", "table_name")
    where "table_schema" = 'public' and t."table_type" = 'BASE TABLE' and c."is_generated" = 'NEVER'
    group by 1`.execute(db);
  return rows;
}

/** Keeps the state of now; call the result, once or more, to come back to it. */
export async function keepState(db: Database): Promise<() => Promise<void>> {
  const kept = `kept_${randomBytes(4).toString('hex')}`;
  const tables = await tablesOf(db);
  await sql`create schema ${sql.id(kept)}`.execute(db);
  for (const { name } of tables) {
    await sql`create table ${sql.id(kept, name)} as table ${sql.id('public', name)}`.execute(db);
  }
  return async () => {
    await db.transaction().execute(async (trx) => {
      // Neither triggers nor foreign keys: the rows fit together already.
      await sql`set local session_replication_role = replica`.execute(trx);
      // Of two that wait for each other, the server's statement ends: it knows how to begin again.
      await sql`set local deadlock_timeout = '1min'`.execute(trx);
      await sql`truncate ${sql.join(tables.map(({ name }) => sql.id('public', name)))}`.execute(trx);
      for (const { name, columns } of tables) {
        const names = sql.join(columns.map((column) => sql.id(column)));
        await sql`insert into ${sql.id('public', name)} (${names}) overriding system value
          select ${names} from ${sql.id(kept, name)}`.execute(trx);
      }
    });
  };
}
