/** Notifications of a person: what causes them, settings, counting of repeats, and that each person has only their own. */
import { beforeAll, describe, expect, it } from 'vitest';
import { NOTIFICATION_DEDUPE_MS } from '#shared/notifications/limits.ts';
import { newId } from '#shared/ids.ts';
import { DEFAULT_NOTIFICATION_SETTINGS } from '#shared/notifications/settings.ts';
import { createApi, createRaw, TEST_PASSWORD, type Agent } from '#tests/support/agent.ts';
import { createCast, type Cast } from '#tests/support/build.ts';
import { cause } from '#tests/support/notices.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();

const SETTINGS = '/v1/auth/notifications';

const listOf = async ({ api }: Agent) => (await api('notification.list', { query: { perPage: 100 } })).result;

async function newestOf(agent: Agent) {
  const [newest] = await listOf(agent);
  if (newest === undefined) throw new Error('There is no notification');
  return newest;
}

describe('a notification', () => {
  it('is removed at both addresses, seen and archived, by its person alone', async () => {
    const { alice, eve } = await createCast(world);
    await cause(world, alice);
    await cause(world, alice);
    const [first, second] = await listOf(alice);
    const path = `/v1/notifications/${first?.id}`;
    const single = `/v1/notification/${second?.id}`;
    const unknown = newId('notification');
    for (const [method, address, foreign, body] of [
      ['GET', path, `/v1/notifications/${unknown}`],
      ['PUT', path, `/v1/notifications/${unknown}`, { seen: true }],
      ['DELETE', path, `/v1/notifications/${unknown}`],
      ['DELETE', single, `/v1/notification/${unknown}`],
    ] as const) {
      const real = await eve.raw(method, address, { body });
      expect([method, real.status]).toEqual([method, 404]);
      expect(real.text).toBe((await eve.raw(method, foreign, { body })).text);
      expect((await createRaw(world)(method, address, { body })).status).toBe(401);
    }
    expect(await listOf(alice)).toHaveLength(2);
    expect((await alice.raw('PUT', path, { body: { seen: true } })).json?.result).toMatchObject({
      seen: true,
    });
    expect((await alice.raw('PUT', path, { body: { status: 'archived' } })).status).toBe(200);
    expect((await alice.raw('PUT', path, { body: { status: 'gone' } })).status).toBe(400);
    expect((await alice.raw('PUT', path, { body: { title: 'mine' } })).json?.result).toMatchObject({
      title: first?.title,
    });
    expect((await alice.raw('DELETE', path)).status).toBe(200);
    expect((await alice.raw('DELETE', path)).status).toBe(404);
    expect((await alice.raw('DELETE', single)).status).toBe(200);
    expect(await listOf(alice)).toEqual([]);
  });

  it('counts repeats of the same thing for ten minutes and is new again with each', async () => {
    const { alice } = await createCast(world);
    const same = { triggerId: 'memory.conflict', subject: 'one and the same' } as const;
    await cause(world, alice, same);
    const { id } = await newestOf(alice);
    await alice.raw('PUT', `/v1/notifications/${id}`, { body: { seen: true, status: 'archived' } });
    world.clock.advance(NOTIFICATION_DEDUPE_MS - 1);
    await cause(world, alice, { ...same, title: 'Once more' });
    await cause(world, alice, { ...same, subject: 'something else' });
    expect(await listOf(alice)).toHaveLength(2);
    const found = await alice.raw('GET', `/v1/notifications/${id}`);
    expect(found.json?.result).toMatchObject({
      seen: false,
      status: 'active',
      title: 'Once more',
      metadata: { count: 2 },
    });
    world.clock.advance(1);
    await cause(world, alice, same);
    expect(await listOf(alice)).toHaveLength(3);
  });
});

describe('notifications of an account', () => {
  const logIn = (agent: Agent, userAgent: string) =>
    createRaw(world)('POST', '/v1/auth/login', {
      body: { email: agent.user.email, password: TEST_PASSWORD },
      headers: { 'user-agent': userAgent },
    });
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/605.1';
  const notesOf = async (agent: Agent, triggerId: string) =>
    (await listOf(agent)).filter((row) => row.triggerId === triggerId);

  it('tell of a log-in on a new device, once', async () => {
    const { alice } = await createCast(world);
    expect((await logIn(alice, FIREFOX)).status).toBe(200);
    expect((await logIn(alice, FIREFOX)).status).toBe(200);
    world.clock.advance(NOTIFICATION_DEDUPE_MS);
    expect((await logIn(alice, FIREFOX)).status).toBe(200);
    expect(await notesOf(alice, 'login.new_device')).toMatchObject([
      { title: 'New log-in: Firefox on Linux', priority: 'high', category: 'security', workspaceId: null },
    ]);
    expect((await logIn(alice, IPHONE)).status).toBe(200);
    expect((await notesOf(alice, 'login.new_device')).map(({ title }) => title)).toEqual([
      'New log-in: Safari on iPhone',
      'New log-in: Firefox on Linux',
    ]);
  });

  it('know the devices of sessions that are older than the list of devices', async () => {
    const { alice } = await createCast(world);
    await logIn(alice, FIREFOX);
    await world.context.db.deleteFrom('login_device').where('userId', '=', alice.user.id).execute();
    await world.context.db.deleteFrom('notification_digest_item').execute();
    const before = (await notesOf(alice, 'login.new_device')).length;
    await logIn(alice, FIREFOX);
    expect(await notesOf(alice, 'login.new_device')).toHaveLength(before);
    await logIn(alice, IPHONE);
    expect(await notesOf(alice, 'login.new_device')).toHaveLength(before + 1);
  });

  it('say nothing of a failed log-in', async () => {
    const { alice } = await createCast(world);
    const answer = await createRaw(world)('POST', '/v1/auth/login', {
      body: { email: alice.user.email, password: 'a wrong password' },
      headers: { 'user-agent': FIREFOX },
    });
    expect(answer.status).toBe(401);
    expect(await listOf(alice)).toEqual([]);
  });

  it('tell of another password', async () => {
    const { alice } = await createCast(world);
    const password = 'another quiet harbour';
    await alice.api('auth.update', { body: { currentPassword: TEST_PASSWORD, password } });
    expect(await notesOf(alice, 'password.changed')).toMatchObject([{ category: 'security' }]);
  });
});

describe('the settings', () => {
  const put = ({ raw }: Agent, body: unknown) => raw('PUT', SETTINGS, { body });

  it('are the defaults until they are replaced, whole, with what is left out back at its default', async () => {
    const { alice, workspaceId } = await createCast(world);
    expect((await alice.raw('GET', SETTINGS)).json?.result).toEqual(DEFAULT_NOTIFICATION_SETTINGS);
    const wanted = {
      categories: { workspace: { inApp: true, email: false, push: true } },
      triggers: { 'import.finished': { email: true } },
      mutedWorkspaces: [workspaceId, workspaceId],
      digest: 'daily',
      timezone: 'Europe/Berlin',
    };
    const { result } = (await put(alice, wanted)).json ?? {};
    expect(result).toEqual({
      ...DEFAULT_NOTIFICATION_SETTINGS,
      ...wanted,
      categories: { ...DEFAULT_NOTIFICATION_SETTINGS.categories, ...wanted.categories },
      mutedWorkspaces: [workspaceId],
    });
    expect((await alice.raw('GET', SETTINGS)).json?.result).toEqual(result);
    await put(alice, {});
    expect((await alice.raw('GET', SETTINGS)).json?.result).toEqual(DEFAULT_NOTIFICATION_SETTINGS);
  });

  it('keep locked values and ignore unknown names', async () => {
    const { alice } = await createCast(world);
    const { json } = await put(alice, {
      categories: {
        security: { inApp: false, email: false, push: false, locked: false },
        transactional: { email: false },
        invented: { email: false },
        __proto__: { email: false },
      },
      triggers: {
        'api_key.created': { inApp: false, email: false, push: false },
        'no.such_event': { email: false },
        constructor: { email: false },
      },
      userId: newId('user'),
    });
    expect(json?.result).toEqual({
      ...DEFAULT_NOTIFICATION_SETTINGS,
      categories: {
        ...DEFAULT_NOTIFICATION_SETTINGS.categories,
        security: { inApp: true, email: true, push: false, locked: true },
      },
      triggers: { 'api_key.created': { push: false } },
    });
  });

  it.each([
    ['categories', { categories: { workspace: { email: 'yes' } } }],
    ['categories', { categories: [] }],
    ['triggers', { triggers: { 'import.finished': true } }],
    ['triggers', { triggers: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`a.${at}`, {}])) }],
    ['mutedWorkspaces', { mutedWorkspaces: ['everything'] }],
    ['mutedWorkspaces', { mutedWorkspaces: Array.from({ length: 1_001 }, () => newId('workspace')) }],
    ['digest', { digest: 'hourly' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['timezone', { timezone: '\u0000' }],
    ['timezone', { timezone: 'x'.repeat(65) }],
  ])('refuse a wrong %s and stay as they are', async (field, body) => {
    const { alice } = await createCast(world);
    const { status, json } = await put(alice, body);
    expect([status, json?.error?.detail]).toEqual([400, expect.stringContaining(field)]);
    expect((await alice.raw('GET', SETTINGS)).json?.result).toEqual(DEFAULT_NOTIFICATION_SETTINGS);
  });

  it('are each person’s own', async () => {
    const { alice, bob } = await createCast(world);
    await put(alice, { digest: 'weekly' });
    expect((await bob.raw('GET', SETTINGS)).json?.result).toEqual(DEFAULT_NOTIFICATION_SETTINGS);
  });

  it('decide what stands in the list: nothing that is off, seen what is muted, security always', async () => {
    const { alice, workspaceId } = await createCast(world);
    await put(alice, {
      triggers: { 'import.finished': { inApp: false, email: false, push: false } },
      mutedWorkspaces: [workspaceId],
    });
    await cause(world, alice);
    expect(await listOf(alice)).toEqual([]);
    await cause(world, alice, { triggerId: 'memory.conflict', workspaceId });
    expect(await newestOf(alice)).toMatchObject({ seen: true, status: 'active' });
    world.clock.advance(1_000);
    await cause(world, alice, { triggerId: 'api_key.created', workspaceId });
    expect(await newestOf(alice)).toMatchObject({ seen: false, status: 'active' });
    world.clock.advance(1_000);
    await put(alice, { categories: { workspace: { inApp: false } } });
    await cause(world, alice);
    expect(await newestOf(alice)).toMatchObject({ seen: true, status: 'archived' });
  });

  it('cannot be changed by staff who act as the person', async () => {
    const { alice, bob } = await createCast(world);
    await world.context.db
      .updateTable('session')
      .set({ impersonator: bob.user.id })
      .where('userId', '=', alice.user.id)
      .execute();
    expect((await put(alice, {})).status).toBe(403);
  });
});

describe('the order of the list', () => {
  let cast: Cast;
  beforeAll(async () => {
    cast = await createCast(world);
  });

  it('follows filters of the person alone', async () => {
    const { alice, workspaceId } = cast;
    await cause(world, alice, { workspaceId, title: 'In the workspace' });
    await cause(world, alice, { triggerId: 'password.changed' });
    const list = async (query: string) => {
      const { json } = await alice.raw('GET', `/v1/notifications?${query}`);
      return json?.meta?.total;
    };
    expect([
      await list(`workspaceId=${workspaceId}`),
      await list('category=security'),
      await list('seen=true'),
      await list('title=In the workspace'),
    ]).toEqual([1, 1, 0, 1]);
    expect((await createApi(world, alice.token)('notification.list', {})).result).toHaveLength(2);
  });
});
