/** Event streams of one person: so many over all sessions, the oldest gives way, and nothing is left of readers that have gone. */
import { connect } from 'node:net';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { STREAMS_PER_PERSON } from '#shared/sync/limits.ts';
import { createApi, TEST_PASSWORD, type Agent } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const SESSIONS = 8;

const world = await openWorld();
const cast = await createCast(world);

/** An open stream, and whether the server has ended it. */
interface Stream {
  readonly isOpen: boolean;
  ended: Promise<void>;
  close(): void;
}

async function open(path: string, token: string): Promise<Stream> {
  const abort = new AbortController();
  const response = await fetch(`${world.url}${path}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  });
  expect(response.status).toBe(200);
  let isOpen = true;
  const ended = (async () => {
    try {
      for await (const chunk of response.body ?? []) void chunk;
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    }
    isOpen = false;
  })();
  return {
    get isOpen() {
      return isOpen;
    },
    ended,
    close: () => abort.abort(),
  };
}

async function sessionsOf({ user, token }: Agent, count: number): Promise<string[]> {
  const tokens = [token];
  while (tokens.length < count) {
    const { result } = await createApi(world)('auth.login', {
      body: { email: user.email, password: TEST_PASSWORD },
    });
    tokens.push(result.token);
  }
  return tokens;
}

it('more than a person may have, over all sessions, close the oldest and no other', async () => {
  const { alice, bob, workspaceId } = cast;
  const { id } = await createBuild(cast).thread();
  const poke = '/v1/sync/poke';
  const paths = [poke, `/v1/threads/${workspaceId}/${id}/follow`];
  const others = await open(poke, bob.token);
  const tokens = await sessionsOf(alice, SESSIONS);
  const streams: Stream[] = [];
  const openNext = async () => {
    const index = streams.length;
    streams.push(await open(paths[index % 2] ?? poke, tokens[index % SESSIONS] ?? ''));
  };
  while (streams.length < STREAMS_PER_PERSON) await openNext();
  expect(streams.every(({ isOpen }) => isOpen)).toBe(true);
  for (let more = 1; more <= 5; more += 1) {
    await openNext();
    await streams[more - 1]?.ended;
    expect(streams.map(({ isOpen }) => isOpen)).toEqual(streams.map((_, index) => index >= more));
  }
  expect(others.isOpen).toBe(true);

  // A place that was left is free.
  streams.at(-1)?.close();
  await streams.at(-1)?.ended;
  await expect.poll(() => world.context.metrics.streams.size).toBeLessThan(STREAMS_PER_PERSON / 2 + 1);
  await openNext();
  expect(streams[5]?.isOpen).toBe(true);
  for (const stream of [...streams, others]) stream.close();
  await Promise.all([...streams, others].map(({ ended }) => ended));
  await expect.poll(() => world.context.metrics.streams.size).toBe(0);
});

/** Asks while the server cannot look anything up, and hangs up before it can. */
async function askAndLeave(paths: readonly string[], token: string): Promise<void> {
  const { hostname, port } = new URL(world.url);
  const { db } = world.database;
  await db.transaction().execute(async (trx) => {
    await sql`lock table "session", "thread" in access exclusive mode`.execute(trx);
    const before = await waiters();
    const sockets = paths.map((path) => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      return socket;
    });
    await expect.poll(async () => (await waiters()) - before, { interval: 20 }).toBe(paths.length);
    for (const socket of sockets) socket.destroy();
    // The server has seen them go when it answers a request that came after.
    await fetch(`${world.url}/healthz`);
  });
}

/** Statements that wait for a lock. */
async function waiters(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as "count" from pg_stat_activity
    where "datname" = current_database() and "wait_event_type" = 'Lock'`.execute(world.database.db);
  return Number(rows[0]?.count);
}

it('readers that leave before they were let in leave nothing behind', async () => {
  const { alice, workspaceId } = cast;
  const { id } = await createBuild(cast).thread({ visibility: 'public' });
  const follow = `/v1/public/threads/${workspaceId}/${id}/follow`;
  const { streams } = world.context.metrics;
  const opened = vi.spyOn(streams, 'add');
  await askAndLeave(['/v1/sync/poke', '/v1/sync/poke', follow, follow, follow], alice.token);
  const last = await open('/v1/sync/poke', alice.token);
  await expect.poll(() => streams.size).toBe(1);
  expect(opened).toHaveBeenCalledTimes(1);
  last.close();
  await expect.poll(() => streams.size).toBe(0);
  // An address has three seats, and all are free.
  const readers = await Promise.all([1, 2, 3].map(() => open(follow, '')));
  for (const reader of readers) reader.close();
});
