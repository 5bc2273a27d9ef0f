/** Kill -9 in the middle of writing, again and again: every acknowledged row must be there afterwards. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { endDatabase } from '#tests/support/server-process.ts';

const LOAD = path.resolve(import.meta.dirname, '../../support/write-load.ts');

/** Lines that the load has written before it is killed, its first one included. */
const MIN_ACKNOWLEDGED = 20;

let dataDir = '';

beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'loci-crash-'));
  chmodSync(dataDir, 0o711);
});

afterEach(async () => {
  await endDatabase(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs the load for a while, kills it (and the database server too), and returns the acknowledged numbers. */
async function crash(first: number, withDatabase: boolean): Promise<number[]> {
  const child = spawn(process.execPath, [LOAD, dataDir, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  while (!output.includes('ready')) {
    if (child.exitCode !== null) throw new Error('the load did not start');
    await sleep(20);
  }
  // In the middle of writing, whenever that is on this machine: some rows are acknowledged, and more are under way.
  while (output.split('\n').length < MIN_ACKNOWLEDGED) {
    if (child.exitCode !== null) throw new Error('the load ended by itself');
    await sleep(5);
  }
  await sleep(Math.random() * 250);
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  if (withDatabase) {
    const pid = readFileSync(path.join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0];
    process.kill(Number(pid), 'SIGKILL');
  }
  await ended;
  // The last line may have been cut by the kill; only whole lines are acknowledgements that we saw.
  return output.split('\n').slice(1, -1).map(Number);
}

it('loses no acknowledged row, whether the app alone dies or the database server with it', async () => {
  const acknowledged: number[] = [];
  for (const [round, withDatabase] of [false, true, true, false, true].entries()) {
    const seen = await crash(round * 1_000_000, withDatabase);
    expect(seen.length).toBeGreaterThan(10);
    acknowledged.push(...seen);
  }
  const database = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ n: string }>('select n from crash_row');
  const { rows: sound } = await client.query<{ failures: number }>(
    'select coalesce(sum(checksum_failures), 0)::int as failures from pg_stat_database',
  );
  await client.end();
  await database.close();
  const stored = new Set(rows.map(({ n }) => Number(n)));
  expect(acknowledged.filter((n) => !stored.has(n))).toEqual([]);
  expect(sound).toEqual([{ failures: 0 }]);
}, 120_000);
