/** Migrations against a real database: order, atomicity, and refusal of a history that is not ours. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { migrate } from '#server/db/migrate.ts';

describe('migrate', () => {
  let folder = '';
  let url = '';
  const admin = new Client({ connectionString: inject('postgresUrl') });
  beforeAll(() => admin.connect());
  afterAll(() => admin.end());

  beforeEach(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'loci-migrations-'));
    await admin.query('create database migrate_test');
    const address = new URL(inject('postgresUrl'));
    address.pathname = 'migrate_test';
    url = address.href;
  });

  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await admin.query('drop database migrate_test with (force)');
  });

  const write = (name: string, sql: string) => writeFileSync(path.join(folder, name), sql);

  async function tables(): Promise<string[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
    );
    await client.end();
    return rows.map(({ name }) => name);
  }

  it('applies files in order, each once', async () => {
    write('0001_first.sql', 'create table first (id int);');
    write('0002_second.sql', 'alter table first add column more int; create table second (id int);');
    expect(await migrate({ url, folder })).toEqual(['0001_first.sql', '0002_second.sql']);
    expect(await migrate({ url, folder })).toEqual([]);
    expect(await tables()).toEqual(['first', 'schema_migration', 'second']);
  });

  it('lets two processes migrate at the same time', async () => {
    write('0001_first.sql', 'create table first (id int); select pg_sleep(0.2);');
    const runs = await Promise.all([migrate({ url, folder }), migrate({ url, folder })]);
    expect(runs.flat()).toEqual(['0001_first.sql']);
  });

  it('leaves nothing of a file that fails, and names it', async () => {
    write('0001_first.sql', 'create table first (id int); select 1/0;');
    await expect(migrate({ url, folder })).rejects.toThrow(/0001_first.sql failed: division by zero/);
    expect(await tables()).toEqual(['schema_migration']);
  });

  it('refuses a database whose applied files were edited', async () => {
    write('0001_first.sql', 'create table first (id int);');
    await migrate({ url, folder });
    write('0001_first.sql', 'create table first (id bigint);');
    await expect(migrate({ url, folder })).rejects.toThrow(/edited \(0001_first.sql\)/);
  });

  it('refuses a database of a newer version', async () => {
    write('0001_first.sql', 'create table first (id int);');
    write('0002_second.sql', 'create table second (id int);');
    await migrate({ url, folder });
    rmSync(path.join(folder, '0002_second.sql'));
    await expect(migrate({ url, folder })).rejects.toThrow(/newer Loci \(0002_second.sql\)/);
  });

  it('refuses a database from before the first release, and says what to do', async () => {
    write('0002_content.sql', 'create table workspace (id int);');
    await migrate({ url, folder });
    await expect(migrate({ url })).rejects.toThrow(/before its first release; export its workspaces/);
    expect(await tables()).toEqual(['schema_migration', 'workspace']);
  });

  it('refuses a file that sorts before an applied one', async () => {
    write('0002_second.sql', 'create table second (id int);');
    await migrate({ url, folder });
    write('0001_first.sql', 'create table first (id int);');
    await expect(migrate({ url, folder })).rejects.toThrow(/0001_first.sql comes before 0002_second.sql/);
  });

  it('asks for a copy before it changes a database that has a schema, and only then', async () => {
    const asked: (readonly string[])[] = [];
    const beforeChange = async (pending: readonly string[]) => void asked.push(pending);
    write('0001_first.sql', 'create table first (id int);');
    await migrate({ url, folder, beforeChange });
    await migrate({ url, folder, beforeChange });
    expect(asked).toEqual([]);
    write('0002_second.sql', 'create table second (id int);');
    await migrate({ url, folder, beforeChange });
    expect(asked).toEqual([['0002_second.sql']]);
  });
});
