/**
 * The rows of a workspace can live together: in the catalogue, the keys of its tables begin with the workspace, and the
 * functions of the database name it. The statements of the product are looked at in every test file, by
 * tests/support/name-workspaces.ts; how they are read is tested here.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { findAcross, findAcrossInFunction } from '#tests/support/tenant-statements.ts';
import { ELSEWHERE, TENANT_COLUMNS } from '#server/db/placement.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Key {
  table: string;
  name: string;
  type: 'p' | 'u' | 'f';
  columns: string[];
  target: string | null;
  targetColumns: string[] | null;
}

/** Primary and foreign keys, and everything else that must be unique. */
async function keys(): Promise<Key[]> {
  const named = (table: string, list: string) => sql`array(
    select attname::text from unnest(${sql.raw(list)}) with ordinality as part("number", "place")
    join pg_attribute on attrelid = ${sql.raw(table)} and attnum = part."number" order by part."place")`;
  const { rows } = await sql<Key>`
    select source.relname as "table", constraints.conname as "name", constraints.contype as "type",
      ${named('constraints.conrelid', 'constraints.conkey')} as "columns",
      target.relname as "target", ${named('constraints.confrelid', 'constraints.confkey')} as "targetColumns"
    from pg_constraint constraints
    join pg_class source on source.oid = constraints.conrelid and source.relnamespace = 'public'::regnamespace
    left join pg_class target on target.oid = constraints.confrelid
    where constraints.contype in ('p', 'f')
    union all
    select source.relname, indexed.relname, 'u', ${named('indexes.indrelid', 'indexes.indkey::int2[]')}, null, null
    from pg_index indexes
    join pg_class indexed on indexed.oid = indexes.indexrelid
    join pg_class source on source.oid = indexes.indrelid and source.relnamespace = 'public'::regnamespace
    where indexes.indisunique and not indexes.indisprimary
    order by 1, 2`.execute(database.db);
  return rows;
}

/** Unique in the whole installation, so that they have no workspace first. */
const UNIQUE_EVERYWHERE = [
  // A device chooses the id, and one that is taken is answered with a conflict.
  ...'memory_id_key memory_alias_id_key message_id_key space_id_key thread_id_key'.split(' '),
  // The address of a workspace, and a secret that leads to one.
  ...'workspace_slug_key api_key_tokenHash_key'.split(' '),
];

/** References from tables that live elsewhere to rows of a workspace. */
const REFERENCES_FROM_ELSEWHERE = [
  // Both end with the membership in which a person gave the consent.
  ...'oauth_grant_workspaceId_userId_fkey oauth_token_workspaceId_userId_fkey'.split(' '),
  // Both end with the workspace.
  ...'notification_workspaceId_fkey oauth_client_workspaceId_fkey'.split(' '),
];

describe('the catalogue', () => {
  it('has no table of which it is not said where its rows live', async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as "name" from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(database.db);
    const known = [...Object.keys(TENANT_COLUMNS), ...Object.keys(ELSEWHERE)];
    expect(known.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });

  it('begins the primary key and all that is unique in a table of workspaces with the workspace', async () => {
    const wrong = (await keys()).filter(
      ({ table, type, columns }) =>
        type !== 'f' && table in TENANT_COLUMNS && columns[0] !== TENANT_COLUMNS[table],
    );
    expect(wrong.map(({ name }) => name).toSorted()).toEqual(UNIQUE_EVERYWHERE.toSorted());
    const primary = new Set((await keys()).flatMap(({ table, type }) => (type === 'p' ? [table] : [])));
    expect(Object.keys(TENANT_COLUMNS).filter((table) => !primary.has(table))).toEqual([]);
  });

  it('refers from one row of a workspace to another of the same workspace only', async () => {
    const wrong = (await keys()).filter(({ table, type, columns, target, targetColumns }) => {
      const targetColumn = TENANT_COLUMNS[target ?? ''];
      if (type !== 'f' || targetColumn === undefined) return false;
      return columns[0] !== TENANT_COLUMNS[table] || targetColumns?.[0] !== targetColumn;
    });
    expect(wrong.map(({ name }) => name).toSorted()).toEqual(REFERENCES_FROM_ELSEWHERE.toSorted());
  });

  it('names the workspace in its own functions', async () => {
    const { rows } = await sql<{ name: string; language: string; definition: string; body: string }>`
      select p.proname as "name", l.lanname as "language", pg_get_functiondef(p.oid) as "definition", p.prosrc as "body"
      from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace = 'public'::regnamespace and l.lanname in ('sql', 'plpgsql')`.execute(database.db);
    const across = rows.map(({ name, language, definition, body }) => [
      name,
      language === 'sql' ? findAcross(body) : findAcrossInFunction(definition),
    ]);
    expect(across.length).toBeGreaterThan(5);
    expect(across.filter(([, tables]) => tables?.length !== 0)).toEqual([]);
  });
});

describe('a statement', () => {
  it.each([
    ['a value', `select 1 from "memory" where "workspaceId" = $1 and "id" = $2`],
    ['a list of values', `select 1 from "memory" m where m."workspaceId" = any($1::text[])`],
    [
      'a row of values',
      `select 1 from "memory" where ("workspaceId", "id") in (select * from unnest($1::text[], $2::text[]))`,
    ],
    [
      'the workspace of another row',
      `select 1 from "space" s join "memory" m on m."workspaceId" = s."workspaceId" where s."workspaceId" = $1`,
    ],
    [
      'a shared column',
      `select 1 from "space" join "memory" using ("workspaceId") where "space"."workspaceId" = $1`,
    ],
    [
      'the row around it',
      `select 1 from "space" s where s."workspaceId" = $1
      and exists (select 1 from "memory" m where m."workspaceId" = s."workspaceId" and m."spaceId" = s."id")`,
    ],
    [
      'the column of an insert',
      `insert into "thread" ("workspaceId", "id") values ($1, $2) on conflict do nothing`,
    ],
    ['a realm', `delete from "sync_entry" where "realmId" = $1 and "key" = $2`],
    ['its own id', `update "workspace" set "name" = $2 where "id" = $1`],
    [
      'a part before',
      `with found as (select "id" from "memory" where "workspaceId" = $1) select * from found`,
    ],
  ])('names its workspace by %s', (_how, text) => {
    expect(findAcross(text)).toEqual([]);
  });

  it.each([
    ['an id alone', `select 1 from "memory" where "id" = $1`, ['memory']],
    ['one of two ways', `select 1 from "memory" where "workspaceId" = $1 or "id" = $2`, ['memory']],
    ['what must not be', `select 1 from "memory" where not "workspaceId" = $1`, ['memory']],
    [
      'each other only',
      `select 1 from "space" s join "memory" m on m."workspaceId" = s."workspaceId"`,
      ['memory', 'space'],
    ],
    [
      'one of two tables',
      `select 1 from "space" s join "memory" m on m."spaceId" = s."id" where s."workspaceId" = $1`,
      ['memory'],
    ],
    [
      'one side of a union',
      `select "id" from "space" where "workspaceId" = $1 union all select "id" from "thread"`,
      ['thread'],
    ],
    [
      'nothing inside',
      `select 1 from "space" where "workspaceId" = $1 and exists (select 1 from "memory")`,
      ['memory'],
    ],
    ['other columns of an insert', `insert into "memory_alias" ("id") values ($1)`, ['memory_alias']],
    ['an inequality', `update "memory" set "archived" = true where "workspaceId" <> $1`, ['memory']],
    [
      'a part before',
      `with gone as (delete from "message" where "id" = $1 returning "id") select * from gone`,
      ['message'],
    ],
  ])('does not name it by %s', (_how, text, tables) => {
    expect(findAcross(text)).toEqual(tables);
  });

  it('is looked at inside of functions', () => {
    const body = (condition: string) => `create function f() returns trigger language plpgsql as $f$
      begin
        if exists (select 1 from "space" where "workspaceId" = new."workspaceId" and ${condition}) then
          delete from "memory" where ${condition};
        end if;
        return new;
      end $f$`;
    expect(findAcrossInFunction(body(`"workspaceId" = new."workspaceId"`))).toEqual([]);
    expect(findAcrossInFunction(body(`"id" = new."id"`))).toEqual(['memory']);
  });
});
