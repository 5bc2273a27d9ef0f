/**
 * The server over HTTP: rows 16 and 17 of the performance plan and sustained writes. Each runs beside its reference in
 * the same process on the same database.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { Pool } from 'pg';
import { z } from 'zod';
import type { Id } from '#shared/ids.ts';
import { eachOf, judge, timed, timingOf, type BenchRow, type Timing } from './bench-row.ts';
import { openBenchWorld, seedWorkspace, type BenchWorld } from './bench-world.ts';
import { databaseMs } from './process-use.ts';
import { headersOf } from './pulls.ts';
import type { WriteLoad } from './write-generator.ts';

const FEW = 1_000;
const MANY = 50_000;
const LISTS = 300;
const DEEP_LISTS = 60;
const WRITES = 1_500;
const WARM_UP_WRITES = 200;
const WRITERS = 16;
const WRITE_SESSIONS = 4;
const ROUNDS = 5;
const PAGE = 2_000;

/** Seeds two workspaces and runs every row. */
export async function* run(): AsyncGenerator<BenchRow[]> {
  const world = await openBenchWorld();
  try {
    const few = await seedWorkspace(world, { slug: 'few', count: FEW });
    const many = await seedWorkspace(world, { slug: 'many', count: MANY });
    mountReferences(world, many);
    yield* eachOf({
      'first pull': () => firstPulls(world, many),
      list: () => lists(world, many),
      'deep list': () => deepLists(world, many),
      writes: () => writes(world, few),
    });
  } finally {
    await world.close();
  }
}

function mountReferences({ routes, context }: BenchWorld, many: Id<'workspace'>): void {
  routes.get('/bench/list', async (_req, res) => {
    const { rows } = await context.pool.query(
      'select * from "memory" where "workspaceId" = $1 and "deletedAt" is null order by "created" desc limit 20',
      [many],
    );
    res.json({ success: true, result: rows });
  });
}

/** A row that is judged against a number of the plan instead of a second measurement. */
function budget(id: string, scenario: string, subject: Timing, limitMs: number): BenchRow {
  const reference = { name: 'budget', p50: limitMs, p95: limitMs };
  return judge({ id, scenario, subject, reference }, subject.p95 / limitMs, 1);
}

/**
 * Row 16: all pages of a first pull beside the same rows read by key as JSON text with the same driver, both by the
 * processor time of server and database. The device is a process of its own.
 */
async function firstPulls(world: BenchWorld, many: Id<'workspace'>): Promise<BenchRow[]> {
  const device = fork(path.join(import.meta.dirname, 'pull-client.ts'), [world.url, world.token, many]);
  const pull = async (): Promise<number[]> => {
    device.send('pull');
    return z.array(z.number()).parse((await once(device, 'message'))[0]);
  };
  const [whole, plain, pages, walls, plainWalls]: number[][] = [[], [], [], [], []];
  for (let round = -1; round < ROUNDS; round += 1) {
    const took = [await processorTime(pull), await processorTime(() => readPlain(world, many))] as const;
    // What was compiled on the way is not counted.
    if (round < 0) continue;
    whole?.push(took[0].cost);
    walls?.push(took[0].ms);
    pages?.push(...took[0].result);
    plain?.push(took[1].cost);
    plainWalls?.push(took[1].ms);
  }
  device.disconnect();
  const scenario = `first pull of ${MANY} memories, all pages, uncompressed`;
  const compare = (
    id: string,
    { name, values, others }: { name: string; values?: number[] | undefined; others?: number[] | undefined },
  ) => {
    const [subject, timing] = [timingOf(values ?? []), timingOf(others ?? [])];
    const reference = { name: 'same rows as JSON text', ...timing };
    return judge({ id, scenario: `${scenario}, ${name}`, subject, reference }, subject.p50 / timing.p50, 2);
  };
  return [
    compare('16', { name: 'processor time of server and database', values: whole, others: plain }),
    {
      ...compare('16 wall', { name: 'until the device has read it', values: walls, others: plainWalls }),
      ...INFO,
    },
    budget('16 page', `one page of ${PAGE} rows of a first pull (p95)`, timingOf(pages ?? []), 60),
  ];
}

const INFO = { target: 'none', verdict: 'info' } as const;

/** What work costs this process and the database under it, and how long it takes, both in milliseconds. */
async function processorTime<T>(work: () => Promise<T>): Promise<{ cost: number; ms: number; result: T }> {
  const before = { own: process.cpuUsage(), database: databaseMs(), begin: performance.now() };
  const result = await work();
  const own = process.cpuUsage(before.own);
  const cost = (own.user + own.system) / 1_000 + databaseMs() - before.database;
  return { cost, ms: performance.now() - before.begin, result };
}

async function readPlain({ context }: BenchWorld, workspaceId: string): Promise<number> {
  let bytes = 0;
  for (let after = ''; ;) {
    const { rows } = await context.pool.query<{ id: string; json: string }>(
      'select m."id", row_to_json(m)::text as "json" from "memory" m where m."workspaceId" = $1 and m."id" > $2 order by m."id" limit $3',
      [workspaceId, after, PAGE],
    );
    for (const { json } of rows) bytes += json.length;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return bytes;
    after = last.id;
  }
}

/** Row 17: a list of 20, beside the same query without our layers and beside node:http writing the same bytes. */
async function lists(world: BenchWorld, many: Id<'workspace'>): Promise<BenchRow[]> {
  const headers = headersOf(world.token);
  const address = `${world.url}/v1/memories/${many}`;
  const bytes = await (await fetch(address, { headers })).text();
  const constant = createServer((_req, res) =>
    res.writeHead(200, { 'content-type': 'application/json' }).end(bytes),
  );
  constant.listen(0, '127.0.0.1');
  await once(constant, 'listening');
  const bare = constant.address();
  const port = bare === null || typeof bare === 'string' ? 0 : bare.port;
  const get = async (url: string) => {
    const response = await fetch(url, { headers });
    if (!response.ok) throw new Error(`A list failed: ${response.status}`);
    return response.text();
  };
  const [ours, pool, raw]: number[][] = [[], [], []];
  for (let n = -20; n < LISTS; n += 1) {
    const took = [
      await timed(() => get(address)),
      await timed(() => get(`${world.url}/bench/list`)),
      await timed(() => get(`http://127.0.0.1:${port}/`)),
    ] as const;
    if (n < 0) continue;
    ours?.push(took[0]);
    pool?.push(took[1]);
    raw?.push(took[2]);
  }
  constant.close();
  const subject = timingOf(ours ?? []);
  const [poolTiming, rawTiming] = [timingOf(pool ?? []), timingOf(raw ?? [])];
  const scenario = `list of 20 of ${MANY} memories over HTTP`;
  const besideRaw = { name: 'node:http, same bytes', ...rawTiming };
  return [
    judge(
      { id: '17', scenario, subject, reference: { name: 'bare query, same app', ...poolTiming } },
      subject.p50 / poolTiming.p50,
      1.05,
    ),
    {
      id: '17 raw',
      scenario,
      subject,
      reference: besideRaw,
      ratio: subject.p50 / rawTiming.p50,
      target: 'none',
      verdict: 'info',
    },
  ];
}

/** Row 17: pages far down the same list, in turns with its first. */
async function deepLists(world: BenchWorld, many: Id<'workspace'>): Promise<BenchRow[]> {
  const headers = headersOf(world.token);
  const numbers = [1, 100, 500, MANY / 20];
  const durations = new Map(numbers.map((page) => [page, [] as number[]]));
  for (let n = -5; n < DEEP_LISTS; n += 1) {
    for (const page of numbers) {
      const took = await timed(async () => {
        const response = await fetch(`${world.url}/v1/memories/${many}?page=${page}`, { headers });
        if (!response.ok) throw new Error(`A list failed: ${response.status}`);
        await response.text();
      });
      if (n >= 0) durations.get(page)?.push(took);
    }
  }
  const reference = { name: 'first page', ...timingOf(durations.get(1) ?? []) };
  return numbers.slice(1).map((page) => {
    const subject = timingOf(durations.get(page) ?? []);
    const scenario = `page ${page} of a list of ${MANY} memories over HTTP`;
    return judge({ id: '17 deep', scenario, subject, reference }, subject.p50 / reference.p50, 1.5);
  });
}

/** Sustained writes of 16 clients into one workspace, beside bare commits of 16 connections on the same disk. */
async function writes(world: BenchWorld, workspaceId: Id<'workspace'>): Promise<BenchRow[]> {
  const tokens = await Promise.all(Array.from({ length: WRITE_SESSIONS }, () => world.logIn()));
  const load = { url: world.url, tokens, workspaceId, writers: WRITERS };
  await generate({ ...load, writes: WARM_UP_WRITES });
  const begin = performance.now();
  const durations = await generate({ ...load, writes: WRITES });
  const ours = { perSecond: (WRITES * 1_000) / (performance.now() - begin), durations };
  const pool = new Pool({ connectionString: world.databaseUrl, max: WRITERS });
  await pool.query('create table bench_row (n bigint primary key, note text not null)');
  const bare = await race(async (n) => {
    await pool.query('insert into bench_row values ($1, $2)', [n, 'A line of text.']);
  });
  await pool.end();
  const reference = { name: 'bare insert', ...rate(bare) };
  const scenario = `REST writes per second, ${WRITERS} writers in one workspace, durable`;
  return [
    {
      id: 'writes',
      scenario,
      subject: rate(ours),
      reference,
      unit: 'writes/s',
      ratio: ours.perSecond / bare.perSecond,
      target: '>= 300/s',
      verdict: ours.perSecond >= 300 ? 'met' : 'missed',
    },
    budget('writes p95', `one REST write while ${WRITERS} write (p95)`, timingOf(ours.durations), 60),
  ];
}

/** Runs the clients in their own thread. */
async function generate(load: WriteLoad): Promise<number[]> {
  const worker = new Worker(new URL('write-generator.ts', import.meta.url), { workerData: load });
  const failed = once(worker, 'error').then(([error]) => {
    throw error;
  });
  const [durations] = await Promise.race([once(worker, 'message'), failed]);
  return z.array(z.number()).parse(durations);
}

interface Race {
  perSecond: number;
  durations: number[];
}

function rate({ perSecond }: Race): Timing {
  return { p50: perSecond, p95: perSecond };
}

async function race(write: (n: number) => Promise<void>): Promise<Race> {
  const durations: number[] = [];
  let next = 0;
  const begin = performance.now();
  const writer = async () => {
    while (next < WRITES) {
      const n = (next += 1);
      durations.push(await timed(() => write(n)));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return { perSecond: (WRITES * 1_000) / (performance.now() - begin), durations };
}
