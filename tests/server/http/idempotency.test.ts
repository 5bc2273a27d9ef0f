/**
 * A request with an Idempotency-Key writes once, whatever fails between the write and its answer. The crash is played by
 * a trigger that refuses the stored answer after the commit, which is what a killed process leaves behind.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createRaw } from '#tests/support/agent.ts';
import { createCast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';
import { zipOf } from '#tests/support/zip.ts';

const world = await openWorld({ jobs: true, env: { LOG_LEVEL: 'silent' } });
const second = await openWorld({ database: world.database });
const cast = await createCast(world);
await sql`
  create function "crash"() returns trigger language plpgsql as $$
  begin raise exception 'the process died here'; end $$`.execute(world.context.db);
afterEach(async () => {
  await sql`drop trigger if exists "crash" on "idempotency_key"`.execute(world.context.db);
});
afterAll(async () => {
  await second.close();
});

/** From now on nothing is stored of a request but what its own writes store. */
async function dieAfterCommit(): Promise<void> {
  await sql`
    create trigger "crash" before insert or update on "idempotency_key"
    for each row when (new."status" is not null) execute function "crash"()`.execute(world.context.db);
}

async function recover(): Promise<void> {
  await sql`drop trigger "crash" on "idempotency_key"`.execute(world.context.db);
}

async function rowsOf(table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as "count" from ${sql.table(table)} where "workspaceId" = ${cast.workspaceId}`.execute(
    world.context.db,
  );
  return rows[0]?.count ?? 0;
}

/** Connections that wait for a row lock, as the database sees them. */
async function waitingWriters(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as "count" from pg_stat_activity
    where "wait_event_type" = 'Lock' and "datname" = current_database()`.execute(world.context.db);
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

it('the same request sent twice at once writes once, and both get the same answer', async () => {
  const body = { workspaceId: cast.workspaceId, title: 'Sent twice' };
  const headers = nextKey();
  const before = await rowsOf('memory');
  const onSecond = createRaw(second, cast.bob.token);
  const both = await world.context.db.transaction().execute(async (trx) => {
    // Every writer of the workspace waits for this lock, so both have begun before either writes.
    await sql`select 1 from "sync_realm" where "realmId" = ${cast.workspaceId} for update`.execute(trx);
    const sent = [
      cast.bob.raw('POST', '/v1/memories', { body, headers }),
      onSecond('POST', '/v1/memories', { body, headers }),
    ];
    await expect.poll(() => waitingWriters()).toBe(2);
    return { sent };
  });
  const [one, two] = await Promise.all(both.sent);
  expect([one?.status, two?.status]).toEqual([201, 201]);
  expect(two?.json?.result).toEqual(one?.json?.result);
  expect(await rowsOf('memory')).toBe(before + 1);
});

it('a new workspace, which has no lock to wait for, is made once by two requests at once', async () => {
  const body = { name: 'Made once', slug: 'made-once' };
  const headers = nextKey();
  const onSecond = createRaw(second, cast.bob.token);
  const send = () => [
    cast.bob.raw('POST', '/v1/workspaces', { body, headers }),
    onSecond('POST', '/v1/workspaces', { body, headers }),
  ];
  const answers = await Promise.all(send());
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[1]?.json?.result).toEqual(answers[0]?.json?.result);
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

describe('a call without a credential', () => {
  const anyone = () => createRaw(world);
  const uuid = () => ({ 'idempotency-key': crypto.randomUUID() });

  it('is made once, and its answer with the token is stored unreadably', async () => {
    const headers = uuid();
    const body = { email: 'once@example.com', password: 'a quiet harbour at dawn' };
    const first = await anyone()('POST', '/v1/auth/signup', { body, headers });
    const again = await anyone()('POST', '/v1/auth/signup', { body, headers });
    expect([first.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.json?.result).toEqual(first.json?.result);
    const { token } = Object(first.json?.result);
    const stored = JSON.stringify(await world.context.db.selectFrom('idempotency_key').selectAll().execute());
    for (const secret of [token, headers['idempotency-key'], 'harbour']) {
      expect(stored).not.toContain(secret);
    }
  });

  it('with the key of another request gets 422, and with a short one 400', async () => {
    const headers = uuid();
    const send = (email: string, given: Record<string, string>) =>
      anyone()('POST', '/v1/auth/forgot-password', { body: { email }, headers: given });
    expect((await send('one@example.com', headers)).status).toBe(202);
    expect((await send('two@example.com', headers)).status).toBe(422);
    const { status, json } = await send('two@example.com', { 'idempotency-key': 'short' });
    expect([status, json?.error?.detail]).toEqual([400, expect.stringMatching(/^Idempotency-Key: /)]);
  });
});

it('a password given again is not stored so that it could be guessed from the table', async () => {
  const headers = nextKey();
  const body = { password: 'a quiet harbour at dawn' };
  expect((await cast.alice.raw('POST', '/v1/auth/confirm', { body, headers })).status).toBe(200);
  const plain = createHash('sha256')
    .update(JSON.stringify([{}, {}, body]))
    .digest('base64url');
  const { rows } = await sql<{ requestHash: string }>`
    select "requestHash" from "idempotency_key" where "key" = ${headers['idempotency-key']}`.execute(
    world.context.db,
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.requestHash).not.toBe(plain);
});

it('a key that was made before the process died is returned with its own secret', async () => {
  const body = { workspaceId: cast.workspaceId, name: 'After a crash', scopes: ['profile', 'email'] };
  const headers = nextKey();
  await dieAfterCommit();
  expect((await cast.alice.raw('POST', '/v1/api_keys', { body, headers })).status).toBe(500);
  await recover();
  const again = await cast.alice.raw('POST', '/v1/api_keys', { body, headers });
  const { secret } = Object(again.json?.result);
  expect((await createRaw(world, secret)('GET', '/v1/auth/whoami')).status).toBe(200);
  const stored = JSON.stringify(await world.context.db.selectFrom('idempotency_key').selectAll().execute());
  expect(stored).not.toContain(secret);
});
