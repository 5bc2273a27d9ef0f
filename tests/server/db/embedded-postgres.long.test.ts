/** Ends of the program around the embedded database that are rare: without a stop, and with a pid file left behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEmbeddedRig, query, type EmbeddedRig } from '#tests/support/embedded-rig.ts';

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
