/**
 * What the whole program occupies with 10,000 memories: files of the data folder after they were created over the API,
 * and memory of server and database after sixteen connections have read for a minute. FOOTPRINT_SECONDS shortens that.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { apiAt, joinServer, STORY_PASSWORD, type Person } from '../support/person.ts';
import { judgeBudget, type BenchRow } from './bench-row.ts';
import { folderBytes, memoryOf } from './process-use.ts';
import { syntheticMemories } from './synthetic-memories.ts';

const MEMORIES = 10_000;
const CONNECTIONS = 16;
const SECONDS = Number(process.env['FOOTPRINT_SECONDS'] ?? 60);
const MEGABYTE = 1_000_000;
/** What database and log of an empty server may occupy. */
const BASE_MB = 100;
const TEXT_FACTOR = 3;
const MEMORY_MB = 400;

/** Fills a server of its own through the API and looks at its files and processes. */
export async function run(): Promise<BenchRow[]> {
  const server = await startServerProcess({
    env: { LOG_LEVEL: 'error', ...JSON.parse(process.env['FOOTPRINT_ENV'] ?? '{}') },
  });
  try {
    const person = await joinServer(server.url, 'footprint');
    const tokens: string[] = [];
    // One by one: log-ins count as guesses until they succeed.
    while (tokens.length < CONNECTIONS) tokens.push(await logIn(server, person));
    const text = await fill(server, person, tokens);
    const folder = folderBytes(server.dataDir);
    await printTables(server);
    const loaded = processesOf(server);
    await load(server, person, tokens);
    const busy = processesOf(server);
    const mb = (bytes: number) => bytes / MEGABYTE;
    const unit = 'MB';
    const budget = BASE_MB + TEXT_FACTOR * mb(text);
    return [
      judgeBudget('F disk', `data folder with ${MEMORIES} memories (${mb(text).toFixed(1)} MB of text)`, {
        values: [mb(folder)],
        limit: budget,
        unit,
      }),
      judgeBudget('F memory written', `server and database after writing ${MEMORIES} memories (PSS)`, {
        values: [mb(loaded)],
        limit: MEMORY_MB,
        unit,
      }),
      judgeBudget('F memory read', `the same after ${CONNECTIONS} connections read for ${SECONDS} s (PSS)`, {
        values: [mb(busy)],
        limit: MEMORY_MB,
        unit,
      }),
    ];
  } finally {
    await server.dispose();
  }
}

async function logIn({ url }: ServerProcess, { email }: Person): Promise<string> {
  const { result } = await apiAt(url)('auth.login', { body: { email, password: STORY_PASSWORD } });
  return result.token;
}

/** Creates the memories from all connections at once; returns the bytes of their text. */
async function fill({ url }: ServerProcess, { workspaceId }: Person, tokens: readonly string[]) {
  const documents = syntheticMemories(MEMORIES);
  let bytes = 0;
  let next = 0;
  const begin = performance.now();
  await Promise.all(
    tokens.map(async (token) => {
      while (next < documents.length) {
        const document = documents[next];
        next += 1;
        if (document === undefined) continue;
        const { title, tags, description, summary, notes } = document;
        const body = JSON.stringify({
          workspaceId,
          title,
          tags,
          description,
          summary,
          notes,
          ...(document.url === '' ? {} : { url: document.url }),
        });
        bytes += Buffer.byteLength(body);
        await patiently(`${url}/v1/memories`, token, body);
      }
    }),
  );
  console.info(
    `${MEMORIES} writes: ${Math.round((MEMORIES * 1_000) / (performance.now() - begin))} a second`,
  );
  return bytes;
}

async function patiently(address: string, token: string, body?: string): Promise<string> {
  for (;;) {
    const response = await fetch(address, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (response.ok) return text;
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
    if (response.status !== 429 || Number.isNaN(wait)) throw new Error(`${address} failed: ${text}`);
    await sleep(wait * 1_000);
  }
}

/** Each connection reads lists, searches and pulls first pages in turns. */
async function load(
  { url }: ServerProcess,
  { workspaceId }: Person,
  tokens: readonly string[],
): Promise<void> {
  const until = performance.now() + SECONDS * 1_000;
  await Promise.all(
    tokens.map(async (token, connection) => {
      for (let n = connection; performance.now() < until; n += 1) {
        if (n % 50 === 0)
          await patiently(
            `${url}/v1/memories/search`,
            token,
            JSON.stringify({ workspaceId, query: 'ba ce' }),
          );
        else if (n % 10 === 0) await pull(`${url}/v1/sync/${workspaceId}/pull`, token);
        else {
          const page = 1 + ((n * 7) % (MEMORIES / 20));
          await patiently(`${url}/v1/memories/${workspaceId}?page=${page}`, token);
        }
        await sleep(20);
      }
    }),
  );
}

/** The first two pages of a first sync. */
async function pull(address: string, token: string): Promise<void> {
  const request = { pullVersion: 1, schemaVersion: '1', profileID: 'bench', clientGroupID: `group-${token}` };
  const first: { cookie: unknown } = JSON.parse(
    await patiently(address, token, JSON.stringify({ ...request, cookie: null })),
  );
  await patiently(address, token, JSON.stringify({ ...request, cookie: first.cookie }));
}

/** The bytes of all processes; what each of them has is printed. */
function processesOf(server: ServerProcess): number {
  const database = Number(
    readFileSync(path.join(server.dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0],
  );
  const processes = memoryOf([server.pid, database]);
  for (const { name, pss, own } of processes.toSorted((a, b) => b.pss - a.pss))
    console.info(`${(pss / MEGABYTE).toFixed(1)} MB, ${(own / MEGABYTE).toFixed(1)} its own: ${name}`);
  return processes.reduce((sum, { pss }) => sum + pss, 0);
}

/** Prints what tables and indexes occupy. */
async function printTables({ dataDir }: ServerProcess): Promise<void> {
  const port = readFileSync(path.join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[3];
  const password = readFileSync(path.join(dataDir, 'postgres/password'), 'utf8').trim();
  const client = new Client({ connectionString: `postgres://loci:${password}@127.0.0.1:${port}/loci` });
  await client.connect();
  const { rows } = await client.query(`
    select c.relname as name, c.reltuples::bigint as rows, pg_table_size(c.oid) as "table", pg_indexes_size(c.oid) as indexes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public' order by pg_total_relation_size(c.oid) desc limit 8`);
  console.table(rows);
  await client.end();
  for (const part of ['base', 'pg_wal'])
    console.info(part, (folderBytes(path.join(dataDir, 'postgres/data', part)) / MEGABYTE).toFixed(1), 'MB');
}
