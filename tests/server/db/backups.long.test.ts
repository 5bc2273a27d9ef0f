/** Backups of an embedded database: the files beside it, a folder in use, and the copies before migrations. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backUp, backUpBeforeMigration, restore } from '#server/db/backups.ts';
import { DirectoryInUseError } from '#server/db/directory-lock.ts';
import { runningEmbeddedPostgres, type EmbeddedPostgres } from '#server/db/embedded-postgres.ts';
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
