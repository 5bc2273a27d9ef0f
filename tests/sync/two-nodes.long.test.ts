/**
 * Two server processes on one database: a push on one reaches streams on the other, also when the first is killed
 * between its commit and the announcement, and when its LISTEN connection was cut. A stream of a thread on one node
 * delivers what is written on the other.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import { newId } from '#shared/ids.ts';
import { signUp, verifyAddress, type Agent } from '#tests/support/agent.ts';
import { startApiProcess, type ApiProcess } from '#tests/support/api-process.ts';
import { openEventStream } from '#tests/support/event-stream.ts';
import { followPokes } from '#tests/support/poke-stream.ts';
import { createWorld, type World } from '#tests/support/world.ts';

let world: World;
let node: ApiProcess;
let agent: Agent;
let workspaceId: string;
beforeAll(async () => {
  // The sweep of versions runs only when a test starts it: a poke without it was announced.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  world = await createWorld();
  agent = await signUp(world, 'alice');
  await verifyAddress(world, agent);
  const { result } = await agent.api('workspace.create', { body: { name: 'Acme' } });
  workspaceId = result.id;
  // The world's clock stands elsewhere than the process's; the session must be valid for both.
  const far = '2099-01-01T00:00:00.000Z';
  await world.context.db.updateTable('session').set({ expiresAt: far, endsAt: far }).execute();
  node = await startApiProcess(world.database.url);
});
afterAll(async () => {
  await node.kill();
  await world.close();
  vi.useRealTimers();
});

let pushes = 0;
async function pushTo(url: string): Promise<number> {
  pushes += 1;
  const args = { id: newId('memory'), at: new Date().toISOString(), origin: 'api', title: `note ${pushes}` };
  const response = await fetch(`${url}/v1/sync/${workspaceId}/push`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      pushVersion: 1,
      schemaVersion: SYNC.schemaVersion,
      profileID: 'p',
      clientGroupID: 'g1',
      mutations: [
        {
          clientID: 'c1',
          id: pushes,
          name: 'memory.create',
          args,
          timestamp: 1,
        },
      ],
    }),
  });
  return response.status;
}

/** Versions of the workspace delivered by a stream of the world's own node; it has delivered one already. */
async function listen(signal: AbortSignal): Promise<number[]> {
  const { url } = world;
  const heard = followPokes(url, { token: agent.token, realmId: workspaceId, signal });
  // It follows the workspace once it delivers a write made on its own node.
  const first = async () => {
    await pushTo(url);
    return heard.length;
  };
  await expect.poll(first, { interval: 200 }).toBeGreaterThan(0);
  return heard;
}

async function versionNow(): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select "version" from "sync_realm" where "realmId" = ${workspaceId}`.execute(world.context.db);
  return rows[0]?.version ?? 0;
}

/** Waits until the stream has delivered the current version. */
async function untilHeard(heard: readonly number[]): Promise<void> {
  const version = await versionNow();
  await expect.poll(() => Math.max(0, ...heard)).toBeGreaterThanOrEqual(version);
}

describe('a push on one node', () => {
  it('arrives on another at once', async () => {
    const end = new AbortController();
    const heard = await listen(end.signal);
    expect(await pushTo(node.url)).toBe(200);
    await untilHeard(heard);
    end.abort();
  });

  it('arrives within three seconds when the node died before the announcement', async () => {
    const end = new AbortController();
    const heard = await listen(end.signal);
    const announced = sql`select 1`.execute(world.context.db);
    const pushing = pushTo(node.url);
    await Promise.all([pushing, announced]);
    // The announcement is delayed by SYNC.pokeCoalesceMs; the response to the push is not.
    await node.kill();
    // One sweep delivers it, and sweeps run more often than every three seconds.
    expect(SYNC.versionSweepMs).toBeLessThan(3_000);
    vi.advanceTimersByTime(SYNC.versionSweepMs);
    await untilHeard(heard);
    end.abort();
    node = await startApiProcess(world.database.url);
  });

  it('arrives when the listening connection was cut and is restored, before any sweep', async () => {
    const end = new AbortController();
    const heard = await listen(end.signal);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'loci listen' and datname = current_database()`.execute(world.context.db);
    expect(await pushTo(node.url)).toBe(200);
    await untilHeard(heard);
    end.abort();
  });
});

describe('a thread that is followed on one node', () => {
  const call = (url: string, path: string, body: object, method = 'POST') =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('delivers what is written on another, to a member and to a visitor, and ends for the visitor', async () => {
    // A stream of a thread looks by itself for what other nodes wrote.
    vi.useRealTimers();
    const threadId = newId('thread');
    const of = `${workspaceId}/${threadId}`;
    const begun = { id: threadId, workspaceId, name: 'Tides', visibility: 'public' };
    expect((await call(node.url, '/v1/threads', begun)).status).toBe(201);
    const member = await openEventStream(`${world.url}/v1/threads/${of}/follow`, {
      authorization: `Bearer ${agent.token}`,
    });
    const visitor = await openEventStream(`${world.url}/v1/public/threads/${of}/follow`);
    try {
      for (const stream of [member, visitor])
        expect(await stream.next()).toMatchObject({ event: 'snapshot', data: { messages: [] } });
      expect((await call(node.url, `/v1/messages/${of}`, { content: 'Said on the other' })).status).toBe(201);
      for (const stream of [member, visitor])
        expect(await stream.next()).toMatchObject({
          event: 'message.created',
          data: { message: { content: 'Said on the other' } },
        });
      // The writing of a message moves the thread too.
      for (const stream of [member, visitor]) expect((await stream.next())?.event).toBe('thread.updated');
      const closed = await call(node.url, `/v1/threads/${of}`, { visibility: 'workspace' }, 'PATCH');
      expect(closed.status).toBe(200);
      expect(await visitor.next()).toMatchObject({ event: 'end', data: { reason: 'gone' } });
      expect(await visitor.next()).toBeUndefined();
      expect((await member.next())?.event).toBe('thread.updated');
    } finally {
      member.close();
      visitor.close();
    }
  });
});

describe('two nodes', () => {
  it('carry out a repeated request once, whichever of them it reaches', async () => {
    const other = await startApiProcess(world.database.url);
    try {
      for (let round = 0; round < 5; round += 1) {
        const key = `same-${round}`;
        const send = (url: string) =>
          fetch(`${url}/v1/memories`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${agent.token}`,
              'content-type': 'application/json',
              'idempotency-key': key,
            },
            body: JSON.stringify({ workspaceId, title: `repeated ${round}` }),
          });
        const [one, two] = await Promise.all([send(node.url), send(other.url)]);
        // The later one is refused for now, or gets the response of the first.
        expect([one.status, two.status].filter((status) => status !== 409)).toContain(201);
        const again = await Promise.all([send(node.url), send(other.url)]);
        for (const answer of again) {
          expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
        }
      }
      const { rows } = await sql<{ count: number }>`
        select count(*) as "count" from "memory" where "title" like 'repeated %'`.execute(world.context.db);
      expect(rows).toEqual([{ count: 5 }]);
    } finally {
      await other.kill();
    }
  });

  it('count guesses at a password together', async () => {
    const other = await startApiProcess(world.database.url);
    try {
      const guess = async (url: string) =>
        (
          await fetch(`${url}/v1/auth/login`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ email: agent.user.email, password: 'not the password' }),
          })
        ).status;
      const statuses = [];
      for (let n = 0; n < 5; n += 1) statuses.push(await guess(n % 2 === 0 ? node.url : other.url));
      expect(statuses).toEqual([401, 401, 401, 401, 401]);
      expect([await guess(node.url), await guess(other.url)]).toEqual([429, 429]);
    } finally {
      await other.kill();
    }
  });
});
