/** What the pools promise: value shapes, time limits, and survival of lost connections. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planOnce } from '#server/db/prepared-statements.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { withPatience } from '#tests/support/patience.ts';

describe('a database connection', () => {
  withPatience(1);
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('gives instants as ISO strings in UTC with milliseconds, days as strings and int8 as numbers', async () => {
    const { rows } = await sql`
      select timestamptz '2026-07-01 14:00:00.123456+02' as precise, timestamptz '2026-07-01 12:00:00Z' as plain,
             timestamptz '2026-07-01 12:00:00.5Z' as half, date '2026-07-01' as day, 9007199254740991::int8 as big,
             array[1, 2]::int8[] as numbers, array[timestamptz '2026-07-01 12:00:00Z', null] as instants`.execute(
      database.db,
    );
    expect(rows[0]).toEqual({
      precise: '2026-07-01T12:00:00.123Z',
      plain: '2026-07-01T12:00:00.000Z',
      half: '2026-07-01T12:00:00.500Z',
      day: '2026-07-01',
      big: 9007199254740991,
      numbers: [1, 2],
      instants: ['2026-07-01T12:00:00.000Z', null],
    });
  });

  it('fails on an int8 that a number cannot hold', async () => {
    await expect(sql`select 9007199254740993::int8 as n`.execute(database.db)).rejects.toThrow(RangeError);
  });

  it('carries the time limits of the server', async () => {
    const limits = async (db: TestDatabase['db']) =>
      (
        await sql<Record<string, string>>`
          select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
                 current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone`.execute(
          db,
        )
      ).rows[0];
    expect(await limits(database.db)).toEqual({ statement: '10s', lock: '4s', idle: '15s', zone: 'UTC' });
    expect(await limits(database.pullDb)).toEqual({ statement: '5s', lock: '4s', idle: '15s', zone: 'UTC' });
  });

  it('reads on when a migration has changed what a planned statement returns', async () => {
    const { db } = database;
    await sql`create table "planned" ("id" int)`.execute(db);
    const read = async (id: number) =>
      (await sql`select * from "planned" where "id" <> ${id} ${planOnce}`.execute(db)).rows;
    await sql`insert into "planned" values (1)`.execute(db);
    for (let count = 0; count < 20; count += 1) expect(await read(0)).toEqual([{ id: 1 }]);
    await sql`alter table "planned" add column "more" int default 2`.execute(db);
    expect(await read(0)).toEqual([{ id: 1, more: 2 }]);
    await sql`drop table "planned"`.execute(db);
  });

  it('works again after the server ended every connection', async () => {
    const other = await createTestDatabase();
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`.execute(other.db)));
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${new URL(other.url).pathname.slice(1)}`.execute(
      database.db,
    );
    // Each connection notices its end by itself.
    await expect.poll(() => other.pool.totalCount).toBe(0);
    expect((await sql<{ one: number }>`select 1 as one`.execute(other.db)).rows).toEqual([{ one: 1 }]);
    await other.drop();
  });
});
