/**
 * What one node can hold: the cost of a device that is connected and still, in memory of the node and processor time of node and
 * database, and the processor time of a pull that finds nothing or one memory, and of a push. Devices are real sockets in other processes.
 * CLUSTER_DEVICES chooses other numbers.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSession } from '#server/accounts/sessions.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { createWorkspace } from '#server/workspaces/membership.ts';
import { newId } from '#shared/ids.ts';
import { timingOf, type BenchRow, type Timing } from './bench-row.ts';
import { openBenchWorld, type BenchWorld } from './bench-world.ts';
import type { DeviceLoad, LoadDevice } from './device-load.ts';
import type { IdleDevices } from './idle-devices.ts';
import { databaseMs, memoryOf } from './process-use.ts';

const SIZES = (process.env['CLUSTER_DEVICES'] ?? '1000,5000,10000').split(',').map(Number);
/** A person has so many devices. */
const DEVICES_EACH = 2;
/** Two heartbeats of the streams. */
const IDLE_MS = 40_000;
const LOAD_MS = 10_000;
const AT_ONCE = 16;
const LOAD_DEVICES = 320;
const MEGABYTE = 1_000_000;
const CALLS: Readonly<Record<DeviceLoad['what'], string>> = {
  nothing: 'pulls that find nothing',
  memory: 'pulls of one memory',
  push: 'pushes of one memory',
};

/** Connects more and more devices, and lets some of them work at the end. */
export async function* run(): AsyncGenerator<BenchRow[]> {
  const world = await openBenchWorld();
  const children: ChildProcess[] = [];
  try {
    const devices: LoadDevice[] = [];
    let before = await memoryNow();
    let connected = 0;
    for (const size of SIZES) {
      while (devices.length < size) devices.push(...(await addPerson(world)));
      if (connected === 0) before = await memoryNow();
      children.push(await connect(world, devices.slice(connected, size)));
      connected = size;
      yield await measureIdle(size, before);
    }
    for (const what of ['nothing', 'memory', 'push'] as const) yield await measureLoad(world, what, devices);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await world.close();
  }
}

/** A person with a workspace of their own and a session for each device. */
async function addPerson({ context }: BenchWorld): Promise<LoadDevice[]> {
  const [userId, workspaceId] = [newId('user'), newId('workspace')];
  const now = context.clock.now();
  const values = { created: now.toISOString(), updated: now.toISOString() };
  await context.db
    .insertInto('user')
    .values({
      id: userId,
      source: 'email',
      githubId: null,
      googleId: null,
      forename: 'Bench',
      surname: null,
      username: null,
      email: `${userId}@example.org`,
      domain: 'example.org',
      personal: false,
      emailVerified: true,
      ...values,
    })
    .execute();
  await writeInRealm(context, workspaceId, systemActor, (tx) =>
    createWorkspace(tx, userId, { id: workspaceId, slug: workspaceId.slice(3, 30), name: 'Bench' }),
  );
  const tokens = Array.from({ length: DEVICES_EACH }, () =>
    openSession(context.db, { userId, origin: { address: null, userAgent: undefined }, now }),
  );
  return (await Promise.all(tokens)).map((token) => ({ token, workspaceId }));
}

function startProcess(file: string): ChildProcess {
  return fork(path.join(import.meta.dirname, file));
}

async function connect({ url }: BenchWorld, devices: readonly LoadDevice[]): Promise<ChildProcess> {
  const child = startProcess('idle-devices.ts');
  const task: IdleDevices = { port: Number(new URL(url).port), tokens: devices.map(({ token }) => token) };
  child.send(task);
  await once(child, 'message');
  return child;
}

interface Memory {
  node: number;
  database: number;
}

/** After a pause in which garbage goes. */
async function memoryNow(): Promise<Memory> {
  await sleep(2_000);
  globalThis.gc?.();
  const database = memoryOf([process.pid]).filter(({ name }) => name.startsWith('postgres'));
  return { node: process.memoryUsage.rss(), database: database.reduce((sum, { pss }) => sum + pss, 0) };
}

/** Milliseconds of processor since `begin`. */
function processorSince(begin: { node: NodeJS.CpuUsage; database: number }) {
  const { user, system } = process.cpuUsage(begin.node);
  return { node: (user + system) / 1_000, database: databaseMs() - begin.database };
}

const processorNow = () => ({ node: process.cpuUsage(), database: databaseMs() });

const same = (value: number): Timing => ({ p50: value, p95: value });

function info(scenario: string, subject: Timing, unit: string, name = '-', reference = subject): BenchRow {
  return {
    id: 'cluster',
    scenario,
    subject,
    reference: { name, ...reference },
    unit,
    ratio: subject.p50 / reference.p50,
    target: 'none',
    verdict: 'info',
  };
}

async function measureIdle(size: number, before: Memory): Promise<BenchRow[]> {
  const memory = await memoryNow();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const begin = processorNow();
  await sleep(IDLE_MS);
  const used = processorSince(begin);
  delay.disable();
  const share = (ms: number) => same((ms / IDLE_MS) * 100);
  return [
    info(
      `${size} still devices: memory of the node each`,
      same((memory.node - before.node) / size / 1_000),
      'kB',
    ),
    info(`${size} still devices: memory of the database`, same(memory.database / MEGABYTE), 'MB'),
    info(`${size} still devices: one core, by the node`, share(used.node), '%'),
    info(`${size} still devices: one core, by the database`, share(used.database), '%'),
    info(`${size} still devices: longest pause of the node`, same(delay.max / 1e6), 'ms'),
  ];
}

async function measureLoad(
  { url }: BenchWorld,
  what: DeviceLoad['what'],
  devices: readonly LoadDevice[],
): Promise<BenchRow[]> {
  const child = startProcess('device-load.ts');
  const load: DeviceLoad = {
    url,
    devices: devices.slice(0, LOAD_DEVICES),
    what,
    atOnce: AT_ONCE,
    ms: LOAD_MS,
  };
  child.send(load);
  await once(child, 'message');
  const begin = processorNow();
  child.send('go');
  const [durations]: number[][] = await once(child, 'message');
  const used = processorSince(begin);
  const calls = durations?.length ?? 0;
  const name = CALLS[what];
  return [
    info(`${name}, ${AT_ONCE} at a time`, timingOf(durations ?? []), 'ms'),
    info(`${name} a second`, same(calls / (LOAD_MS / 1_000)), '/s'),
    info(`${name}: processor of the node each`, same(used.node / calls), 'ms'),
    info(`${name}: processor of the database each`, same(used.database / calls), 'ms'),
  ];
}
