/**
 * What announcing commits costs the nodes that write, and how soon another node hears of them: over NOTIFY and over NATS, beside
 * the same commits without any announcement. Each writer is a node with a connection of its own, and commits one row of a durable
 * database after another. `each` announces every commit and waits, as nodes in large numbers would; `coalesced` is the product,
 * in which a version is heard unless a newer one of its realm is announced with it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { Registry } from 'prom-client';
import { parseConfig } from '#server/config.ts';
import { openFanOut, type FanOut } from '#server/sync/fan-out.ts';
import { createSyncMetrics } from '#server/sync/metrics.ts';
import { createNatsChannel } from '#server/sync/nats-channel.ts';
import { createPokeBus, type Commit, type PokeBus } from '#server/sync/poke-bus.ts';
import type { PokeChannel } from '#server/sync/poke-channel.ts';
import { createPostgresChannel } from '#server/sync/postgres-channel.ts';
import { createPostgresNotifications } from '#server/sync/postgres-notifications.ts';
import { prepareNatsServer } from '../support/nats-server.ts';
import { eachOf, timingOf, type BenchRow, type Timing } from './bench-row.ts';
import { openBenchWorld, type BenchWorld } from './bench-world.ts';

const WRITERS = [1, 2, 4, 8];
const ROUNDS = 3;
const ROUND_MS = 2_000;
const INFO = { target: 'none', verdict: 'info' } as const;

const BUSES = ['none', 'NOTIFY', 'NATS'] as const;
type Bus = (typeof BUSES)[number];
type Announce = (commit: Commit) => Promise<void> | void;

/** One way to announce, as one writer uses it, and what another node hears. */
interface Setup {
  announce: Announce;
  close(): Promise<void>;
}

/** Runs with every number of writers. */
export async function* run(): AsyncGenerator<BenchRow[]> {
  const nats = await prepareNatsServer();
  await nats.start();
  const world = await openBenchWorld();
  try {
    await world.context.pool.query(
      'create table bench_realm ("realmId" text primary key, "version" bigint not null)',
    );
    yield* eachOf(
      Object.fromEntries(
        WRITERS.map((writers) => [`${writers} writers`, () => measure(world, { url: nats.url, writers })]),
      ),
    );
  } finally {
    await world.close();
    await nats.close();
  }
}

/** Commits a second and milliseconds from a commit to its arrival, of one bus. */
interface Figures {
  rates: number[];
  delays: number[];
}

/** All ways by turns, so that a busy moment of the machine meets all of them. */
async function measure(
  world: BenchWorld,
  { url, writers }: { url: string; writers: number },
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [how, open] of Object.entries({ each: openEach, coalesced: openCoalesced })) {
    const figures = new Map<Bus, Figures>(BUSES.map((bus) => [bus, { rates: [], delays: [] }]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [bus, { rates, delays }] of figures) {
        const left = new Map<string, number>();
        const hear = ({ realmId, version }: Commit) => {
          const begin = left.get(`${realmId} ${version}`);
          if (begin !== undefined) delays.push(performance.now() - begin);
        };
        const setup = await open(world, { bus, url, hear, realms: realmsOf(writers) });
        rates.push(await commitAll(world, { announce: setup.announce, left, realms: realmsOf(writers) }));
        await setup.close();
      }
    }
    const timing = (bus: Bus, figure: keyof Figures) => timingOf(figures.get(bus)?.[figure] ?? []);
    const row = (
      name: string,
      subject: Timing,
      reference: BenchRow['reference'],
      unit?: string,
    ): BenchRow => ({
      id: `pokes ${writers}`,
      scenario: `${writers} writing, ${how}, ${name}`,
      subject,
      reference,
      ...(unit ? { unit } : {}),
      ratio: subject.p50 / reference.p50,
      ...INFO,
    });
    const alone = { name: 'none', ...timing('none', 'rates') };
    rows.push(
      row('NOTIFY', timing('NOTIFY', 'rates'), alone, 'commits/s'),
      row('NATS', timing('NATS', 'rates'), alone, 'commits/s'),
      row('commit to other node over NATS', timing('NATS', 'delays'), {
        name: 'NOTIFY',
        ...timing('NOTIFY', 'delays'),
      }),
    );
  }
  return rows;
}

const realmsOf = (writers: number): string[] => Array.from({ length: writers }, (_, at) => `bench-${at}`);

/** Every writer commits for a while; returns the commits of a second. */
async function commitAll(
  { databaseUrl }: BenchWorld,
  { announce, left, realms }: { announce: Announce; left: Map<string, number>; realms: readonly string[] },
): Promise<number> {
  const clients = await Promise.all(
    realms.map(async () => {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  let commits = 0;
  const begin = performance.now();
  const write = async (client: Client, realmId: string) => {
    while (performance.now() - begin < ROUND_MS) {
      const { rows } = await client.query<{ version: string }>({
        name: 'commit',
        text: `insert into bench_realm values ($1, 1)
          on conflict ("realmId") do update set "version" = bench_realm."version" + 1 returning "version"`,
        values: [realmId],
      });
      commits += 1;
      const version = Number(rows[0]?.version);
      left.set(`${realmId} ${version}`, performance.now());
      await announce({ realmId, version, at: Date.now() });
    }
  };
  await Promise.all(clients.map((client, at) => write(client, realms[at] ?? '')));
  const rate = (commits * 1_000) / (performance.now() - begin);
  await Promise.all(clients.map((client) => client.end()));
  return rate;
}

interface Wanted {
  bus: Bus;
  url: string;
  hear: (commit: Commit) => void;
  realms: readonly string[];
}

/** The context of one more node on the database. */
function nodeOf({ context, databaseUrl }: BenchWorld, pokes: PokeBus, url?: string) {
  const registry = new Registry();
  const config = parseConfig({ DATABASE_URL: databaseUrl, ...(url ? { POKE_URL: url } : {}) });
  return { ...context, config, pokes, registry, metrics: createSyncMetrics(registry) };
}

async function untilListening(registry: Registry, bus: 'postgres' | 'nats'): Promise<void> {
  while (!(await registry.metrics()).includes(`loci_sync_listening{bus="${bus}"} 1`)) await pause(20);
}

/** The channel alone: each commit is announced, and its writer waits until that is done. */
async function openEach(world: BenchWorld, { bus, url, hear }: Wanted): Promise<Setup> {
  if (bus === 'none') return { announce: () => undefined, close: async () => undefined };
  const end = new AbortController();
  const opened: Promise<void>[] = [];
  const open = async (onCommit: (commit: Commit) => void): Promise<PokeChannel> => {
    const node = nodeOf(world, createPokeBus(), url);
    const onConnect = async () => undefined;
    const notifications = createPostgresNotifications(node);
    const { pokeServer } = node.config;
    if (pokeServer === undefined) throw new Error('NATS has no address');
    const channel =
      bus === 'NATS' ? createNatsChannel(node, pokeServer) : createPostgresChannel(node.db, notifications);
    opened.push(channel.listen({ onCommit, onConnect }, end.signal));
    if (bus === 'NOTIFY') opened.push(notifications.listen(onConnect, end.signal));
    await untilListening(node.registry, bus === 'NATS' ? 'nats' : 'postgres');
    return channel;
  };
  await open(hear);
  const sender = await open(() => undefined);
  return {
    announce: (commit) => sender.announce([commit]),
    async close() {
      end.abort();
      await Promise.all(opened);
    },
  };
}

/** Whole fan-outs, a node for each writer and one that listens. */
async function openCoalesced(world: BenchWorld, { bus, url, hear, realms }: Wanted): Promise<Setup> {
  if (bus === 'none') return { announce: () => undefined, close: async () => undefined };
  const fanOuts: FanOut[] = [];
  const open = async () => {
    const pokes = createPokeBus();
    const node = nodeOf(world, pokes, bus === 'NATS' ? url : undefined);
    const fanOut = openFanOut(node);
    fanOuts.push(fanOut);
    await untilListening(node.registry, bus === 'NATS' ? 'nats' : 'postgres');
    return { pokes, fanOut };
  };
  const listening = await open();
  for (const realmId of realms) listening.fanOut.follow(realmId, hear);
  const nodes = new Map(
    await Promise.all(realms.map(async (realmId) => [realmId, (await open()).pokes] as const)),
  );
  return {
    announce: ({ realmId, version }) => nodes.get(realmId)?.committed(new Map([[realmId, version]])),
    async close() {
      await Promise.all(fanOuts.map((fanOut) => fanOut.close()));
    },
  };
}
