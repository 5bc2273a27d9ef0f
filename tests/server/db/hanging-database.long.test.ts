/**
 * A database that accepts connections and never answers, and open connections that stop answering: every request fails
 * with 503 while its client still waits, and the server recovers by itself.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { newId } from '#shared/ids.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { createDatabaseProxy, type DatabaseProxy } from '#tests/support/database-proxy.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { withPatience } from '#tests/support/patience.ts';
import { createWorld, type World } from '#tests/support/world.ts';

/** The limits of the server add up to less than five seconds, to which a busy machine adds; without them none would end. */
const LIMIT_MS = 15_000;
const RECOVERY_MS = 10_000;
const PULL = {
  pullVersion: 1,
  schemaVersion: '1',
  profileID: 'p',
  clientGroupID: 'hanging-group',
  cookie: null,
};

const PUSH = {
  pushVersion: 1,
  schemaVersion: '1',
  profileID: 'p',
  clientGroupID: 'hanging-group',
  mutations: [
    { clientID: 'c', id: 1, name: 'memory.create', args: { id: newId('memory'), title: 'x' }, timestamp: 0 },
  ],
};

withPatience(1);

let target: TestDatabase;
let proxy: DatabaseProxy;
let world: World;
let cast: Cast;
beforeAll(async () => {
  await ensureBuilt();
  target = await createTestDatabase();
  proxy = await createDatabaseProxy(target);
  world = await createWorld({ database: proxy.database, web: true, env: { LOG_LEVEL: 'silent' } });
  cast = await createCast(world);
});
afterAll(async () => {
  proxy.resume();
  await world.close();
  await proxy.close();
  await target.drop();
});

interface Timed {
  status: number;
  retryAfter: string | null;
  body: string;
  ms: number;
}

async function timed(path: string, init: RequestInit = {}): Promise<Timed> {
  const startedAt = performance.now();
  const response = await fetch(`${world.url}${path}`, init);
  const body = await response.text();
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter, body, ms: performance.now() - startedAt };
}

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { authorization: `Bearer ${cast.alice.token}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * Everything that the table of endpoints has, as a member would call it. By a person of its own: a refused call may still
 * be carried out when the database answers again, and one of them ends the session.
 */
function everyCall(): { name: string; auth: string; path: string; init: RequestInit }[] {
  const rows: readonly [string, AnyEndpoint][] = Object.entries(ENDPOINTS);
  return rows.map(([name, { method, path, auth, body }]) => ({
    name,
    auth,
    path: path.replace('{workspaceId}', cast.workspaceId).replace(/\{\w+\}/g, newId('memory')),
    init: {
      method,
      headers: { authorization: `Bearer ${cast.bob.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify({ workspaceId: cast.workspaceId }) }),
    },
  }));
}

/** What a server sends that is no call: pages of people, their files, the feeds, the state of the server. */
const FILES = [
  '/p/workspace-of-alice/space/x',
  '/p/workspace-of-alice/thread/x',
  '/explore',
  '/sitemap.xml',
  '/sitemap-public.xml',
  '/feed.xml',
  '/p/workspace-of-alice/feed.xml',
  '/_share/workspace-of-alice.png',
  '/og/p/workspace-of-alice.png',
  '/readyz',
  '/metrics',
  '/_outbox',
  '/v1/sync/poke',
];

/** Requests of every kind; more writes than the pools have connections. */
function requests(): [string, RequestInit?][] {
  const { workspaceId, alice } = cast;
  const headers = { authorization: `Bearer ${alice.token}` };
  return [
    [`/v1/memories/${workspaceId}`, { headers }],
    ...Array.from({ length: 30 }, (): [string, RequestInit] => [
      '/v1/memories',
      json({ workspaceId, title: 'x' }),
    ]),
    ['/v1/memories/search', json({ workspaceId, query: 'x' })],
    [`/v1/sync/${workspaceId}/pull`, json(PULL)],
    ...Array.from({ length: 6 }, (): [string, RequestInit] => [
      `/v1/sync/${alice.user.id}/pull`,
      json({ ...PULL, clientGroupID: newId('memory') }),
    ]),
    [`/v1/sync/${workspaceId}/push`, json(PUSH)],
    [`/v1/sync/${workspaceId}/check`, json({ schemaVersion: '1', clientGroupID: 'g', cookie: null })],
    ['/v1/auth/login', json({ email: 'alice@example.com', password: 'wrong password here' })],
  ];
}

async function expectRefusals(): Promise<void> {
  const answers = await Promise.all(
    requests().map(async ([path, init]) => ({ path, ...(await timed(path, init)) })),
  );
  for (const { path, status, retryAfter, body, ms } of answers) {
    expect([path, status, retryAfter !== null]).toEqual([path, 503, true]);
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: 'unavailable' } });
    expect({ path, isQuick: ms < LIMIT_MS }).toEqual({ path, isQuick: true });
  }
}

async function expectRecovery(): Promise<void> {
  const status = async () =>
    (await timed('/v1/memories', json({ workspaceId: cast.workspaceId, title: 'Back' }))).status;
  await expect.poll(status, { timeout: RECOVERY_MS, interval: 100 }).toBe(201);
}

it('a database that answers nothing costs each request no more than the limits of the server', async () => {
  proxy.pause();
  await expectRefusals();
  const [page, health] = await Promise.all([
    timed('/p/workspace-of-alice', { headers: { accept: 'text/html' } }),
    timed('/readyz'),
  ]);
  expect([page.status, page.retryAfter !== null]).toEqual([503, true]);
  expect(page.ms).toBeLessThan(LIMIT_MS);
  expect([health.status, health.ms < LIMIT_MS]).toEqual([503, true]);
  proxy.resume();
  await expectRecovery();
});

it('no call, page or file waits longer for it, and none takes it for a fault of the server', async () => {
  proxy.pause();
  const authorized = { headers: { authorization: `Bearer ${cast.alice.token}` } };
  const answers = await Promise.all([
    ...everyCall().map(async (call) => ({ ...call, ...(await timed(call.path, call.init)) })),
    ...FILES.map(async (path) => ({ name: path, auth: 'file', ...(await timed(path, authorized)) })),
  ]);
  proxy.resume();
  const slow = answers.filter(({ ms }) => ms >= LIMIT_MS).map(({ name, ms }) => [name, ms]);
  const wrong = answers
    .filter(({ status, auth, retryAfter }) =>
      // Who calls cannot be known; what is public may be malformed, or need no database.
      auth === 'public' || auth === 'file'
        ? status >= 500 && status !== 503
        : status !== 503 || retryAfter === null,
    )
    .map(({ name, status, body }) => [name, status, body.slice(0, 200)]);
  expect({ slow, wrong }).toEqual({ slow: [], wrong: [] });
  await expectRecovery();
});

it('a database that stops at the commit of one write leaves its outcome open, and the others in time', async () => {
  const { workspaceId } = cast;
  proxy.onCommit(() => {
    proxy.pause();
    return undefined;
  });
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => timed('/v1/memories', json({ workspaceId, title: 'Half' }))),
  );
  proxy.onCommit(() => undefined);
  proxy.resume();
  for (const { status, ms } of answers) expect([status, ms < LIMIT_MS]).toEqual([503, true]);
  expect(answers.filter(({ body }) => body.includes('may or may not be saved')).length).toBeGreaterThan(0);
  await expectRecovery();
});

it('a statement that is stopped where no limit of the server reaches it costs a request no more', async () => {
  const admin = target.db;
  await sql`create function "stall"() returns trigger language plpgsql as $$
    begin if new."title" = 'stall' then perform pg_sleep(20); end if; return new; end $$`.execute(admin);
  await sql`create trigger "stall" before insert on "memory" for each row execute function "stall"()`.execute(
    admin,
  );
  const asked = timed('/v1/memories', json({ workspaceId: cast.workspaceId, title: 'stall' }));
  const stalled = async () =>
    (
      await sql<{ pid: number }>`select "pid" from pg_stat_activity
        where "wait_event" = 'PgSleep' and "datname" = current_database()`.execute(admin)
    ).rows[0]?.pid;
  await expect.poll(stalled, { interval: 20 }).toBeGreaterThan(0);
  const pid = (await stalled()) ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    const { status, body, ms } = await asked;
    expect([status, ms < LIMIT_MS]).toEqual([503, true]);
    expect(body).toContain('may or may not be saved');
    // Its connection is given up, though the server still calls it at work.
    const { writeDb } = world.context;
    const pids = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as "pid"`.execute(writeDb)).rows[0]?.pid;
    expect(await pids()).not.toBe(pid);
  } finally {
    await sql`select pg_terminate_backend(${pid})`.execute(admin);
    process.kill(pid, 'SIGCONT');
  }
  await sql`drop trigger "stall" on "memory"`.execute(admin);
  await expectRecovery();
});

it('open connections that stop answering are replaced', async () => {
  await Promise.all(requests().map(([path, init]) => timed(path, init)));
  proxy.pause('open');
  await Promise.all(
    requests().map(async ([path, init]) => {
      const { status, ms } = await timed(path, init);
      expect([path, ms < LIMIT_MS, status < 500 || status === 503]).toEqual([path, true, true]);
    }),
  );
  await expectRecovery();
});

it('a statement that is slow but at work is left alone', async () => {
  const { rows } = await world.context.pool.query("select pg_sleep(4), 'done' as outcome");
  expect(rows).toEqual([{ pg_sleep: '', outcome: 'done' }]);
});
