// Retention in the feed: removes tombstones, client groups, results and attempts after their days, and rows in the trash after
// theirs. Runs as a daily job; every part is idempotent.
import { sql, type RawBuilder } from 'kysely';
import { DAY_MS } from '#shared/constants.ts';
import { TRASH_DAYS } from '#shared/memories/limits.ts';
import { SYNC } from '#shared/sync/limits.ts';
import { VISIBILITIES, workspaceReads } from '#shared/spaces/visibility.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { systemActor, type ServerTx } from '../db/server-tx.ts';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';
import { chunked } from './feed.ts';
import { asPerson } from './readable.ts';

/** Rows per transaction of the purge and similar deletions, so that writers of the workspace never wait long. */
const PURGE_CHUNK = 100;
/** Results per transaction, which are two statements together. */
const RESULT_CHUNK = 500;
/** Tombstones per transaction: it holds the lock of its workspace's counter. */
const TOMBSTONE_CHUNK = 5_000;

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString();
}

/** Removes the tombstones and departures of a realm up to a version; replicas and cursors behind it start anew. */
export async function collectTombstones(db: Database, realmId: string, version: number): Promise<void> {
  // Up to the mark of the collection before: a request that has just been compared with it still reads the later ones.
  await sql`
    delete from "memory_departure" where "workspaceId" = ${realmId}
      and "ver" <= (select "minVersion" from "sync_realm" where "realmId" = ${realmId})`.execute(db);
  // First the mark: a replica that needs a tombstone starts anew from now on, whatever the progress of the removal.
  await sql`update "sync_realm" set "minVersion" = greatest("minVersion", ${version})
    where "realmId" = ${realmId}`.execute(db);
  for (let removed = TOMBSTONE_CHUNK; removed === TOMBSTONE_CHUNK;) {
    const { numAffectedRows } = await sql`
      delete from "sync_entry" where ctid = any(array(
        select ctid from "sync_entry" where "realmId" = ${realmId} and not "live" and "ver" <= ${version}
        limit ${TOMBSTONE_CHUNK})) and "realmId" = ${realmId} and not "live" and "ver" <= ${version}`.execute(
      db,
    );
    removed = Number(numAffectedRows ?? 0n);
  }
}

/** Records today's versions and removes the tombstones of realms up to the versions of SYNC.tombstoneDays ago. */
export async function collectOldTombstones(db: Database, now: Date): Promise<void> {
  await sql`
    insert into "sync_version_mark" ("realmId", "at", "version")
    select "realmId", date_trunc('day', ${now.toISOString()}::timestamptz), "version" from "sync_realm"
    on conflict do nothing ${across('upkeep')}`.execute(db);
  const { rows } = await sql<{ realmId: string; version: number }>`
    select m."realmId", max(m."version") as "version" from "sync_version_mark" m
    join "sync_realm" r on r."realmId" = m."realmId"
    where m."at" < ${daysBefore(now, SYNC.tombstoneDays)}
    group by m."realmId", r."minVersion" having max(m."version") > r."minVersion" ${across('upkeep')}`.execute(
    db,
  );
  for (const { realmId, version } of rows) await collectTombstones(db, realmId, version);
  await sql`
    delete from "sync_version_mark" where "at" < ${daysBefore(now, SYNC.tombstoneDays + 1)}
    ${across('purge')}`.execute(db);
}

/**
 * Deletes client groups inactive for SYNC.groupDays, with their clients, and old attempts; in active groups, clients inactive
 * for as long. One that returns has to start anew.
 */
export async function forgetClients(db: Database, now: Date): Promise<void> {
  await sql`delete from "sync_client_group" where "lastSeen" < ${daysBefore(now, SYNC.groupDays)}`.execute(
    db,
  );
  await sql`delete from "sync_client" where "lastSeen" < ${daysBefore(now, SYNC.groupDays)}`.execute(db);
  await sql`delete from "sync_mutation_attempt" where "firstAt" < ${daysBefore(now, SYNC.resultDays)}`.execute(
    db,
  );
}

/** Deletes all feed data of a realm whose rows are deleted and whose readers have left. */
export async function forgetRealm(db: Database, realmId: string): Promise<void> {
  const tables = ['sync_entry', 'sync_audience_member', 'sync_window', 'sync_mutation_result'] as const;
  for (const table of [...tables, 'sync_client_group', 'sync_version_mark', 'sync_realm'] as const) {
    await sql`delete from ${sql.table(table)} where "realmId" = ${realmId}`.execute(db);
  }
}

/** Removes unacknowledged results from the replicas. */
export async function forgetResults(context: WriteContext, now: Date): Promise<void> {
  const { rows } = await sql<{ realmId: string; userId: string; ids: string[] }>`
    select "realmId", "userId", array_agg("clientId" || '/' || "mutationId") as "ids"
    from "sync_mutation_result" where "created" < ${daysBefore(now, SYNC.resultDays)}
    group by "realmId", "userId"`.execute(context.db);
  for (const { realmId, userId, ids } of rows) {
    for (const some of chunked(ids, RESULT_CHUNK))
      await writeInRealm(context, realmId, asPerson(userId), (tx) => tx.acknowledgeMany(some));
  }
}

const PRIVATE_VALUES = VISIBILITIES.filter((visibility) => !workspaceReads(visibility));

/**
 * Removes what has been in the trash for TRASH_DAYS. A private space stays as long as memories are captured into it:
 * without it they would be readable by the whole workspace.
 */
export async function purgeTrash(context: WriteContext, now: Date): Promise<number> {
  const until = daysBefore(now, TRASH_DAYS);
  let purged = 0;
  for (const kind of ['memory', 'thread', 'space'] as const) {
    const { rows } = await sql<{ workspaceId: string; id: string }>`
      select row."workspaceId", row."id" from ${sql.table(kind)} as row
      where ${isDue(kind, until)}
      order by row."workspaceId" limit ${PURGE_CHUNK * 100} ${across('purge')}`.execute(context.db);
    for (const [realmId, list] of Map.groupBy(rows, ({ workspaceId }) => workspaceId)) {
      purged += await purgeRows(context, { realmId, kind, until, ids: list.map(({ id }) => id) });
    }
  }
  return purged;
}

/** A row of the trash, under the alias `row`, that is to go. */
function isDue(kind: Purge['kind'], until: string): RawBuilder<boolean> {
  const kept = sql`row."visibility" = any(${PRIVATE_VALUES}::text[])
    and exists (select 1 from "memory" m where m."workspaceId" = row."workspaceId" and m."spaceId" = row."id")`;
  return sql<boolean>`row."deletedAt" < ${until} and not (${kind === 'space' ? kept : sql`false`})`;
}

interface Purge {
  realmId: string;
  kind: 'memory' | 'thread' | 'space';
  /** Rows restored meanwhile are left alone. */
  until: string;
  ids: readonly string[];
}

async function purgeRows(context: WriteContext, purge: Purge): Promise<number> {
  const { realmId, kind } = purge;
  let purged = 0;
  for (const ids of chunked(purge.ids, kind === 'memory' ? PURGE_CHUNK : 1)) {
    for (const id of ids) if (kind !== 'memory') await emptyFirst(context, purge, id);
    await writeInRealm(context, realmId, systemActor, async (tx) => {
      const due = await stillDue(tx, purge, ids);
      await tx.removeMany(kind, due);
      purged += due.length;
    });
  }
  return purged;
}

/** Those that were not restored meanwhile. */
async function stillDue(
  tx: ServerTx,
  { realmId, kind, until }: Purge,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select row."id" from ${sql.table(kind)} as row
    where row."workspaceId" = ${realmId} and row."id" = any(${ids}::text[]) and ${isDue(kind, until)}`.execute(
    tx.trx,
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes the dependent rows of a space or a thread in pieces, because its own removal deletes all the rest at once. After a
 * crash, the work done before is not repeated. Restoring it during these seconds, after its days in the trash, restores only
 * the remaining rows.
 */
async function emptyFirst(context: WriteContext, purge: Purge, id: string): Promise<void> {
  for (const part of purge.kind === 'space' ? [unfile, unhome] : [unsay]) {
    for (let done = PURGE_CHUNK; done === PURGE_CHUNK;) {
      const { value } = await writeInRealm(context, purge.realmId, systemActor, async (tx) =>
        (await stillDue(tx, purge, [id])).length === 0 ? 0 : part(tx, id),
      );
      done = value;
    }
  }
}

type Part = (tx: ServerTx, id: string) => Promise<number>;

const unfile: Part = async (tx, spaceId) => {
  const { rows } = await sql<{ id: string }>`
    select "spaceId" || '/' || "memoryId" as "id" from "space_memory"
    where "workspaceId" = ${tx.realmId} and "spaceId" = ${spaceId}
    limit ${PURGE_CHUNK}`.execute(tx.trx);
  const ids = rows.map(({ id }) => id);
  await tx.removeMany('space_memory', ids);
  return ids.length;
};

/** A space that is due and has memories at home is one that the whole workspace reads, and without it they stay so. */
const unhome: Part = async (tx, spaceId) => {
  const { rows } = await sql<{ id: string }>`
    select "id" from "memory"
    where "workspaceId" = ${tx.realmId} and "spaceId" = ${spaceId} limit ${PURGE_CHUNK}`.execute(tx.trx);
  const ids = rows.map(({ id }) => id);
  await tx.updateMany('memory', ids, { spaceId: null });
  return ids.length;
};

const unsay: Part = async (tx, threadId) => {
  const { rows } = await sql<{ id: string }>`
    select "id" from "message"
    where "workspaceId" = ${tx.realmId} and "threadId" = ${threadId} order by "createdAt", "id"
    limit ${PURGE_CHUNK}`.execute(tx.trx);
  const ids = rows.map(({ id }) => id);
  await tx.removeMany('message', ids);
  return ids.length;
};
