// The reads of a pull: realm and audiences, changes since a version, pages of keys, keys of lost audiences. Each uses one index
// scan per audience (LATERAL); a range over `= any(...)` made the planner scan in bulk.
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/database.ts';
import { planOnce } from '../db/prepared-statements.ts';
import { RESULT_KIND } from './feed.ts';
import { assertKnown, headIn } from './heads.ts';

/** One edge of the feed as a pull sees it. */
export interface FeedEntry {
  audienceId: string;
  key: string;
  kind: string;
  entityId: string;
  ver: number;
  live: boolean;
  born: number;
  /** When its present or last life began and the one before it ended; null when there was one life only. */
  since: number | null;
  gone: number | null;
}

/** The realm at the snapshot, and the audiences of the user in it. */
export interface RealmSnapshot {
  version: number;
  minVersion: number;
  epoch: string;
  updated: string;
  audiences: string[];
  /** Owner of the client group, null for a group that never pushed. */
  group: { userId: string; realmId: string } | null;
}

/**
 * How far a replica is in an audience: it has the changes up to `version`, and had all of them at `complete`. The two differ
 * while changes arrive in several responses: an edge that lived at `complete` may have died and lived again since, and no
 * version that the replica has been sent then reports its death.
 */
export interface Reached {
  version: number;
  complete: number;
}

/**
 * Whether the row of an edge may be in a replica: the edge lived at some version from `c` to `v`, in its last life or in one
 * before. With several responses on the way the replica may have got it between the two. A deletion names nothing else,
 * because its key would reveal that there was a row, and when.
 */
const mayHold = (edge: string): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${edge}.born`)} <= a."v"
  and (coalesce(${sql.ref(`${edge}.since`)}, 0) <= a."v" or ${sql.ref(`${edge}.gone`)} > a."c"))`;

/** Audiences and how far the replica is in each, as a table `a`. */
function positionsOf(since: ReadonlyMap<string, Reached>): RawBuilder<unknown> {
  const reached = [...since.values()];
  const versions = reached.map(({ version }) => version);
  const completes = reached.map(({ complete }) => complete);
  return sql`unnest(${[...since.keys()]}::text[], ${versions}::bigint[], ${completes}::bigint[]) as a("id", "v", "c")`;
}

/** Whether an entry was live at a version, so that what is sent by this rule is deleted by the one above. */
export function lived({ born, since, gone }: FeedEntry, version: number): boolean {
  return born <= version && ((since ?? 0) <= version || (gone ?? 0) > version);
}

const ENTRY = sql`e."audienceId", e."key", e."kind", e."entityId", e."ver", e."live", e."born", e."since", e."gone"`;

/** Step 2, in one statement; undefined when there is no such realm. A deleted workspace has no readers until it is restored. */
export async function readRealm(
  db: Database,
  reader: { realmId: string; userId: string; clientGroupId: string },
): Promise<RealmSnapshot | undefined> {
  const { rows } = await sql<RealmSnapshot>`
    select "version", "minVersion", "epoch", "updated",
      array(select "audienceId" from "sync_audience_member"
            where "userId" = ${reader.userId} and "realmId" = ${reader.realmId}
              and not exists (select 1 from "workspace" place
                where place."id" = ${reader.realmId} and place."deletedAt" is not null)
            order by 1) as "audiences",
      (select json_build_object('userId', g."userId", 'realmId', g."realmId")
       from "sync_client_group" g where g."id" = ${reader.clientGroupId}) as "group",
      set_config('max_parallel_workers_per_gather', '0', true) as "plain"
    from "sync_realm" where "realmId" = ${reader.realmId} ${planOnce}`.execute(db);
  return rows[0];
}

/**
 * Step 4: per audience the entries after its version, oldest change first, at most `limit` + 1. Tombstones of edges that
 * the replica cannot have are left out.
 */
export async function readChanges(
  db: Database,
  realmId: string,
  since: ReadonlyMap<string, Reached>,
  limit: number,
): Promise<Map<string, FeedEntry[]>> {
  if (since.size === 0) return new Map();
  const { rows } = await sql<FeedEntry>`
    select ${ENTRY} from ${positionsOf(since)}
    cross join lateral (
      select * from "sync_entry" entry
      where entry."realmId" = ${realmId} and entry."audienceId" = a."id" and entry."ver" > a."v"
        and (entry."live" or ${mayHold('entry')})
      order by entry."ver" limit ${limit + 1}) e
    order by e."ver"`.execute(db);
  return Map.groupBy(rows, ({ audienceId }) => audienceId);
}

/** All tombstones that concern a replica, for an audience that is backfilled anew. */
export async function readTombstones(
  db: Database,
  { realmId, audienceId, reached }: { realmId: string; audienceId: string; reached: Reached },
): Promise<FeedEntry[]> {
  const { rows } = await sql<FeedEntry>`
    select ${ENTRY} from ${positionsOf(new Map([[audienceId, reached]]))}
    join "sync_entry" e on e."realmId" = ${realmId} and e."audienceId" = a."id" and e."ver" > a."v" and not e."live" and ${mayHold('e')}`.execute(
    db,
  );
  return rows;
}

/**
 * Keys that a replica at this position in these audiences may have, none created later; all of them, because step 3 removes
 * those of audiences that the user lost, or only those in `among`.
 */
export async function readHeldKeys(
  db: Database,
  realmId: string,
  reached: ReadonlyMap<string, Reached>,
  among?: readonly string[],
): Promise<string[]> {
  if (reached.size === 0) return [];
  const wanted = among === undefined ? sql`` : sql`and e."key" = any(${among}::text[])`;
  const { rows } = await sql<{ key: string }>`
    select e."key" from ${positionsOf(reached)}
    join "sync_entry" e on e."realmId" = ${realmId} and e."audienceId" = a."id" ${wanted} and ${mayHold('e')}
      and (e."live" or e."ver" > a."v")`.execute(db);
  return rows.map(({ key }) => key);
}

/** An entry of a page with its value; null when the row is deleted. */
export interface PageEntry extends Pick<FeedEntry, 'audienceId' | 'key' | 'kind' | 'entityId'> {
  json: string | null;
}

/**
 * Step 6: the next live entries of the audiences after their positions, at most `limit` in all, in key order. Less than
 * `limit` means that there are no more.
 */
export async function readPage(
  db: Database,
  realmId: string,
  { positions, limit }: { positions: ReadonlyMap<string, string>; limit: number },
): Promise<PageEntry[]> {
  if (positions.size === 0 || limit <= 0) return [];
  const { rows } = await sql<PageEntry>`
    select e."audienceId", e."key", e."kind", e."entityId", ${headIn(realmId)} as "json" from (
      select found.* from unnest(${[...positions.keys()]}::text[], ${[...positions.values()]}::text[]) as a("id", "k")
      cross join lateral (
        select entry."audienceId", entry."key", entry."kind", entry."entityId" from "sync_entry" entry
        where entry."realmId" = ${realmId} and entry."audienceId" = a."id" and entry."key" > a."k" collate "C" and entry."live"
        order by entry."key" limit ${limit}) found
      order by found."key", found."audienceId" limit ${limit}) e
    order by e."key", e."audienceId" ${planOnce}`.execute(db);
  rows.forEach(assertKnown);
  return rows;
}

/** Step 7: live edges of keys in the user's audiences. */
export async function readLive(
  db: Database,
  realmId: string,
  { audiences, keys }: { audiences: readonly string[]; keys: readonly string[] },
): Promise<FeedEntry[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<FeedEntry>`
    select ${ENTRY} from unnest(${keys}::text[]) as k("key")
    cross join unnest(${audiences}::text[]) as a("id")
    join "sync_entry" e on e."realmId" = ${realmId} and e."audienceId" = a."id" and e."key" = k."key" collate "C" and e."live"`.execute(
    db,
  );
  return rows;
}

/** Every row that the audiences hold, once each; results of mutations are no rows. */
export async function readAllRows(
  db: Database,
  realmId: string,
  audiences: readonly string[],
): Promise<Pick<FeedEntry, 'key' | 'kind' | 'entityId'>[]> {
  const { rows } = await sql<Pick<FeedEntry, 'key' | 'kind' | 'entityId'>>`
    select distinct e."key", e."kind", e."entityId" from "sync_entry" e
    where e."realmId" = ${realmId} and e."audienceId" = any(${audiences}::text[]) and e."live" and e."kind" <> ${RESULT_KIND}`.execute(
    db,
  );
  return rows;
}

/** How many entries the audiences hold, for the progress bar. */
export async function countLive(
  db: Database,
  realmId: string,
  audiences: readonly string[],
): Promise<number> {
  if (audiences.length === 0) return 0;
  const { rows } = await sql<{ total: number }>`
    select count(*) as "total" from "sync_entry"
    where "realmId" = ${realmId} and "audienceId" = any(${audiences}::text[]) and "live"`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Step 9: last mutation ids of the user's own group that changed after a version. */
export async function readMutationIds(
  db: Database,
  group: { userId: string; realmId: string; clientGroupId: string },
  since: number,
): Promise<{ id: string; lastMutationId: number; ver: number }[]> {
  const { rows } = await sql<{ id: string; lastMutationId: number; ver: number }>`
    select c."id", c."lastMutationId", c."ver" from "sync_client" c
    join "sync_client_group" g on g."id" = c."clientGroupId"
    where c."clientGroupId" = ${group.clientGroupId} and c."ver" > ${since}
      and g."userId" = ${group.userId} and g."realmId" = ${group.realmId}`.execute(db);
  return rows;
}
