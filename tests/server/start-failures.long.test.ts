/** A start that cannot succeed ends with status 1 and one sentence that says what to do, never with a stack. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';

const MAIN = path.resolve(import.meta.dirname, '../../server/main.ts');

let folder: string;
let database: TestDatabase;
let older: TestDatabase;
const occupied = createServer();
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'loci-start-'));
  writeFileSync(path.join(folder, 'file'), '');
  database = await createTestDatabase();
  older = await createTestDatabase();
  await older.pool.query(
    `update "schema_migration" set "name" = '0002_content.sql' where "name" like '0002%'`,
  );
  occupied.listen(0, '127.0.0.1');
  await once(occupied, 'listening');
});
afterAll(async () => {
  occupied.close();
  await database.drop();
  await older.drop();
  rmSync(folder, { recursive: true });
});

async function start(env: Record<string, string>): Promise<{ status: unknown; stderr: string }> {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: folder, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { status, stderr };
}

it.each<[string, () => Record<string, string>, RegExp]>([
  [
    'the port is taken',
    () => ({ DATABASE_URL: database.url, PORT: portOf(occupied) }),
    /^Port \d+ is already in use; .*PORT/,
  ],
  [
    'the database is not there',
    // One that does not listen may be starting, so it is waited for.
    () => ({ DATABASE_URL: 'postgres://loci:secret@127.0.0.1:1/loci', LOCI_PATIENCE: '0.1' }),
    /^Loci cannot reach the database 127\.0\.0\.1:1\/loci \(.+\); check DATABASE_URL/,
  ],
  [
    'the database has no such name',
    () => ({ DATABASE_URL: Object.assign(new URL(database.url), { pathname: '/missing' }).href }),
    /^Loci cannot reach the database \S+\/missing \(database "missing" does not exist\)/,
  ],
  [
    'the database is from before the first release',
    () => ({ DATABASE_URL: older.url }),
    /^The database was made by a Loci from before its first release; export .* \(another DATA_DIR or DATABASE_URL\)\.\n$/,
  ],
  [
    'the data folder is a file',
    () => ({ DATA_DIR: path.join(folder, 'file') }),
    /^Loci cannot use \S+ .*it or a part of its path is a file/,
  ],
  [
    'the data folder is below a file',
    () => ({ DATA_DIR: path.join(folder, 'file', 'data') }),
    /^Loci cannot use \S+ .*it or a part of its path is a file/,
  ],
  [
    'the data folder cannot be made',
    () => ({ DATA_DIR: '/proc/loci' }),
    /^Loci cannot use \/proc\/loci .*DATA_DIR/,
  ],
])('when %s', async (_case, env, sentence) => {
  const { status, stderr } = await start(env());
  expect(stderr).toMatch(sentence);
  expect([status, stderr.trim().split('\n').length]).toEqual([1, 1]);
  expect(stderr).not.toContain('secret');
});

it('when production would send passwords unencrypted', async () => {
  const { status, stderr } = await start({ LOCI_ENV: 'production', APP_ORIGIN: 'http://loci.example' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('APP_ORIGIN: must begin with https://')]);
});

function portOf(server: typeof occupied): string {
  const address = server.address();
  return typeof address === 'object' && address !== null ? String(address.port) : '';
}
