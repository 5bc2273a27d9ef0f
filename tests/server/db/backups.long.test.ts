/** Backups of an embedded database: taken under load, the files beside it, a folder in use, the copies before migrations. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backUp, backUpBeforeMigration, restore } from '#server/db/backups.ts';
import { DirectoryInUseError } from '#server/db/directory-lock.ts';
import { runningEmbeddedPostgres, type EmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { createEmbeddedRig, query, type EmbeddedRig } from '#tests/support/embedded-rig.ts';
import { withPatience } from '#tests/support/patience.ts';

const quiet = () => undefined;

let rig: EmbeddedRig;
let dataDir: string;
let database: EmbeddedPostgres;
beforeEach(async () => {
  rig = createEmbeddedRig();
  ({ dataDir } = rig);
  database = await rig.start();
});
afterEach(() => rig.clear());

const run = (statement: string) => query(database.url, statement);

describe('a backup', () => {
  it('taken while rows are written holds all rows committed before it, and restores to a sound database', async () => {
    await run('create table note (id int primary key, body text)');
    await run(`insert into note select n, repeat('x', 500) from generate_series(1, 20000) n`);
    let writing = true;
    const writer = (async () => {
      for (let id = 20_001; writing; id += 1) await run(`insert into note values (${id}, repeat('y', 500))`);
    })();
    const folder = await backUp(dataDir, database, { reason: 'test' });
    writing = false;
    await writer;
    await rig.stop(database);

    const { manifest, previous } = await restore({ dataDir, log: quiet }, folder);
    expect(manifest).toMatchObject({ reason: 'test', serverVersion: expect.stringMatching(/^18/) });
    expect(previous === undefined ? false : existsSync(previous)).toBe(true);
    database = await rig.start();
    expect(await run('select count(*)::int as rows from note where id <= 20000')).toEqual([{ rows: 20_000 }]);
    await run('create extension amcheck');
    expect(await run(`select bt_index_check('note_pkey', true) is not null as checked`)).toEqual([
      { checked: true },
    ]);
  });

  it('restored by the command makes every replica start anew, before the first pull', async () => {
    await migrate({ url: database.url });
    await run(`insert into sync_realm ("realmId", "version", "epoch") values ('ws_1', 7, 'before')`);
    const folder = await backUp(dataDir, database, { reason: '' });
    await run(`update sync_realm set "version" = 9`);
    await rig.stop(database);
    const program = path.resolve(import.meta.dirname, '../../../server/backup.ts');
    const { PATH, HOME, TMPDIR } = process.env;
    const child = spawn(process.execPath, [program, 'restore', folder], {
      env: { PATH, HOME, TMPDIR, DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    database = await rig.start();
    const [realm] = await run(`select "version", "epoch" from sync_realm where "realmId" = 'ws_1'`);
    expect(realm).toMatchObject({ version: '7', epoch: expect.not.stringMatching('before') });
  });

  it('brings back the files of its moment and keeps the newer state aside', async () => {
    const file = path.join(dataDir, 'files', 'ab', 'picture.png');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, 'first');
    await run(`create table setting as select 'first' as value`);
    const folder = await backUp(dataDir, database, { reason: '' });
    writeFileSync(file, 'second');
    await run(`update setting set value = 'second'`);
    await rig.stop(database);

    await restore({ dataDir, log: quiet }, folder);
    database = await rig.start();
    expect(readFileSync(file, 'utf8')).toBe('first');
    expect(await run('select value from setting')).toEqual([{ value: 'first' }]);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('files.'))).toHaveLength(1);
  });

  describe('of a data folder in use', () => {
    withPatience(1);

    it('is not restored under a running server, nor from a folder that is not whole', async () => {
      expect(runningEmbeddedPostgres(dataDir, quiet)?.url).toBe(database.url);
      const folder = await backUp(dataDir, database, { reason: '' });
      await expect(restore({ dataDir, log: quiet }, folder)).rejects.toThrow(DirectoryInUseError);
      rmSync(path.join(folder, 'backup.json'));
      await expect(restore({ dataDir, log: quiet }, folder)).rejects.toThrow(/not a whole backup/);
      expect(await run('select 1 as one')).toEqual([{ one: 1 }]);
    });
  });

  it('before migrations keeps the last five', async () => {
    const folder = path.join(dataDir, 'backups');
    const earlier = [1, 2, 3, 4, 5].map((day) => `2026-01-0${day}T12-00-00-000-before-migration`);
    for (const name of [...earlier, '2025-12-31T12-00-00-000'])
      mkdirSync(path.join(folder, name), { recursive: true });
    const added = path.basename(await backUpBeforeMigration(dataDir, database));
    expect(readdirSync(folder).toSorted()).toEqual(['2025-12-31T12-00-00-000', ...earlier.slice(1), added]);
  });
});
