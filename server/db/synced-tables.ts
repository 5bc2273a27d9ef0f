// How a synced row is found in its table: the column that names its realm and the columns that make up the id by
// which mutators and the feed name it. Nothing here decides who may read or write.
import { sql, type RawBuilder } from 'kysely';
import type { SyncedKind } from '#shared/entities.ts';
import { KINDS } from '#shared/kinds.ts';

/** SQL predicate for one row by id, under the alias `row`. */
export function isRow(kind: SyncedKind, realmId: string, id: string): RawBuilder<boolean> {
  const table = KINDS[kind];
  const parts = table.id.length === 1 ? [id] : id.split('/');
  const conditions = [
    sql<boolean>`${sql.ref(`row.${table.realm}`)} = ${realmId}`,
    ...table.id.map((column, index) => sql<boolean>`${sql.ref(`row.${column}`)} = ${parts[index] ?? ''}`),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** SQL predicate for rows by their ids, under the alias `row`; each table is read through its index. */
export function areRows(kind: SyncedKind, realmId: string, ids: readonly string[]): RawBuilder<boolean> {
  const table = KINDS[kind];
  const columns = table.id.map((column) => sql.ref(`row.${column}`));
  const parts = table.id.map((_, index) =>
    table.id.length === 1 ? [...ids] : ids.map((id) => id.split('/')[index] ?? ''),
  );
  return sql<boolean>`${sql.ref(`row.${table.realm}`)} = ${realmId} and (${sql.join(columns)}) in (
    select * from unnest(${sql.join(parts.map((list) => sql`${list}::text[]`))}))`;
}

/** SQL expression of the id of a row under an alias, as the feed names it. */
export function entityIdSql(kind: SyncedKind, alias: string): RawBuilder<string> {
  return sql<string>`${sql.join(
    KINDS[kind].id.map((column) => sql.ref(`${alias}.${column}`)),
    sql` || '/' || `,
  )}`;
}

/** A field as the driver wants it: jsonb columns as text, all others as they are. */
export function columnValue(kind: SyncedKind, column: string, value: unknown): unknown {
  const json: readonly string[] | undefined = KINDS[kind].json;
  return json?.includes(column) ? JSON.stringify(value) : value;
}
