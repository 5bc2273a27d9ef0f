/**
 * The server of one PostgreSQL data directory: detects whether it runs, starts it and stops it. embedded-postgres.ts
 * decides who may use the directory.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TIMEOUTS } from '../limits.ts';
import { POSTGRES_ENV, type Cluster } from './postgres-cluster.ts';

/**
 * A database for one computer beside the program itself. PostgreSQL's own sizes let the log of a small database grow to
 * a gigabyte before its first checkpoint; with these a burst of writes costs a few more checkpoints. Both sizes of the log
 * are twice the largest segment that a cluster of ours has, which is the least allowed. What does not fit into the shared
 * buffers is in the system's own cache of files.
 */
const SIZES = { max_wal_size: '32MB', min_wal_size: '32MB', shared_buffers: '64MB' } as const;

/** A server that is running on a cluster; `child` is missing when it was started by an earlier process. */
export interface Postmaster {
  pid: number;
  port: number;
  child?: ChildProcess;
}

const MAX_LOG_BYTES = 5_000_000;

/** The server that runs on this data directory now, if any; a pid file left by a crash or a reboot does not count. */
export function runningPostmaster(dataFolder: string): Postmaster | undefined {
  const pidFile = path.join(dataFolder, 'postmaster.pid');
  let lines: string[];
  try {
    lines = readFileSync(pidFile, 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0 || !isPostgres(pid)) return undefined;
  return port > 0 ? { pid, port } : undefined;
}

/** True when the pid is alive and, where the OS can show it, belongs to PostgreSQL and not to a later process. */
function isPostgres(pid: number): boolean {
  if (existsSync('/proc/self/cmdline')) {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
    } catch {
      return false;
    }
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Starts the server on a port of loopback; resolves once its pid file exists, rejects with the end of its log. */
export async function startPostmaster(
  cluster: Cluster,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<Postmaster> {
  removeMisleadingPidFile(cluster.dataFolder);
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    jit: 'off',
    ...SIZES,
    ...settings,
  };
  const log = openLog(cluster);
  const child = spawn(
    cluster.binaries.postgres,
    ['-D', cluster.dataFolder, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // Its own process group: Ctrl-C in a terminal must reach us first, so that requests finish before their database.
    { ...cluster.runAs, cwd: '/', env: POSTGRES_ENV, detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  child.unref();
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  for (let waited = 0; waited < TIMEOUTS.postmasterStart; waited += 10) {
    const running = runningPostmaster(cluster.dataFolder);
    if (running && running.pid === child.pid) return { ...running, child };
    if (child.exitCode !== null || child.signalCode !== null) break;
    await sleep(10);
  }
  throw new Error(`The embedded database did not start: ${logTail(cluster)}`);
}

/**
 * PostgreSQL refuses to start when a later process has the pid in its lock file. Only in that case the file is removed:
 * with a dead pid PostgreSQL needs the file to detect children of a killed server that still write.
 */
function removeMisleadingPidFile(dataFolder: string): void {
  const pidFile = path.join(dataFolder, 'postmaster.pid');
  if (!existsSync(pidFile) || !existsSync('/proc/self/cwd')) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (!existsSync(`/proc/${pid}`) || isPostgres(pid) || isAnybodyIn(dataFolder)) return;
  rmSync(pidFile, { force: true });
}

/** Whether a process works in this folder, as every process of a PostgreSQL server does in its data directory. */
function isAnybodyIn(dataFolder: string): boolean {
  const folder = realpathSync(dataFolder);
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      // It has ended since, or belongs to another user, whose files this process could not use anyway.
      return false;
    }
  });
}

function openLog(cluster: Cluster): number {
  if (existsSync(cluster.logFile) && statSync(cluster.logFile).size > MAX_LOG_BYTES) {
    renameSync(cluster.logFile, `${cluster.logFile}.old`);
  }
  return openSync(cluster.logFile, 'a', 0o600);
}

/** The last lines the server wrote, for messages. */
export function logTail(cluster: Cluster): string {
  if (!existsSync(cluster.logFile)) return 'no log was written';
  return readFileSync(cluster.logFile, 'utf8').trimEnd().split('\n').slice(-5).join(' | ');
}

/** Starts a fast shutdown: open transactions roll back, and a checkpoint is written. */
export function beginStop(postmaster: Postmaster): void {
  signal(postmaster.pid, 'SIGINT');
}

/** Ends the server with a fast shutdown and waits for its exit. */
export async function stopPostmaster(cluster: Cluster, postmaster: Postmaster): Promise<void> {
  const gone = () => runningPostmaster(cluster.dataFolder)?.pid !== postmaster.pid;
  beginStop(postmaster);
  for (let waited = 0; waited < TIMEOUTS.postmasterStop && !gone(); waited += 10) await sleep(10);
  if (!gone()) signal(postmaster.pid, 'SIGQUIT');
  const { child } = postmaster;
  if (child && child.exitCode === null && child.signalCode === null) {
    child.ref();
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
