/** Backups of an embedded database under load: whole, readable, and back in place. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backUp, restore } from '#server/db/backups.ts';
import type { EmbeddedPostgres } from '#server/db/embedded-postgres.ts';
import { migrate } from '#server/db/migrate.ts';
import { createEmbeddedRig, query, type EmbeddedRig } from '#tests/support/embedded-rig.ts';

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
});
