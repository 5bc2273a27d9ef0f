/**
 * A program for crash tests: opens the embedded database of the folder it is given and inserts rows from four
 * connections as fast as it can. It prints the number of a row only after its commit was acknowledged.
 */
import { Pool } from 'pg';
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts';

const WRITERS = 4;

const [dataDir = '', first = '0'] = process.argv.slice(2);
const database = await startEmbeddedPostgres({ dataDir, log: () => undefined });
const pool = new Pool({ connectionString: database.url, max: WRITERS });
// When the test kills the database too, idle connections break; the inserts report that themselves.
pool.on('error', () => undefined);
await pool.query('create table if not exists crash_row (n bigint primary key)');
process.stdout.write('ready\n');

let next = Number(first);
async function write(): Promise<void> {
  for (;;) {
    const n = (next += 1);
    await pool.query('insert into crash_row values ($1)', [n]);
    process.stdout.write(`${n}\n`);
  }
}
await Promise.race(Array.from({ length: WRITERS }, write));
