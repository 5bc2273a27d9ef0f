/** What becomes of reports: hidden by three, decided by staff, and told to whom it concerns. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReportDecision } from '#shared/site/report-endpoints.ts';
import { newId, type Id } from '#shared/ids.ts';
import { createRaw, signUp, verifyAddress, type Agent, type RawRequest } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const ENV = { STAFF_EMAILS: 'Staff@Example.com, gone@example.com', CONTACT_EMAIL: 'help@example.com' };
let world: World;
let cast: Cast;
let staff: Agent;
let raw: RawRequest;

beforeAll(async () => {
  world = await createWorld({ env: ENV });
  cast = await createCast(world);
  staff = await signUp(world, 'staff');
  await verifyAddress(world, staff);
  raw = createRaw(world);
});
afterAll(() => world.close());

const reportedBy = (agent: string, kind: 'spaces' | 'threads', id: string) =>
  raw('POST', `/v1/public/${kind}/report`, {
    body: {
      workspaceId: cast.workspaceId,
      id,
      reason: 'spam',
      details: `says ${agent}`,
      email: 'v@example.org',
    },
    headers: { 'user-agent': agent },
  });

async function publicSpace(name: string) {
  const build = createBuild(cast);
  const space = await build.space({ name, visibility: 'public' });
  await build.link(space.id, (await build.memory({ title: `in ${name}` })).id);
  return space;
}

const isListed = async (name: string) => {
  const { json } = await raw('POST', '/v1/public/spaces/search', { body: { query: name } });
  return JSON.stringify(json?.result).includes(name);
};
const opens = async (id: string) =>
  (await raw('GET', `/v1/public/spaces/${cast.workspaceId}/${id}`)).status === 200;
const decide = (id: Id<'space'> | Id<'thread'>, decision: ReportDecision, note?: string) =>
  staff.api('report.decide', { params: { id }, body: { decision, ...(note === undefined ? {} : { note }) } });
const noticesOf = async ({ raw: ask }: Agent, trigger: string) => {
  const { json } = await ask('GET', `/v1/notifications?triggerId=${trigger}`);
  return JSON.stringify(json?.result);
};

describe('a report', () => {
  test('reaches staff with its words, and tells the owner nothing', async () => {
    const space = await publicSpace('Reported garden');
    await reportedBy('one', 'spaces', space.id);
    const { result, meta } = await staff.api('report.list', {});
    expect(result[0]).toMatchObject({
      kind: 'space',
      resourceId: space.id,
      name: 'Reported garden',
      workspaceId: cast.workspaceId,
      visibility: 'public',
      hidden: false,
      reason: 'spam',
      details: 'says one',
      email: 'v@example.org',
      decidedAt: null,
      decision: null,
      workspaceName: expect.stringContaining('Acme'),
      ownerEmail: cast.alice.user.email,
      link: `/${cast.slug}/spaces/p/${space.slug}`,
    });
    expect(meta).toMatchObject({ total: result.length });
    expect(JSON.stringify(result)).not.toContain('127.0.0.1');
    expect(await noticesOf(staff, 'report.received')).toContain('Reported garden');
    expect(await noticesOf(cast.alice, 'report.decided')).toBe('[]');
    expect(await noticesOf(cast.alice, 'report.received')).toBe('[]');
  });

  test('of one person does not hide, however often it comes; three people do, from lists alone', async () => {
    world = await renewed();
    const space = await publicSpace('Disputed pond');
    await reportedBy('one', 'spaces', space.id);
    await reportedBy('one', 'spaces', space.id);
    await reportedBy('two', 'spaces', space.id);
    expect(await isListed('Disputed pond')).toBe(true);
    await reportedBy('three', 'spaces', space.id);
    expect(await isListed('Disputed pond')).toBe(false);
    expect(await opens(space.id)).toBe(true);
  });
});

/** Five reports an hour are all that one address may send: each story gets a server of its own. */
async function renewed(): Promise<World> {
  await world.close();
  world = await createWorld({ env: ENV });
  cast = await createCast(world);
  staff = await signUp(world, 'staff');
  await verifyAddress(world, staff);
  raw = createRaw(world);
  return world;
}

describe('a decision', () => {
  test('to dismiss shows the thing again and leaves nothing open', async () => {
    await renewed();
    const space = await publicSpace('Wronged orchard');
    for (const agent of ['a', 'b', 'c']) await reportedBy(agent, 'spaces', space.id);
    expect((await decide(space.id, 'dismiss')).result).toEqual({
      resourceId: space.id,
      decision: 'dismiss',
      reports: 3,
    });
    expect(await isListed('Wronged orchard')).toBe(true);
    expect((await staff.api('report.list', {})).result).toEqual([]);
    const decided = await staff.api('report.list', { query: { status: 'decided' } });
    expect(decided.result.map(({ decision }) => decision)).toEqual(['dismiss', 'dismiss', 'dismiss']);
  });

  test('to hide closes the address too, and the owner is told why', async () => {
    const space = await publicSpace('Hidden cellar');
    await decide(space.id, 'hide', 'It names private people.');
    expect([await isListed('Hidden cellar'), await opens(space.id)]).toEqual([false, false]);
    expect(await noticesOf(cast.alice, 'report.decided')).toContain('It names private people.');
    const own = await cast.alice.api('space.get', {
      params: { workspaceId: cast.workspaceId, id: space.id },
    });
    expect(own.result.visibility).toBe('public');
    await decide(space.id, 'dismiss');
    expect(await opens(space.id)).toBe(true);
  });

  test('to make private narrows the thing itself', async () => {
    const thread = await createBuild(cast).thread({ name: 'Loud talk', visibility: 'public' });
    const path = `/v1/public/threads/${cast.workspaceId}/${thread.id}`;
    expect((await raw('GET', path)).status).toBe(200);
    await decide(thread.id, 'make_private');
    expect((await raw('GET', path)).status).toBe(404);
    const params = { workspaceId: cast.workspaceId, id: thread.id };
    expect((await cast.alice.api('thread.get', { params })).result.visibility).toBe('private');
    expect((await cast.bob.raw('GET', `/v1/threads/${cast.workspaceId}/${thread.id}`)).status).toBe(404);
  });

  test('to suspend a workspace ends its public life, for what is published later too', async () => {
    const space = await publicSpace('Spam farm');
    const other = await publicSpace('Innocent meadow');
    const suspension = async (by: Agent) =>
      (await by.raw('GET', `/v1/workspaces/${cast.workspaceId}/suspension`)).json?.result;
    expect(await suspension(cast.bob)).toBeNull();
    await decide(space.id, 'suspend_workspace');
    expect(await noticesOf(cast.alice, 'report.decided')).toContain('To appeal, write to help@example.com.');
    expect(await suspension(cast.bob)).toEqual({
      since: world.clock.now().toISOString(),
      contact: 'help@example.com',
    });
    const path = `/v1/workspaces/${cast.workspaceId}/suspension`;
    expect([(await cast.eve.raw('GET', path)).status, (await raw('GET', path)).status]).toEqual([403, 401]);
    expect([await opens(space.id), await opens(other.id), await isListed('Innocent')]).toEqual([
      false,
      false,
      false,
    ]);
    expect((await raw('GET', `/v1/public/workspaces/${cast.workspaceId}`)).status).toBe(404);
    expect(await opens((await publicSpace('Later')).id)).toBe(false);
    const params = { workspaceId: cast.workspaceId, id: space.id };
    expect((await cast.alice.api('space.get', { params })).result.name).toBe('Spam farm');
    await decide(space.id, 'dismiss');
    expect(await opens(other.id)).toBe(true);
    expect(await suspension(cast.bob)).toBeNull();
  });

  test('that suspends a workspace notifies its owners and the owner of the reported content', async () => {
    const space = await createBuild(cast).space({ name: 'Of Bob', visibility: 'public' }, cast.bob);
    await decide(space.id, 'suspend_workspace');
    expect(await noticesOf(cast.bob, 'report.decided')).toContain('About your space “Of Bob”');
    expect(await noticesOf(cast.alice, 'report.decided')).toContain(
      'About the space “Of Bob” in your workspace',
    );
    await decide(space.id, 'dismiss');
  });

  test('and the list of reports are for staff alone', async () => {
    const space = await publicSpace('Quiet place');
    const body = { decision: 'hide' };
    for (const who of [cast.alice, cast.bob, cast.eve]) {
      expect((await who.raw('GET', '/v1/reports')).status).toBe(403);
      expect((await who.raw('POST', `/v1/reports/${space.id}`, { body })).status).toBe(403);
    }
    expect((await raw('GET', '/v1/reports')).status).toBe(401);
    const unknown = await staff.raw('POST', `/v1/reports/${newId('space')}`, { body });
    expect(unknown.status).toBe(404);
    expect((await staff.raw('POST', `/v1/reports/${cast.workspaceId}`, { body })).status).toBe(404);
    const wrong = await staff.raw('POST', `/v1/reports/${space.id}`, { body: { decision: 'burn' } });
    expect(wrong.status).toBe(400);
  });

  test('is not staff’s who only signed up with a named address', async () => {
    await renewed();
    const space = await publicSpace('Quiet meadow');
    const claimant = await signUp(world, 'gone');
    expect(claimant.user).toMatchObject({ email: 'gone@example.com', emailVerified: false });
    expect((await claimant.raw('GET', '/v1/reports')).status).toBe(403);
    const body = { decision: 'hide' };
    expect((await claimant.raw('POST', `/v1/reports/${space.id}`, { body })).status).toBe(403);
    await reportedBy('one', 'spaces', space.id);
    expect(await noticesOf(claimant, 'report.received')).toBe('[]');
  });

  test('is refused to all where no staff is named', async () => {
    const unstaffed = await createWorld();
    const someone = await signUp(unstaffed, 'staff');
    expect((await someone.raw('GET', '/v1/reports')).status).toBe(403);
    await unstaffed.close();
  });
});
