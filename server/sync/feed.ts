// The feed: which audience sees which replica key since which version. `touchRows` is called inside a
// write transaction for every row that changed; it writes edges and tombstones and decides nothing about access.
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { SyncedKind } from '#shared/entities.ts';
import { across } from '../db/across.ts';
import type { RealmVersions } from '../db/realm-versions.ts';
import type { Tables } from '../db/tables.ts';
import { loadEdges, type Edge } from './readers/edges.ts';

/** Ids per statement: large enough for speed, small enough for a statement limit. */
const FEED_CHUNK = 1_000;

/** Kind of the feed entries with results of refused mutations; it has no table for mutators. */
export const RESULT_KIND = 'sync_result';

/** An open write transaction with the versions it owns. */
export interface FeedWriter {
  trx: Transaction<Tables>;
  versions: RealmVersions;
}

/** changed = the row has a new value for all who see it; audience = only who sees it may have changed. */
export type TouchReason = 'changed' | 'audience';

/** Splits a list into pieces of FEED_CHUNK. */
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

/**
 * Upsert of an existing edge: a dead one is revived with a new `since`, unless it died in this same version, so that no replica
 * has seen its deletion. `born` is unchanged.
 */
const REVIVE = sql`"ver" = excluded."ver", "live" = true,
  "since" = case when entry."live" or entry."ver" = excluded."ver" then entry."since" else excluded."born" end,
  "gone" = case when entry."live" or entry."ver" = excluded."ver" then entry."gone" else entry."ver" end`;

/**
 * Parts of a `with` that end the edges which a condition about `entry` chooses. A life that began in this same version was seen
 * by no replica: its edge becomes what it was before, or is deleted without a tombstone. Edges are met again by their place in
 * the table, which nothing changes while the realm is locked: a plan from the time when the table was empty scans the whole
 * realm for each key.
 */
export function endEdges(
  { realmId, version }: { realmId: string; version: number },
  which: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`ended as materialized (
      select entry.ctid as "place", entry."gone",
        coalesce(entry."since", entry."born") = ${version}::bigint as "isNew"
      from "sync_entry" entry where entry."realmId" = ${realmId} and entry."live" and ${which}
    ), dead as (
      update "sync_entry" entry set "live" = false,
        "ver" = case when "isNew" then ended."gone" else ${version}::bigint end,
        "since" = case when "isNew" then null else entry."since" end,
        "gone" = case when "isNew" then null else entry."gone" end
      from ended where entry."realmId" = ${realmId} and entry.ctid = ended."place"
        and (not "isNew" or ended."gone" is not null)
    ), unborn as (
      delete from "sync_entry" entry using ended
      where entry."realmId" = ${realmId} and entry.ctid = ended."place"
        and "isNew" and ended."gone" is null
    )`;
}

/** Tombstones the edges that rows left and upserts those they have. */
export async function writeEdges(writer: FeedWriter, change: EdgeChange): Promise<void> {
  const { realmId, kind, entityIds, edges, reason } = change;
  const version = writer.versions.of(realmId);
  const list = (pick: (edge: Edge) => string): RawBuilder<string[]> => sql`${edges.map(pick)}::text[]`;
  // "not in" is looked up in a hash. A plan for all values expects few edges, and compares each with each for "not exists".
  const left = sql`entry."kind" = ${kind}
    and entry."entityId" = any(${entityIds}::text[])
    and (entry."audienceId", entry."entityId") not in (select "audienceId", "entityId" from edge)`;
  // An unchanged row must not reach the upsert, which locks and so writes rows that it does not change.
  const entering =
    reason === 'changed'
      ? sql`edge`
      : sql`edge where ("audienceId", "key") not in (select entry."audienceId", entry."key" from "sync_entry" entry
          where entry."realmId" = ${realmId} and entry."live" and entry."entityId" = any(${entityIds}::text[]))`;
  await sql`
    with edge as materialized (
      select * from unnest(${list((edge) => edge.audienceId)}, ${list((edge) => edge.key)}, ${list((edge) => edge.entityId)})
        as t("audienceId", "key", "entityId")
    ), ${endEdges({ realmId, version }, left)}
    insert into "sync_entry" as entry ("audienceId", "key", "realmId", "kind", "entityId", "ver", "live", "born")
    select "audienceId", "key", ${realmId}, ${kind}, "entityId", ${version}::bigint, true, ${version}::bigint from ${entering}
    on conflict ("realmId", "audienceId", "key") do update set ${REVIVE}`.execute(writer.trx);
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
    on conflict ("realmId", "audienceId", "key") do update set ${REVIVE}`;
}

/** Lets an audience see what another one sees of a kind, of the entities that a query finds. */
export async function copyEdges(
  writer: FeedWriter,
  given: { realmId: string; kind: SyncedKind; from: string; to: string; entityIds: RawBuilder<unknown> },
): Promise<void> {
  const { realmId, kind, from, to, entityIds } = given;
  const version = writer.versions.of(realmId);
  // "is true" has the query looked up in a hash: as a join, a plan from the time when the table was empty compares each with each.
  await sql`
    insert into "sync_entry" as entry ("audienceId", "key", "realmId", "kind", "entityId", "ver", "live", "born")
    select ${to}, seen."key", ${realmId}, ${kind}, seen."entityId", ${version}::bigint, true, ${version}::bigint
    from "sync_entry" seen
    where seen."realmId" = ${realmId} and seen."audienceId" = ${from} and seen."kind" = ${kind} and seen."live"
      and (seen."entityId" in (${entityIds})) is true
    on conflict ("realmId", "audienceId", "key") do update set ${REVIVE}`.execute(writer.trx);
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

/** A workspace is also in the account realms of its members, from which its deletion removes it. */
async function realmsThatShow({ trx }: FeedWriter, workspaceIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ realmId: string }>`
    select distinct "realmId" from "sync_entry"
    where "entityId" = any(${workspaceIds}::text[]) and "kind" = 'workspace' and "live" order by 1 ${across('account')}`.execute(
    trx,
  );
  return rows.map(({ realmId }) => realmId);
}

/** Brings the edges of rows in line with their facts; removed rows become tombstones. */
export async function touchRows(
  writer: FeedWriter,
  row: { realmId: string; kind: SyncedKind; ids: readonly string[]; reason: TouchReason },
): Promise<void> {
  const { realmId, kind, reason } = row;
  for (const entityIds of chunked([...new Set(row.ids)])) {
    const grouped = byRealm(await loadEdges(writer.trx, { realmId, kind, ids: entityIds }));
    // A row that lost its last edge here still has tombstones to write here.
    const realms = kind === 'workspace' ? await realmsThatShow(writer, entityIds) : [realmId];
    for (const id of realms) if (!grouped.has(id)) grouped.set(id, []);
    await writer.versions.lock(grouped.keys());
    for (const [id, edges] of grouped)
      await writeEdges(writer, { realmId: id, kind, entityIds, edges, reason });
  }
}
