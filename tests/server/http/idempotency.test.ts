/**
 * A request with an Idempotency-Key writes once, whatever fails between the write and its answer. The crash is played by
 * a trigger that keeps the server from noting anything after the commit, which is what a killed process leaves behind.
 */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createCast, type Cast } from '#tests/support/build.ts';
import { createWorld, type World } from '#tests/support/world.ts';
import { zipOf } from '#tests/support/zip.ts';

let world: World;
let second: World;
let cast: Cast;

beforeAll(async () => {
  world = await createWorld({ jobs: true, env: { LOG_LEVEL: 'silent' } });
  second = await createWorld({ database: world.database });
  cast = await createCast(world);
  await sql`
    create function "crash"() returns trigger language plpgsql as $$
    begin raise exception 'the process died here'; end $$`.execute(world.context.db);
});
afterEach(async () => {
  await sql`drop trigger if exists "crash" on "idempotency_key"`.execute(world.context.db);
});
afterAll(async () => {
  await second.close();
  await world.close();
});

/** From now on nothing is noted of a request but what its own writes note. */
async function dieAfterCommit(): Promise<void> {
  await sql`
    create trigger "crash" before update of "status", "claim" or delete on "idempotency_key"
    for each row execute function "crash"()`.execute(world.context.db);
}

async function recover(): Promise<void> {
  await sql`drop trigger "crash" on "idempotency_key"`.execute(world.context.db);
  for (const { clock } of [world, second]) clock.advance(61_000);
}

async function rowsOf(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as "count" from ${sql.table(table)} where "workspaceId" = ${cast.workspaceId}`.execute(
    world.context.db,
  );
  return rows[0]?.count ?? 0;
}

let keys = 0;
const nextKey = () => ({ 'idempotency-key': `key-${(keys += 1)}` });

it.each([
  ['memory', '/v1/memories', { title: 'Once' }],
  ['space', '/v1/spaces', { name: 'Once' }],
  ['thread', '/v1/threads', { name: 'Once', content: 'Said once' }],
])('a %s is made once when the process dies after the commit', async (table, path, fields) => {
  const body = { workspaceId: cast.workspaceId, ...fields };
  const headers = nextKey();
  const before = await rowsOf(table);
  await dieAfterCommit();
  expect((await cast.alice.raw('POST', path, { body, headers })).status).toBe(500);
  expect(await rowsOf(table)).toBe(before + 1);
  // Until it is certain that nobody works on the first one, a second is told to wait.
  expect((await cast.alice.raw('POST', path, { body, headers })).status).toBe(409);
  await recover();
  const other = { ...body, ...Object.fromEntries(Object.keys(fields).map((name) => [name, 'Different'])) };
  expect((await cast.alice.raw('POST', path, { body: other, headers })).status).toBe(422);
  const again = await cast.alice.raw('POST', path, { body, headers });
  expect(again.status).toBe(201);
  expect(await rowsOf(table)).toBe(before + 1);
  const { rows } = await sql<{ id: string }>`
    select "id" from ${sql.table(table)} where "workspaceId" = ${cast.workspaceId}
    order by "created" desc limit 1`.execute(world.context.db);
  expect(again.json?.result).toMatchObject({ id: rows[0]?.id });
  const third = await cast.alice.raw('POST', path, { body, headers });
  expect([third.text, third.headers.get('idempotent-replayed')]).toEqual([again.text, 'true']);
});

it('a failure past the write does not make the next attempt write again', async () => {
  const body = { workspaceId: cast.workspaceId, title: 'Unreadable for a moment' };
  const headers = nextKey();
  const before = await rowsOf('memory');
  await sql`
    create trigger "crash" before update of "status" on "idempotency_key"
    for each row execute function "crash"()`.execute(world.context.db);
  expect((await cast.bob.raw('POST', '/v1/memories', { body, headers })).status).toBe(500);
  await sql`drop trigger "crash" on "idempotency_key"`.execute(world.context.db);
  // No waiting: the failed attempt said that it had ended.
  expect((await cast.bob.raw('POST', '/v1/memories', { body, headers })).status).toBe(201);
  expect(await rowsOf('memory')).toBe(before + 1);
});

it('an attempt that was given up for dead and wakes up writes nothing', async () => {
  const body = { workspaceId: cast.workspaceId, title: 'Slow' };
  const headers = nextKey();
  const before = await rowsOf('memory');
  const slow = await world.context.db.transaction().execute(async (trx) => {
    // Whoever writes in the workspace waits for this lock.
    await sql`select 1 from "sync_realm" where "realmId" = ${cast.workspaceId} for update`.execute(trx);
    const first = cast.bob.raw('POST', '/v1/memories', { body, headers });
    const isHeld = async () => {
      const held = await sql`select 1 from "idempotency_key"
        where "key" = ${headers['idempotency-key']}`.execute(world.context.db);
      return held.rows.length;
    };
    await expect.poll(isHeld).toBe(1);
    // Another process takes the request over.
    await sql`update "idempotency_key" set "claim" = 'another' where "key" = ${headers['idempotency-key']}`.execute(
      world.context.db,
    );
    return { first };
  });
  expect((await slow.first).status).toBe(409);
  expect(await rowsOf('memory')).toBe(before);
});

it('an archive is taken once', async () => {
  const form = () => {
    const data = new FormData();
    data.append('payload', JSON.stringify({ workspaceId: cast.workspaceId, folders: 'tags' }));
    data.append('file', new Blob([zip]), 'notes.zip');
    return data;
  };
  const zip = new Uint8Array(await zipOf([{ path: 'a.md', bytes: '# A' }]));
  const headers = { ...nextKey(), authorization: `Bearer ${cast.bob.token}` };
  const send = () => fetch(`${world.url}/v1/imports`, { method: 'POST', body: form(), headers });
  await dieAfterCommit();
  expect((await send()).status).toBe(500);
  expect(await rowsOf('import_job')).toBe(1);
  await recover();
  expect((await send()).ok).toBe(true);
  expect(await rowsOf('import_job')).toBe(1);
});
