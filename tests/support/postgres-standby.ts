/** A standby of an embedded database: a real PostgreSQL that receives the log of the primary and replays it. */
import { appendFileSync, chmodSync, chownSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { takeBaseBackup } from '#server/db/base-backup.ts';
import { freePort, type EmbeddedPlace } from '#server/db/embedded-postgres.ts';
import { databaseUser, usableBinaries } from '#server/db/postgres-binaries.ts';
import { CLUSTER_FOLDER, openCluster } from '#server/db/postgres-cluster.ts';
import { startPostmaster, stopPostmaster } from '#server/db/postmaster.ts';
import { query } from './embedded-rig.ts';

export interface PostgresStandby {
  url: string;
  /** From now on it receives the log and replays nothing. */
  hold(): Promise<void>;
  release(): Promise<void>;
  /** Resolves when it has replayed all that the primary has written so far. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** Copies the primary into the folder `home` and follows it. Call `close` before the primary ends. */
export async function startStandby(primary: EmbeddedPlace, home: string): Promise<PostgresStandby> {
  const folder = path.join(home, CLUSTER_FOLDER);
  await takeBaseBackup(primary, folder, 'standby');
  const runAs = databaseUser();
  const cluster = openCluster(
    home,
    usableBinaries(runAs, () => undefined),
    runAs,
    false,
  );
  writeFileSync(path.join(cluster.dataFolder, 'standby.signal'), '');
  const { hostname, port, username, password, pathname } = new URL(primary.url);
  appendFileSync(
    path.join(cluster.dataFolder, 'postgresql.conf'),
    `\nprimary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  );
  chmodSync(home, 0o711);
  if (runAs) {
    for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
      chownSync(path.join(folder, name), runAs.uid, runAs.gid);
  }
  const postmaster = await startPostmaster(cluster, await freePort(), { fsync: 'off' });
  const url = `postgres://${username}:${password}@127.0.0.1:${postmaster.port}${pathname}`;
  const ask = async (statement: string) => void (await query(url, statement));
  return {
    url,
    hold: () => ask('select pg_wal_replay_pause()'),
    release: () => ask('select pg_wal_replay_resume()'),
    async caughtUp() {
      const [there] = await query(primary.url, 'select pg_current_wal_insert_lsn() as lsn');
      for (;;) {
        const [here] = await query(
          url,
          `select pg_last_wal_replay_lsn() >= '${String(there?.['lsn'])}' as done`,
        );
        if (here?.['done'] === true) return;
      }
    },
    close: () => stopPostmaster(cluster, postmaster),
  };
}
