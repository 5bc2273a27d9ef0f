/**
 * Kill -9 in the middle of writing, again and again, and then the question which acknowledged rows are not there. Counts
 * rows of a table of its own; knows nothing of the product but how its embedded database is started.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';

const LOAD = path.resolve(import.meta.dirname, 'write-load.ts');

/** Lines that the load has written before it is killed, its first one included. */
const MIN_ACKNOWLEDGED = 20;

/** What is left after the crashes. */
export interface CrashOutcome {
  /** Rows whose commit was acknowledged, by round. */
  acknowledged: number[];
  /** Acknowledged numbers that the database does not have. */
  lost: number[];
  /** Damaged pages that the database found. */
  checksumFailures: number;
}

/**
 * Crashes the load once a round on the same data folder; true for a round kills the database server with it.
 * @throws when the load does not start, or ends by itself
 */
export async function crashRounds(dataDir: string, rounds: readonly boolean[]): Promise<CrashOutcome> {
  const seen: number[][] = [];
  for (const [round, withDatabase] of rounds.entries()) {
    seen.push(await crash(dataDir, round * 1_000_000, withDatabase));
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
  return {
    acknowledged: seen.map(({ length }) => length),
    lost: seen.flat().filter((n) => !stored.has(n)),
    checksumFailures: sound[0]?.failures ?? Number.NaN,
  };
}

/** Runs the load for a while, kills it (and the database server too), and returns the acknowledged numbers. */
async function crash(dataDir: string, first: number, withDatabase: boolean): Promise<number[]> {
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
