// Inserts synced rows in one statement. Where a row alone decides who reads it, the same statement enters it into the
// feed, because the version lock is held for every round trip; otherwise the caller touches the rows.
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Head, SyncedKind } from '#shared/entities.ts';
import { entityIdOf, KINDS } from '#shared/kinds.ts';
import { edgesOfNew, type Edge } from '../sync/readers/edges.ts';
import { enterEdges } from '../sync/feed.ts';
import type { RealmVersions } from './realm-versions.ts';
import { columnValue } from './synced-tables.ts';
import type { Tables } from './tables.ts';

interface Inserting {
  trx: Transaction<Tables>;
  versions: RealmVersions;
  realmId: string;
}

/** Ids of the rows that were not there yet, and whether the feed has them already. */
export async function insertRows<K extends SyncedKind>(
  tx: Inserting,
  kind: K,
  rows: readonly Head<K>[],
): Promise<{ added: Set<string>; entered: boolean }> {
  const first = rows[0];
  if (first === undefined) return { added: new Set(), entered: true };
  const edges = knownEdges(tx, kind, rows);
  const { id }: { id: readonly string[] } = KINDS[kind];
  const names = sql.join(id.map((column) => sql.ref(column)));
  const insertion = insertionOf(kind, rows, Object.keys(first));
  const { rows: added } = await (
    edges === undefined
      ? sql<object>`${insertion} returning ${names}`
      : sql<object>`
          with added as (${insertion} returning ${names}),
          entered as (${enterEdges(tx, { realmId: tx.realmId, kind, edges, added: sql.ref(`added.${id[0] ?? 'id'}`) })})
          select ${names} from added`
  ).execute(tx.trx);
  return { added: new Set(added.map((row) => entityIdOf(kind, row))), entered: edges !== undefined };
}

function insertionOf<K extends SyncedKind>(
  kind: K,
  rows: readonly Head<K>[],
  fields: readonly string[],
): RawBuilder<unknown> {
  const { realm, id, joined }: { realm: string; id: readonly string[]; joined?: readonly string[] } =
    KINDS[kind];
  const columns = fields.filter((column) => !joined?.includes(column));
  const tuples = rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row));
    return sql`(${sql.join(columns.map((column) => columnValue(kind, column, values.get(column))))})`;
  });
  // A slug in use must not pass for a repeated insert, so only a conflict of the row's own id is ignored.
  const key = [...new Set([realm, ...id])];
  return sql`insert into ${sql.table(kind)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(tuples)} on conflict (${sql.join(key.map((column) => sql.ref(column)))}) do nothing`;
}

/** The edges of all rows, undefined when some row's readers depend on more than the row. */
function knownEdges<K extends SyncedKind>(
  { realmId }: Inserting,
  kind: K,
  rows: readonly Head<K>[],
): Edge[] | undefined {
  const edges: Edge[] = [];
  for (const row of rows) {
    const known = edgesOfNew(kind, row, realmId);
    if (known === undefined) return undefined;
    edges.push(...known);
  }
  return edges;
}
