/**
 * The database for people without a database: a real PostgreSQL under the data folder, adopted when it survived us,
 * started when not, watched while we run, and served by one process at a time.
 */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { TIMEOUTS } from '../limits.ts';
import { takeDirectoryLock, type DirectoryLock } from './directory-lock.ts';
import { clusterHome, databaseUser, usableBinaries } from './postgres-binaries.ts';
import { clusterExists, EMBEDDED_USER, openCluster, type Cluster } from './postgres-cluster.ts';
import {
  beginStop,
  logTail,
  runningPostmaster,
  startPostmaster,
  stopPostmaster,
  type Postmaster,
} from './postmaster.ts';
import { textOf } from '../log.ts';

/** The database inside the cluster that holds the product's tables. */
const APP_DATABASE = 'loci';

export interface EmbeddedOptions {
  dataDir: string;
  log: (line: string) => void;
  /** False disables fsync, for tests only. */
  durable?: boolean;
  settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPlace {
  url: string;
  /** The folder with the cluster's own folder in it: the data folder, or one outside of it. */
  home: string;
  /** PostgreSQL's data directory. */
  dataFolder: string;
}

/** A running embedded database in exclusive use; `close` stops it and releases the data folder. */
export interface EmbeddedPostgres extends EmbeddedPlace {
  adopted: boolean;
  close(): Promise<void>;
}

/** The embedded database of a data folder if a server runs on it now; acquires no lock, so only read or copy from it. */
export function runningEmbeddedPostgres(
  dataDir: string,
  log: (line: string) => void,
): EmbeddedPlace | undefined {
  const runAs = databaseUser();
  const home = clusterHome(dataDir, runAs, log);
  if (!clusterExists(home)) return undefined;
  const cluster = openCluster(home, usableBinaries(runAs, log), runAs, true);
  const postmaster = runningPostmaster(cluster.dataFolder);
  if (!postmaster) return undefined;
  return { url: urlOf(cluster, postmaster.port, APP_DATABASE), home, dataFolder: cluster.dataFolder };
}

/** Starts the embedded database for exclusive use. @throws DirectoryInUseError */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, durable = true } = options;
  const runAs = databaseUser();
  const binaries = usableBinaries(runAs, log);
  const home = clusterHome(dataDir, runAs, log);
  const cluster = openCluster(home, binaries, runAs, durable);
  const settings = { ...(durable ? {} : THROW_AWAY), ...options.settings };

  let postmaster = await bringUp(cluster, settings, undefined);
  const adopted = postmaster.child === undefined;
  if (adopted) log(`Adopted the running embedded database (pid ${postmaster.pid})`);
  await ensureAppDatabase(cluster, postmaster.port);
  const url = urlOf(cluster, postmaster.port, APP_DATABASE);
  let lock = await takeDirectoryLock(url, dataDir);
  let closing = false;

  const watch = (held: DirectoryLock) => {
    void held.lost.then(async () => {
      if (closing) return;
      log(`The embedded database went away (${logTail(cluster)}); starting it again`);
      try {
        // The pools are bound to the port, so the new server must listen on the same one.
        postmaster = await bringUp(cluster, settings, postmaster.port);
        lock = await takeDirectoryLock(url, dataDir);
        watch(lock);
      } catch (error) {
        log(`The embedded database could not be started again: ${textOf(error)}`);
      }
    });
  };
  watch(lock);
  // A process that exits abruptly cannot wait for its database, but it must start the shutdown, because no other
  // process would.
  const leave = () => beginStop(postmaster);
  process.once('exit', leave);

  return {
    url,
    home,
    dataFolder: cluster.dataFolder,
    adopted,
    async close() {
      closing = true;
      process.off('exit', leave);
      // The lock is released last: the next process must not get a server that is about to stop.
      await stopPostmaster(cluster, postmaster);
      await lock.release();
    },
  };
}

const THROW_AWAY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } as const;

/** Adopts or starts, again and again: another process may be starting, or children of a killed server still dying. */
async function bringUp(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
  fixedPort: number | undefined,
): Promise<Postmaster> {
  const deadline = performance.now() + TIMEOUTS.databaseStart;
  for (;;) {
    try {
      const postmaster =
        runningPostmaster(cluster.dataFolder) ??
        (await startPostmaster(cluster, fixedPort ?? (await freePort()), settings));
      await answers(cluster, postmaster, deadline);
      return postmaster;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

async function answers(cluster: Cluster, postmaster: Postmaster, deadline: number): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: urlOf(cluster, postmaster.port, 'postgres') });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      const ended = postmaster.child
        ? postmaster.child.exitCode !== null
        : !runningPostmaster(cluster.dataFolder);
      if (ended || performance.now() > deadline) {
        throw new Error(`The embedded database does not answer: ${logTail(cluster)}`, { cause: error });
      }
      await sleep(20);
    }
  }
}

async function ensureAppDatabase(cluster: Cluster, port: number): Promise<void> {
  const client = new Client({ connectionString: urlOf(cluster, port, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [APP_DATABASE]);
    if (rowCount === 0) await client.query(`create database ${APP_DATABASE}`);
  } catch (error) {
    // 42P04 and 23505: another process created it between the two statements.
    if (!(error instanceof DatabaseError && ['42P04', '23505'].includes(error.code ?? ''))) throw error;
  } finally {
    await client.end();
  }
}

function urlOf(cluster: Cluster, port: number, database: string): string {
  return `postgres://${EMBEDDED_USER}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

/** A free port; if another process binds it first, the start is retried. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free TCP port');
  return address.port;
}
