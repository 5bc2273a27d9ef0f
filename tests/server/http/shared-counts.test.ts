/** What several servers on one database count together: a visitor once, calls of members, limits, clients that register. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { usage as usageSchema } from '#shared/workspaces/usage.ts';
import { createCleanUpTasks } from '#server/clean-up-tasks.ts';
import { cleanUp } from '#server/sync/retention-schedule.ts';
import { createRaw, type RawAnswer } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { REDIRECT } from '#tests/support/oauth.ts';
import { createWorld, WORLD_START, type World } from '#tests/support/world.ts';
import { itLong } from '#tests/support/long-test.ts';

const DAY_MS = 86_400_000;

/** A pair for all tests, because a server with its search takes seconds to start. */
let one: World;
let two: World;
/** New people for each test: limits and calls are counted for them. */
let cast: Cast;
let tests = 0;

beforeAll(async () => {
  one = await createWorld();
  two = await createWorld({ database: one.database });
});
afterAll(async () => {
  await two.close();
  await one.close();
});
beforeEach(async () => {
  // Days of its own, and nothing counted before: neither calls from the one address of all tests, nor those of members.
  tests += 1;
  for (const { clock } of [one, two]) clock.set(new Date(WORLD_START.getTime() + tests * 7 * DAY_MS));
  await Promise.all([one, two].map(({ context }) => context.calls.flush()));
  await sql`delete from "call_count"`.execute(one.context.db);
  await sql`delete from "rate_limit"`.execute(one.context.db);
  cast = await createCast(one);
});

/** A server that begins while the other two are running. */
async function startThird(): Promise<World> {
  const third = await createWorld({ database: one.database });
  third.clock.set(one.clock.now());
  return third;
}

describe('a visitor', () => {
  const look = async (world: World, path: string) =>
    expect(
      (await createRaw(world)('GET', path, { headers: { 'user-agent': 'Mozilla/5.0 visitor' } })).status,
    ).toBe(200);
  const visits = async (id: string) =>
    (
      await sql<{ visitor: string }>`select "visitor" from "public_visit" where "resourceId" = ${id}`.execute(
        one.context.db,
      )
    ).rows;
  const salts = async () =>
    (
      await sql<{ day: string }>`select "day"::text from "visitor_salt" order by 1`.execute(one.context.db)
    ).rows.map(({ day }) => day);

  it('of two servers is one visitor, and another one the next day', async () => {
    const space = await createBuild(cast).space({ visibility: 'public' });
    const path = `/v1/public/spaces/${cast.workspaceId}/${space.id}`;
    await Promise.all([look(one, path), look(two, path)]);
    expect(await visits(space.id)).toHaveLength(1);
    for (const { clock } of [one, two]) clock.advance(DAY_MS);
    await look(two, path);
    await look(one, path);
    const [first, second, ...others] = await visits(space.id);
    expect(others).toEqual([]);
    expect(second?.visitor).not.toBe(first?.visitor);
  });

  it('leaves no salt behind after the day', async () => {
    const space = await createBuild(cast).space({ visibility: 'public' });
    await look(one, `/v1/public/spaces/${cast.workspaceId}/${space.id}`);
    const today = (await salts()).at(-1) ?? '';
    expect(today).toBe(one.clock.now().toISOString().slice(0, 10));
    const forget = () => cleanUp(one.context, createCleanUpTasks(one.context));
    await forget();
    expect(await salts()).toEqual([today]);
    one.clock.advance(DAY_MS);
    await forget();
    expect(await salts()).toEqual([]);
  });
});

describe('calls of members', () => {
  const usage = async (world: World) => {
    world.clock.advance(6 * 60_000);
    const raw = createRaw(world, cast.alice.token);
    return usageIn(await raw('GET', `/v1/workspaces/usage/${cast.workspaceId}`));
  };
  const usageIn = ({ json }: RawAnswer) => usageSchema.parse(json?.result);

  it('are counted over all servers, with refused ones and searches, also those of a server that stopped', async () => {
    await usage(one);
    const before = await usage(one);
    expect(before.series.at(-1)?.requests).toBe(before.api.requests);
    const third = await startThird();
    const { workspaceId } = cast;
    const ask = createRaw(third, cast.bob.token);
    expect((await ask('GET', `/v1/memories/${workspaceId}`)).status).toBe(200);
    expect((await ask('POST', '/v1/memories/search', { body: { workspaceId, query: 'x' } })).status).toBe(
      200,
    );
    expect((await ask('GET', `/v1/memories/${workspaceId}/${newId('memory')}`)).status).toBe(404);
    expect((await ask('POST', '/v1/memories', { body: { workspaceId, title: 7 } })).status).toBe(400);
    // Calls of strangers and visitors count for no account.
    expect((await createRaw(third, cast.eve.token)('GET', `/v1/memories/${workspaceId}`)).status).toBe(403);
    expect((await createRaw(third)('GET', `/v1/memories/${workspaceId}`)).status).toBe(401);
    await third.close();
    await one.context.calls.flush();
    const after = await usage(two);
    // The question itself counts from the next answer on.
    const asked = 1;
    expect({
      requests: (after.api.requests ?? 0) - (before.api.requests ?? 0) - asked,
      errors: (after.api.errors ?? 0) - (before.api.errors ?? 0),
      searches: (after.search.queries ?? 0) - (before.search.queries ?? 0),
    }).toEqual({ requests: 4, errors: 2, searches: 1 });
    const days = after.series.map(({ requests }) => requests);
    expect(days.slice(0, -1).every((requests) => requests === null)).toBe(true);
  });

  it('wait in memory while the database is away, and are not lost', async () => {
    const before = (await usage(one)).api.requests ?? 0;
    await sql`alter table "call_count" rename to "call_count_away"`.execute(one.context.db);
    await one.context.calls.flush();
    expect((await cast.bob.raw('GET', `/v1/memories/${cast.workspaceId}`)).status).toBe(200);
    await one.context.calls.flush();
    await sql`alter table "call_count_away" rename to "call_count"`.execute(one.context.db);
    expect(((await usage(one)).api.requests ?? 0) - before).toBe(2);
  });

  it('of a workspace that is gone do not keep the others from being written', async () => {
    one.context.calls.count(newId('workspace'), { isSearch: false, isError: false });
    const before = (await usage(one)).api.requests ?? 0;
    await one.context.calls.flush();
    expect((await usage(one)).api.requests).toBe(before + 1);
  });
});

/** Calls until one is refused, over both servers by turns. */
async function allowed(ask: (world: World) => Promise<RawAnswer>, most: number): Promise<number> {
  for (let count = 0; count <= most; count += 1) {
    const { status } = await ask(count % 2 === 0 ? one : two);
    if (status === 429) return count;
    expect(status).toBeLessThan(300);
  }
  return most + 1;
}

describe('a limit', () => {
  const search = (world: World) =>
    createRaw(world, cast.alice.token)('POST', '/v1/memories/search', {
      body: { workspaceId: cast.workspaceId, query: 'x' },
    });
  // Each server may let through what it has not reported yet: less than a block of three calls.
  const [quota, unreported] = [60, 2 * (3 - 1)];

  it('of a session holds over both servers, and a refusal holds on both', async () => {
    const passed = await allowed(search, 2 * quota);
    expect(passed).toBeGreaterThanOrEqual(quota);
    expect(passed).toBeLessThanOrEqual(quota + unreported);
    // The refusal says when the window of both ends.
    for (const world of [one, two]) {
      const refused = await allowed(() => search(world), 2);
      expect(refused).toBeLessThan(3);
      const { headers, status } = await search(world);
      expect([status, headers.get('ratelimit-remaining')]).toEqual([429, '0']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('holds for calls that come at once, and is each caller’s own', async () => {
    const answers = await Promise.all(
      Array.from({ length: 2 * quota }, (_, index) => search(index % 2 === 0 ? one : two)),
    );
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(quota);
    expect(passed).toBeLessThanOrEqual(quota + unreported);
    const body = { workspaceId: cast.workspaceId, query: 'x' };
    const other = await createRaw(two, cast.bob.token)('POST', '/v1/memories/search', { body });
    expect(other.status).toBe(200);
  });

  it('of a few calls an hour is exact', async () => {
    const report = (world: World) =>
      createRaw(world)('POST', '/v1/public/spaces/report', {
        body: { workspaceId: cast.workspaceId, id: newId('space'), reason: 'spam' },
      });
    expect(await allowed(report, 10)).toBe(5);
  });

  itLong('is counted by each server alone while the database does not count', async () => {
    await sql`alter table "rate_limit" rename to "rate_limit_away"`.execute(one.context.db);
    const passed = await allowed(() => search(one), 2 * quota);
    await sql`alter table "rate_limit_away" rename to "rate_limit"`.execute(one.context.db);
    expect(passed).toBe(quota);
  });
});

describe('clients that register themselves', () => {
  const register = (world: World) =>
    createRaw(world)('POST', '/v1/oauth/register', { body: { redirect_uris: [REDIRECT] } });

  const registered = async () =>
    (await one.context.db.selectFrom('oauth_client').select('id').execute()).length;

  it('are counted over all servers, also when they come at once, and by a server that starts later', async () => {
    const before = await registered();
    const answers = await Promise.all([one, two, one, two, one, two, one, two].map(register));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 201, 201, 201, 429, 429, 429,
    ]);
    const third = await startThird();
    const refused = await register(third);
    expect([refused.status, refused.json]).toMatchObject([429, { error: 'temporarily_unavailable' }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    await third.close();
    expect((await registered()) - before).toBe(5);
  });
});
