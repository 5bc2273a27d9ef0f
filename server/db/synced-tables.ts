// How a synced row is found in its table: the column that names its realm and the columns that make up the id by
// which mutators and the feed name it. Nothing here decides who may read or write.
import { sql, type RawBuilder } from 'kysely';
import type { SyncedKind } from '#shared/entities.ts';

interface SyncedTable {
  /** Column with the realm of the row: the workspace, or the user of an account realm. */
  realm: 'id' | 'workspaceId' | 'userId';
  /** Columns of the row's id inside the realm; several are joined by a slash. */
  id: readonly string[];
}

export const SYNCED_TABLES: Record<SyncedKind, SyncedTable> = {
  workspace: { realm: 'id', id: ['id'] },
  workspace_member: { realm: 'workspaceId', id: ['userId'] },
  space: { realm: 'workspaceId', id: ['id'] },
  thread: { realm: 'workspaceId', id: ['id'] },
  memory: { realm: 'workspaceId', id: ['id'] },
  space_memory: { realm: 'workspaceId', id: ['spaceId', 'memoryId'] },
  notification: { realm: 'userId', id: ['id'] },
  message: { realm: 'workspaceId', id: ['id'] },
};

/** SQL predicate for one row by id, under the alias `row`. */
export function isRow(kind: SyncedKind, realmId: string, id: string): RawBuilder<boolean> {
  const table = SYNCED_TABLES[kind];
  const parts = table.id.length === 1 ? [id] : id.split('/');
  const conditions = [
    sql<boolean>`${sql.ref(`row.${table.realm}`)} = ${realmId}`,
    ...table.id.map((column, index) => sql<boolean>`${sql.ref(`row.${column}`)} = ${parts[index] ?? ''}`),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** SQL expression of the id of a row under an alias, as the feed names it. */
export function entityIdSql(kind: SyncedKind, alias: string): RawBuilder<string> {
  return sql<string>`${sql.join(
    SYNCED_TABLES[kind].id.map((column) => sql.ref(`${alias}.${column}`)),
    sql` || '/' || `,
  )}`;
}

/** Id of a row in hand, as the feed names it. */
export function entityIdOfRow(kind: SyncedKind, row: object): string {
  const values = new Map<string, unknown>(Object.entries(row));
  return SYNCED_TABLES[kind].id.map((column) => String(values.get(column))).join('/');
}

const JSON_COLUMNS: ReadonlySet<string> = new Set(['metadata', 'citations']);

/** A field as the driver wants it: jsonb columns as text, all others as they are. */
export function columnValue(column: string, value: unknown): unknown {
  return JSON_COLUMNS.has(column) ? JSON.stringify(value) : value;
}
