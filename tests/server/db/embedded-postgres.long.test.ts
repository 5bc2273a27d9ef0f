/** What can happen to the embedded database: stops, kills, second processes, and a pid file left behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DirectoryInUseError } from '#server/db/directory-lock.ts';
import { createEmbeddedRig, postmasterPid, query, type EmbeddedRig } from '#tests/support/embedded-rig.ts';
import { withPatience } from '#tests/support/patience.ts';

let rig: EmbeddedRig;
beforeEach(() => {
  rig = createEmbeddedRig();
});
afterEach(() => rig.clear());

it('a program that ends without closing its database takes it along', async () => {
  const code = `const { startEmbeddedPostgres } = await import('#server/db/embedded-postgres.ts');
    const database = await startEmbeddedPostgres({ dataDir: process.argv[1], log() {}, durable: false });
    console.log(database.dataFolder);
    process.exit(1);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code, rig.dataDir]);
  const [dataFolder] = (await once(child.stdout, 'data')) as [Buffer];
  const [status] = (await once(child, 'exit')) as [number];
  expect(status).toBe(1);
  const pidFile = path.join(dataFolder.toString().trim(), 'postmaster.pid');
  await expect.poll(() => existsSync(pidFile)).toBe(false);
});

it('a pid file that now names another program does not stop the start', async () => {
  const first = await rig.start();
  await rig.stop(first);
  writeFileSync(
    path.join(first.dataFolder, 'postmaster.pid'),
    `${process.pid}\n${first.dataFolder}\n1\n5432\n\n\n`,
  );
  const second = await rig.start();
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

it('keeps its data over a clean stop, which leaves no process behind', async () => {
  const first = await rig.start();
  await query(first.url, 'create table kept as select 42 as n');
  const pid = postmasterPid(first);
  await rig.stop(first);
  expect(existsSync(path.join(first.dataFolder, 'postmaster.pid'))).toBe(false);
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  const second = await rig.start();
  expect(second.adopted).toBe(false);
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 42 }]);
});

describe('a second process on the same data folder', () => {
  withPatience(1);

  it('is refused with words that say what to do, and the first one goes on', async () => {
    const first = await rig.start();
    const refused: unknown = await rig.open().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DirectoryInUseError);
    expect(String(refused)).toMatch(/already running on .*DATA_DIR/);
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('after a kill', () => {
  it('of the database server alone, it comes back on the same port with every row', async () => {
    const database = await rig.start(true);
    await query(database.url, 'create table kept as select 1 as n');
    process.kill(postmasterPid(database), 'SIGKILL');
    const deadline = performance.now() + 20_000;
    let rows: unknown;
    while (rows === undefined && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      rows = await query(database.url, 'select n from kept').catch(() => undefined);
    }
    expect(rows).toEqual([{ n: 1 }]);
    expect(rig.lines.join('\n')).toContain('went away');
  });
});
