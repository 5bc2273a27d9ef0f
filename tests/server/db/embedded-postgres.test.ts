/** A new embedded database on its own folder, apart from the cluster that tests share. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedRig, query, type EmbeddedRig } from '#tests/support/embedded-rig.ts';

let rig: EmbeddedRig;
beforeEach(() => {
  rig = createEmbeddedRig();
});
afterEach(() => rig.clear());

describe('a new embedded database', () => {
  it('is PostgreSQL 18 with checksums, UTF-8, a builtin collation, real fsync and password login on loopback', async () => {
    const database = await rig.start(true);
    const [settings] = await query(
      database.url,
      `select current_setting('server_version_num')::int / 10000 as major, current_setting('data_checksums') as checksums,
              current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
              current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as listens,
              current_setting('password_encryption') as passwords, datlocprovider as provider, datlocale as locale
       from pg_database where datname = current_database()`,
    );
    expect(settings).toEqual({
      major: 18,
      checksums: 'on',
      encoding: 'UTF8',
      fsync: 'on',
      commit: 'on',
      listens: '127.0.0.1',
      passwords: 'scram-sha-256',
      provider: 'b',
      locale: 'C.UTF-8',
    });
    const password = path.join(database.home, 'postgres', 'password');
    expect(statSync(password).mode & 0o777).toBe(0o600);
    const wrong = new URL(database.url);
    wrong.password = 'guess';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    // What search needs.
    const extensions = await query(
      database.url,
      `select name from pg_available_extensions where name in ('pg_trgm', 'unaccent')`,
    );
    expect(extensions).toHaveLength(2);
    // A log that is small beside a small database, and no page that a crash could tear.
    const sizes = await query(
      database.url,
      `select name, pg_size_bytes(current_setting(name)) / 1048576 as mb from pg_settings
       where name in ('max_wal_size', 'min_wal_size', 'wal_segment_size') order by name`,
    );
    expect(sizes.map(({ name, mb }) => [name, Number(mb)])).toEqual([
      ['max_wal_size', 32],
      ['min_wal_size', 32],
      ['wal_segment_size', 4],
    ]);
    expect(await query(database.url, 'show full_page_writes')).toEqual([{ full_page_writes: 'on' }]);
  });
});
