// The feed: which audience sees which replica key since which version (SYNC 2.3, 2.4). `touchRows` is called inside a
// write transaction for every row that changed; it writes edges and tombstones and decides nothing about access.
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { SyncedKind } from '#shared/entities.ts';
import type { RealmVersions } from '../db/realm-versions.ts';
import type { Tables } from '../db/tables.ts';
import { EDGE_LOADERS, type Edge } from './edges.ts';

/** Ids per statement: large enough for speed, small enough for a statement limit. */
export const FEED_CHUNK = 1_000;

/** Kind of the feed entries that carry results of refused mutations; it has no table that mutators see. */
export const RESULT_KIND = 'sync_result';

/** An open write transaction with the versions it owns. */
export interface FeedWriter {
  trx: Transaction<Tables>;
  versions: RealmVersions;
}

/** changed = the row has a new value for all who see it; audience = only who sees it may have changed. */
export type TouchReason = 'changed' | 'audience';

/** The given list in pieces of FEED_CHUNK. */
export function chunked<T>(list: readonly T[], size = FEED_CHUNK): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

interface EdgeChange {
  realmId: string;
  kind: string;
  entityIds: readonly string[];
  edges: readonly Edge[];
  reason: TouchReason;
}

/** Tombstones the edges that rows left and upserts those they have; `born` stays what it was. */
export async function writeEdges(writer: FeedWriter, change: EdgeChange): Promise<void> {
  const { realmId, kind, entityIds, edges, reason } = change;
  const version = writer.versions.of(realmId);
  const list = (pick: (edge: Edge) => string): RawBuilder<string[]> => sql`${edges.map(pick)}::text[]`;
  const onlyRevived = reason === 'audience' ? sql`where not entry."live"` : sql``;
  await sql`
    with edge as materialized (
      select * from unnest(${list((edge) => edge.audienceId)}, ${list((edge) => edge.key)}, ${list((edge) => edge.entityId)})
        as t("audienceId", "key", "entityId")
    ), gone as (
      update "sync_entry" entry set "live" = false, "ver" = ${version}
      where entry."realmId" = ${realmId} and entry."kind" = ${kind} and entry."live"
        and entry."entityId" = any(${entityIds}::text[])
        and not exists (select 1 from edge where edge."audienceId" = entry."audienceId" and edge."entityId" = entry."entityId")
    )
    insert into "sync_entry" as entry ("audienceId", "key", "realmId", "kind", "entityId", "ver", "live", "born")
    select "audienceId", "key", ${realmId}, ${kind}, "entityId", ${version}::bigint, true, ${version}::bigint from edge
    on conflict ("audienceId", "key") do update set "ver" = excluded."ver", "live" = true ${onlyRevived}`.execute(
    writer.trx,
  );
}

/** Enters the edges of rows that the statement around it has just added; `added` is their id in its table. */
export function enterEdges(
  writer: Pick<FeedWriter, 'versions'>,
  given: { realmId: string; kind: string; edges: readonly Edge[]; added: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const { realmId, kind, edges, added } = given;
  const version = writer.versions.of(realmId);
  const list = (pick: (edge: Edge) => string): RawBuilder<string[]> => sql`${edges.map(pick)}::text[]`;
  return sql`
    insert into "sync_entry" as entry ("audienceId", "key", "realmId", "kind", "entityId", "ver", "live", "born")
    select edge."audienceId", edge."key", ${realmId}, ${kind}, edge."entityId", ${version}::bigint, true, ${version}::bigint
    from unnest(${list((edge) => edge.audienceId)}, ${list((edge) => edge.key)}, ${list((edge) => edge.entityId)})
      as edge("audienceId", "key", "entityId")
    join added on ${added} = edge."entityId"
    on conflict ("audienceId", "key") do update set "ver" = excluded."ver", "live" = true`;
}

function byRealm(edges: readonly Edge[]): Map<string, Edge[]> {
  const grouped = new Map<string, Edge[]>();
  for (const edge of edges) {
    const list = grouped.get(edge.realmId) ?? [];
    list.push(edge);
    grouped.set(edge.realmId, list);
  }
  return grouped;
}

/** Brings the edges of rows in line with their facts; removed rows become tombstones. */
export async function touchRows(
  writer: FeedWriter,
  row: { realmId: string; kind: SyncedKind; ids: readonly string[]; reason: TouchReason },
): Promise<void> {
  const { realmId, kind, reason } = row;
  for (const entityIds of chunked([...new Set(row.ids)])) {
    const grouped = byRealm(await EDGE_LOADERS[kind](writer.trx, realmId, entityIds));
    // A row that lost its last edge here still has tombstones to write here.
    if (!grouped.has(realmId)) grouped.set(realmId, []);
    await writer.versions.lock(grouped.keys());
    for (const [id, edges] of grouped)
      await writeEdges(writer, { realmId: id, kind, entityIds, edges, reason });
  }
}
