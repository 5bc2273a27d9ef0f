/**
 * Three PostgreSQL servers with Citus on this machine, one coordinator and two workers, for one run of tests. Their data is
 * in memory where the system has such files, and goes when the cluster is closed.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '#server/db/embedded-postgres.ts';
import { databaseUser } from '#server/db/postgres-binaries.ts';
import { POSTGRES_ENV } from '#server/db/postgres-cluster.ts';
import { parentFolder } from './throw-away-cluster.ts';

/** What to do where Citus is missing. */
const HOW_TO_GET_CITUS =
  'No PostgreSQL with Citus was found. Citus is an extension of PostgreSQL that its authors publish as source and as packages. ' +
  'On Debian 12, build version 13.2.2 against the PostgreSQL 15 of the system: apt-get install postgresql-15 ' +
  'postgresql-server-dev-15 build-essential autoconf flex libreadline-dev zlib1g-dev liblz4-dev libzstd-dev libssl-dev ' +
  'libxml2-dev libkrb5-dev libpam0g-dev libicu-dev, then in its source (repository citusdata/citus, tag v13.2.2) ' +
  './configure --without-libcurl && make -j2 && make install. With another PostgreSQL, PG_CONFIG names its pg_config.';

const START_MS = 60_000;
const SHARDS = 8;

/** One server of the cluster. */
export interface CitusNode {
  name: string;
  port: number;
  folder: string;
  /** Ends the server at once, as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface CitusCluster {
  coordinator: CitusNode;
  workers: readonly CitusNode[];
  folder: string;
  close(): Promise<void>;
}

/** Address of a database on a node. */
export const addressOf = ({ port }: Pick<CitusNode, 'port'>, database: string): string =>
  `postgres://loci@127.0.0.1:${port}/${database}`;

/** Folder of PostgreSQL's programs. @throws Error with how to get Citus */
export function findCitus(): string {
  const ask = (what: string) =>
    spawnSync(process.env['PG_CONFIG'] ?? 'pg_config', [what], { encoding: 'utf8' }).stdout?.trim() ?? '';
  const shared = ask('--sharedir');
  if (shared === '' || !existsSync(path.join(shared, 'extension', 'citus.control')))
    throw new Error(HOW_TO_GET_CITUS);
  return ask('--bindir');
}

/** Starts the three servers; no database has Citus yet. @throws Error with how to get Citus */
export async function startCitusCluster(): Promise<CitusCluster> {
  const programs = findCitus();
  const folder = mkdtempSync(path.join(parentFolder(), 'loci-citus-'));
  const runAs = databaseUser();
  if (runAs !== undefined) chownSync(folder, runAs.uid, runAs.gid);
  const nodes: CitusNode[] = [];
  // A run that is interrupted cannot wait for its servers, and no other process would end them.
  const leave = () => {
    for (const node of nodes) void node.kill();
  };
  process.once('exit', leave);
  const close = async () => {
    process.off('exit', leave);
    await Promise.all(nodes.map((node) => node.kill()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const name of ['coordinator', 'worker-1', 'worker-2'])
      nodes.push(createNode(name, await freePort(), { programs, folder }));
    await Promise.all(nodes.map((node) => node.start()));
  } catch (error) {
    await close();
    throw error;
  }
  const [coordinator, ...workers] = nodes;
  if (coordinator === undefined) throw new Error('The cluster has no coordinator');
  return { coordinator, workers, folder, close };
}

function createNode(name: string, port: number, at: { programs: string; folder: string }): CitusNode {
  const runAs = databaseUser();
  const folder = path.join(at.folder, name);
  const log = path.join(at.folder, `${name}.log`);
  mkdirSync(folder, { mode: 0o700 });
  if (runAs !== undefined) chownSync(folder, runAs.uid, runAs.gid);
  const made = spawnSync(
    path.join(at.programs, 'initdb'),
    [
      `--pgdata=${folder}`,
      '--username=loci',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ],
    { ...runAs, cwd: '/', env: POSTGRES_ENV, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb of ${name} failed: ${made.stderr}`);
  appendFileSync(path.join(folder, 'postgresql.conf'), settingsOf(at.folder, port));
  let child: ChildProcess | undefined;
  return {
    name,
    port,
    folder,
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      // The postmaster ends at once without a checkpoint; its children follow by themselves after SIGKILL, so not that.
      child.kill('SIGQUIT');
      await once(child, 'exit');
    },
    async start() {
      child = spawn(path.join(at.programs, 'postgres'), ['-D', folder], {
        ...runAs,
        cwd: '/',
        env: POSTGRES_ENV,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child.stderr?.on('data', (data: Buffer) => {
        appendFileSync(log, data);
      });
      await answers(addressOf({ port }, 'postgres'), log);
    },
  };
}

function settingsOf(socketFolder: string, port: number): string {
  return `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '${socketFolder}'
shared_preload_libraries = 'citus'
max_connections = 400
max_prepared_transactions = 800
max_worker_processes = 64
shared_buffers = '128MB'
fsync = off
autovacuum = off
jit = off
wal_level = logical
citus.shard_count = ${SHARDS}
citus.node_conninfo = 'sslmode=disable'
log_min_messages = warning
`;
}

async function answers(url: string, log: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    try {
      await run(url, ['select 1']);
      return;
    } catch (error) {
      if (performance.now() > deadline)
        throw new Error(`A server does not start; see ${log}`, { cause: error });
      await pause(50);
    }
  }
}

/** Runs statements one after another on a connection of their own; returns the rows of the last. */
export async function run(url: string, statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** Makes a database on every node, in which the workers belong to the coordinator. */
export async function createCitusDatabase(
  { coordinator, workers }: CitusCluster,
  name: string,
): Promise<string> {
  for (const node of [coordinator, ...workers]) {
    await run(addressOf(node, 'postgres'), [`create database ${name}`]);
    await run(addressOf(node, name), ['create extension citus']);
  }
  const url = addressOf(coordinator, name);
  await run(url, [
    `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
    ...workers.map(({ port }) => `select citus_add_node('127.0.0.1', ${port})`),
  ]);
  return url;
}
