// What the feed forgets (SYNC 2.8): tombstones, client groups, results and attempts after their days, things in the
// trash after theirs; and the new epoch after a restore. Runs as a daily job; every part may run again at any time.
import { sql } from 'kysely';
import { SYNC, TRASH_DAYS } from '#shared/constants.ts';
import { VISIBILITIES, workspaceReads } from '#shared/spaces/visibility.ts';
import type { Database } from '../db/database.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';

const DAY_MS = 86_400_000;
/** Rows per transaction of the purge, so that writers of the workspace never wait long. */
const PURGE_CHUNK = 100;

function daysBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString();
}

/** Removes the tombstones of a realm up to a version; replicas behind it start anew. */
export async function collectTombstones(db: Database, realmId: string, version: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`update "sync_realm" set "minVersion" = greatest("minVersion", ${version})
      where "realmId" = ${realmId}`.execute(trx);
    await sql`delete from "sync_entry" where "realmId" = ${realmId} and not "live" and "ver" <= ${version}`.execute(
      trx,
    );
  });
}

/** Notes today's versions and collects the tombstones of realms up to what was noted SYNC.tombstoneDays ago. */
export async function collectOldTombstones(db: Database, now: Date): Promise<void> {
  await sql`
    insert into "sync_version_mark" ("realmId", "at", "version")
    select "realmId", date_trunc('day', ${now.toISOString()}::timestamptz), "version" from "sync_realm"
    on conflict do nothing`.execute(db);
  const { rows } = await sql<{ realmId: string; version: number }>`
    select m."realmId", max(m."version") as "version" from "sync_version_mark" m
    join "sync_realm" r on r."realmId" = m."realmId"
    where m."at" < ${daysBefore(now, SYNC.tombstoneDays)}
    group by m."realmId", r."minVersion" having max(m."version") > r."minVersion"`.execute(db);
  for (const { realmId, version } of rows) await collectTombstones(db, realmId, version);
  await sql`delete from "sync_version_mark" where "at" < ${daysBefore(now, SYNC.tombstoneDays + 1)}`.execute(
    db,
  );
}

/** Forgets client groups that were not seen for SYNC.groupDays, with their clients, and old attempts. */
export async function forgetClients(db: Database, now: Date): Promise<void> {
  await sql`delete from "sync_client_group" where "lastSeen" < ${daysBefore(now, SYNC.groupDays)}`.execute(
    db,
  );
  await sql`delete from "sync_mutation_attempt" where "firstAt" < ${daysBefore(now, SYNC.resultDays)}`.execute(
    db,
  );
}

/** Forgets all that the feed knows of a realm whose rows are gone and whose readers have left. */
export async function forgetRealm(db: Database, realmId: string): Promise<void> {
  const tables = ['sync_entry', 'sync_audience_member', 'sync_window', 'sync_mutation_result'] as const;
  for (const table of [...tables, 'sync_client_group', 'sync_version_mark', 'sync_realm'] as const) {
    await sql`delete from ${sql.table(table)} where "realmId" = ${realmId}`.execute(db);
  }
}

/** Takes results that nobody acknowledged out of the replicas. */
export async function forgetResults(context: WriteContext, now: Date): Promise<void> {
  const { rows } = await sql<{ realmId: string; userId: string; ids: string[] }>`
    select "realmId", "userId", array_agg("clientId" || '/' || "mutationId") as "ids"
    from "sync_mutation_result" where "created" < ${daysBefore(now, SYNC.resultDays)}
    group by "realmId", "userId"`.execute(context.db);
  for (const { realmId, userId, ids } of rows) {
    await writeInRealm(context, realmId, { userId }, async (tx) => {
      for (const id of ids) await tx.acknowledge(id);
    });
  }
}

const PRIVATE_VALUES = VISIBILITIES.filter((visibility) => !workspaceReads(visibility));

/**
 * Removes what has been in the trash for TRASH_DAYS. A private space stays as long as memories are captured into it:
 * without it they would be readable by the whole workspace.
 */
export async function purgeTrash(context: WriteContext, now: Date): Promise<number> {
  const until = daysBefore(now, TRASH_DAYS);
  const kept = sql`row."visibility" = any(${PRIVATE_VALUES}::text[])
    and exists (select 1 from "memory" m where m."spaceId" = row."id")`;
  let purged = 0;
  for (const kind of ['memory', 'thread', 'space'] as const) {
    const { rows } = await sql<{ workspaceId: string; id: string }>`
      select row."workspaceId", row."id" from ${sql.table(kind)} as row
      where row."deletedAt" < ${until} and not (${kind === 'space' ? kept : sql`false`})
      order by row."workspaceId" limit ${PURGE_CHUNK * 100}`.execute(context.db);
    for (const [realmId, list] of Map.groupBy(rows, ({ workspaceId }) => workspaceId)) {
      purged += await purgeRows(context, { realmId, kind, until, ids: list.map(({ id }) => id) });
    }
  }
  return purged;
}

interface Purge {
  realmId: string;
  kind: 'memory' | 'thread' | 'space';
  /** Rows restored meanwhile are left alone. */
  until: string;
  ids: readonly string[];
}

async function purgeRows(context: WriteContext, { realmId, kind, until, ids }: Purge): Promise<number> {
  let purged = 0;
  for (let start = 0; start < ids.length; start += PURGE_CHUNK) {
    await writeInRealm(context, realmId, systemActor, async (tx) => {
      for (const id of ids.slice(start, start + PURGE_CHUNK)) {
        const row = await tx.get(kind, id);
        if (row === undefined || row.deletedAt === null || row.deletedAt >= until) continue;
        await tx.remove(kind, id);
        purged += 1;
      }
    });
  }
  return purged;
}

/** After a restore or a lossy failover, before traffic: every replica, or those of one realm, start anew. */
export async function changeEpochs(db: Database, realmId?: string): Promise<void> {
  const scope = realmId === undefined ? sql`` : sql`where "realmId" = ${realmId}`;
  await sql`update "sync_realm" set "epoch" = gen_random_uuid()::text ${scope}`.execute(db);
}
