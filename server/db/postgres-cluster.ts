/**
 * One PostgreSQL data directory on disk: its location and creation. Its server is in postmaster.ts;
 * embedded-postgres.ts decides who may use the directory.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { PostgresBinaries, RunAs } from './postgres-binaries.ts';

/** The role that owns the embedded database. */
export const EMBEDDED_USER = 'loci';

export interface Cluster {
  dataFolder: string;
  logFile: string;
  password: string;
  binaries: PostgresBinaries;
  runAs: RunAs | undefined;
}

/** English messages and UTC, regardless of the machine's settings. */
export const POSTGRES_ENV = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Name of the cluster's folder inside its home. */
export const CLUSTER_FOLDER = 'postgres';

/** Whether a cluster was created under `home`. */
export function clusterExists(home: string): boolean {
  return existsSync(path.join(home, CLUSTER_FOLDER));
}

/** The log is recycled in whole files, so small files limit the size of a small database. */
const WAL_SEGMENT_MB = 4;

/** Opens the cluster under `home`, creating it on the first start; `durable: false` is for throw-away data only. */
export function openCluster(
  home: string,
  binaries: PostgresBinaries,
  runAs: RunAs | undefined,
  durable: boolean,
): Cluster {
  const folder = path.join(home, CLUSTER_FOLDER);
  if (!clusterExists(home)) createCluster(folder, binaries, runAs, durable);
  return {
    dataFolder: path.join(folder, 'data'),
    logFile: path.join(folder, 'server.log'),
    password: readFileSync(path.join(folder, 'password'), 'utf8').trim(),
    binaries,
    runAs,
  };
}

/**
 * Runs initdb beside the final name and renames: a kill at any moment leaves no half-made cluster behind.
 * The builtin collation is the same on every machine, so an update of the OS cannot break an index.
 */
function createCluster(
  folder: string,
  binaries: PostgresBinaries,
  runAs: RunAs | undefined,
  durable: boolean,
): void {
  const partial = `${folder}.${process.pid}`;
  const own = (target: string) => runAs && chownSync(target, runAs.uid, runAs.gid);
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  const passwordFile = path.join(partial, 'password');
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  own(partial);
  own(passwordFile);
  const args = [
    `--pgdata=${path.join(partial, 'data')}`,
    `--username=${EMBEDDED_USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    `--wal-segsize=${WAL_SEGMENT_MB}`,
    ...(durable ? [] : ['--no-sync']),
  ];
  const run = spawnSync(binaries.initdb, args, { ...runAs, cwd: '/', env: POSTGRES_ENV, encoding: 'utf8' });
  if (run.status !== 0) {
    rmSync(partial, { recursive: true, force: true });
    throw new Error(
      `The embedded database could not be created in ${folder}: ${run.stderr || String(run.error)}`,
    );
  }
  try {
    renameSync(partial, folder);
  } catch (cause) {
    // Another process was faster; its cluster is as good as ours.
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw cause;
  }
  if (durable) syncFolder(path.dirname(folder));
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
