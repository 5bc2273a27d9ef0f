// The epoch of a realm. It changes when the database has returned to an earlier state: after a restore, a recovery to a point
// in time, or a failover that lost transactions. Versions and mutation ids are then assigned a second time, so replicas of
// another epoch start anew, and resend changes that the database no longer has.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';

/** Name of the setting with the history that the epochs belong to. */
const HISTORY = 'history';

/**
 * Cluster, database, timeline, and the file of the table of versions: a dump that is restored into another database changes
 * the second, a recovery to a point in time and a promoted standby the third, a dump restored in place (which makes the
 * tables anew or truncates them) the last. VACUUM FULL changes that too, and costs a load of everything for nothing.
 */
const CURRENT_HISTORY = sql<string>`concat_ws('/',
  (select "system_identifier" from pg_control_system()),
  (select "oid" from pg_database where "datname" = current_database()),
  substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
  pg_relation_filenode('sync_realm'))`;

/** A new epoch for all realms; after a restore, before traffic. */
export async function changeEpochs(db: Database): Promise<void> {
  await sql`update "sync_realm" set "epoch" = ${randomUUID()} ${across('upkeep')}`.execute(db);
}

/** A new epoch for one realm, unless it has another one than `epoch` by now. */
export async function endEpoch(db: Database, realmId: string, epoch: string): Promise<void> {
  await sql`update "sync_realm" set "epoch" = ${randomUUID()}
    where "realmId" = ${realmId} and "epoch" = ${epoch}`.execute(db);
}

/** Changes the epochs when the database has another history than at the call before; returns whether it did. */
export async function followHistory(db: Database): Promise<boolean> {
  const { rows: known } = await sql`
    select 1 from "sync_setting" where "name" = ${HISTORY} and "value" = ${CURRENT_HISTORY}`.execute(db);
  if (known.length > 0) return false;
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ isChanged: boolean }>`
      insert into "sync_setting" as s ("name", "value") select ${HISTORY}, ${CURRENT_HISTORY}
      on conflict ("name") do update set "value" = excluded."value" where s."value" <> excluded."value"
      returning xmax <> 0 as "isChanged"`.execute(trx);
    const isChanged = rows[0]?.isChanged === true;
    if (isChanged) await changeEpochs(trx);
    return isChanged;
  });
}
