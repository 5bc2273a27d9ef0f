/** Workspaces and members through HTTP: founding, addresses, positions, leaving. */
import { describe, expect, it } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import { newId } from '#shared/ids.ts';
import { ACCESS_KEY } from '#shared/sync/keys.ts';
import { createBuild, createCast, join } from '#tests/support/build.ts';
import {
  createApi,
  createRaw,
  signUp,
  TEST_PASSWORD,
  unverifyAddress,
  verifyAddress,
  type Agent,
} from '#tests/support/agent.ts';
import { openWorld } from '#tests/support/world.ts';

const DAY_MS = 86_400_000;

const world = await openWorld();
const cast = await createCast(world);

describe('founding a workspace', () => {
  it('makes the founder its owner and takes the domain of the founder’s proven address', async () => {
    const ann = await signUp(world, 'ann');
    await verifyAddress(world, ann);
    const { status, result, headers } = await ann.api('workspace.create', { body: { name: 'Löwe & Söhne' } });
    expect(status).toBe(201);
    expect(Number(headers.get('x-sync-version'))).toBeGreaterThan(0);
    expect(result).toMatchObject({ slug: 'lowe-sohne', ownerId: ann.user.id, domain: 'example.com' });
    const members = await ann.api('workspace_member.list', { params: { workspaceId: result.id } });
    expect(members.result.map(({ userId, position }) => [userId, position])).toEqual([
      [ann.user.id, 'owner'],
    ]);
    expect((await ann.api('workspace.list', {})).result.map(({ id }) => id)).toEqual([result.id]);
  });

  it('numbers the address made of a name, avoids reserved words, refuses a chosen one that is taken', async () => {
    const { alice } = cast;
    const slug = async (name: string) =>
      (await alice.api('workspace.create', { body: { name } })).result.slug;
    expect([await slug('Twin'), await slug('Twin')]).toEqual(['twin', 'twin-2']);
    expect(await slug('Settings')).toBe('settings-2');
    const refused = async (chosen: string) =>
      (await alice.raw('POST', '/v1/workspaces', { body: { name: 'x', slug: chosen } })).status;
    expect([
      await refused('twin'),
      await refused('login'),
      await refused('A b'),
      await refused('a--b'),
    ]).toEqual([409, 400, 400, 400]);
  });

  it('with an id from the client happens once', async () => {
    const { alice, eve } = cast;
    const body = { id: newId('workspace'), name: 'Once' };
    const [first, second] = [
      await alice.api('workspace.create', { body }),
      await alice.api('workspace.create', { body }),
    ];
    expect(second.result).toEqual(first.result);
    expect((await eve.raw('POST', '/v1/workspaces', { body })).status).toBe(409);
  });
});

describe('a workspace', () => {
  it('is found by its address, for 90 days also by the earlier one', async () => {
    const own = await createCast(world);
    const { alice, bob, eve, workspaceId } = own;
    const bySlug = (slug: string, who = bob) => who.raw('GET', `/v1/workspaces/slug/${slug}`);
    expect((await bySlug(own.slug)).json?.result).toMatchObject({ id: workspaceId });
    await alice.api('workspace.update', { params: { workspaceId }, body: { slug: 'renamed-once' } });
    expect((await bySlug(own.slug)).json?.result).toMatchObject({ slug: 'renamed-once' });
    expect((await bySlug(own.slug, eve)).text).toBe((await bySlug('no-such-thing', eve)).text);
    expect((await eve.raw('POST', '/v1/workspaces', { body: { name: 'x', slug: own.slug } })).status).toBe(
      409,
    );
    world.clock.advance(91 * DAY_MS);
    const { result } = await createApi(world)('auth.login', {
      body: { email: bob.user.email, password: TEST_PASSWORD },
    });
    const later = createRaw(world, result.token);
    expect((await later('GET', `/v1/workspaces/slug/${own.slug}`)).status).toBe(403);
    expect((await later('GET', '/v1/workspaces/slug/renamed-once')).status).toBe(200);
    world.clock.advance(-91 * DAY_MS);
    await alice.api('workspace.update', { params: { workspaceId }, body: { slug: own.slug } });
  });

  it('has no domain that its owner has not proven, and takes it as soon as that is done', async () => {
    const { alice, workspaceId } = await createCast(world);
    await unverifyAddress(world, alice);
    const params = { workspaceId };
    expect((await alice.api('workspace.get', { params })).result.domain).toBeNull();
    const claim = async (domain: string) =>
      (await alice.raw('PATCH', `/v1/workspaces/${workspaceId}`, { body: { domain } })).status;
    expect([await claim('example.com'), await claim('google.com')]).toEqual([400, 400]);
    await verifyAddress(world, alice);
    expect([await claim('example.com'), await claim('google.com')]).toEqual([200, 400]);
  });

  it('is renamed by owner and admin; its address and domain are the owner’s', async () => {
    const { alice, bob, rita, workspaceId } = cast;
    const path = `/v1/workspaces/${workspaceId}`;
    const patch = async (who: typeof alice, body: unknown) => (await who.raw('PATCH', path, { body })).status;
    const adam = await signUp(world, 'adam');
    await join(world, workspaceId, adam, 'admin');
    expect(await patch(adam, { name: 'By the admin' })).toBe(200);
    expect(await patch(adam, { slug: 'by-the-admin' })).toBe(403);
    expect([await patch(bob, { name: 'x' }), await patch(rita, { name: 'x' })]).toEqual([403, 403]);
    expect(await patch(alice, { domain: 'google.com' })).toBe(400);
    expect(await patch(alice, { domain: null })).toBe(200);
    expect(await patch(alice, { name: '' })).toBe(400);
    const put = await alice.api('workspace.replace', {
      params: { workspaceId },
      body: { name: 'Whole', slug: cast.slug },
    });
    expect(put.result).toMatchObject({ name: 'Whole', description: null, domain: null });
  });

  it('that is closed is 403 for all and in no list', async () => {
    const ann = await signUp(world, 'anna');
    const { result } = await ann.api('workspace.create', { body: { name: 'Short-lived' } });
    await join(world, result.id, cast.bob, 'member');
    const path = `/v1/workspaces/${result.id}`;
    expect((await cast.bob.raw('DELETE', path)).status).toBe(403);
    expect((await ann.raw('DELETE', path)).status).toBe(200);
    expect([(await ann.raw('GET', path)).status, (await ann.raw('DELETE', path)).status]).toEqual([403, 403]);
    expect((await ann.api('workspace.list', {})).result).toEqual([]);
  });

  it('that is deleted is closed to pulls at once, also of a new device, and whole again when taken back', async () => {
    const { alice, bob, rita, eve, workspaceId } = await createCast(world);
    const kept = await alice.api('memory.create', { body: { workspaceId, title: 'Kept for the undo' } });
    const pull = async (
      who: typeof alice,
      realmId: string,
      clientGroupID: string,
      cookie: unknown = null,
    ) => {
      const versions = { pullVersion: 1, schemaVersion: SYNC.schemaVersion, profileID: 'p' };
      const path = `/v1/sync/${realmId}/pull`;
      const { text } = await who.raw('POST', path, { body: { ...versions, clientGroupID, cookie } });
      return JSON.parse(text);
    };
    const members = [alice, bob, rita];
    const cookies = await Promise.all(
      members.map(async (who) => (await pull(who, workspaceId, `old-${who.user.id}`)).cookie),
    );
    const account = await pull(bob, bob.user.id, 'account');
    expect(JSON.stringify(account.patch)).toContain(workspaceId);
    await alice.api('workspace.remove', { params: { workspaceId } });
    for (const [index, who] of members.entries()) {
      const known = await pull(who, workspaceId, `old-${who.user.id}`, cookies[index]);
      const fresh = await pull(who, workspaceId, `new-${who.user.id}`);
      for (const { patch, cookie } of [known, fresh]) {
        expect(patch).toEqual([{ op: 'clear' }, { op: 'put', key: ACCESS_KEY, value: { revoked: true } }]);
        cookies[index] = cookie;
      }
      // What a stranger is sent looks the same.
      expect((await pull(eve, workspaceId, 'stranger')).patch).toEqual(fresh.patch);
      const list = JSON.stringify((await pull(who, who.user.id, `list-${who.user.id}`)).patch);
      expect(list).not.toContain(workspaceId);
    }
    const gone = await pull(bob, bob.user.id, 'account', account.cookie);
    expect(gone.patch).toContainEqual({ op: 'del', key: `1/ws/${workspaceId}` });
    await alice.api('workspace.restore', { params: { workspaceId } });
    for (const [index, who] of members.entries()) {
      const back = await pull(who, workspaceId, `new-${who.user.id}`, cookies[index]);
      expect(JSON.stringify(back.patch)).toContain(kept.result.id);
    }
    expect(JSON.stringify(await pull(bob, bob.user.id, 'account', gone.cookie))).toContain(workspaceId);
  });
});

/** The person with a session of the clock's present. */
async function again({ user }: Agent): Promise<Pick<Agent, 'api' | 'raw'>> {
  const { result } = await createApi(world)('auth.login', {
    body: { email: user.email, password: TEST_PASSWORD },
  });
  return { api: createApi(world, result.token), raw: createRaw(world, result.token) };
}

describe('a closed workspace', () => {
  it('is listed for its owners and taken back by them alone, for 14 days', async () => {
    const { alice, bob, eve } = cast;
    const { result } = await alice.api('workspace.create', { body: { name: 'Attic' } });
    const params = { workspaceId: result.id };
    await join(world, result.id, bob, 'admin');
    const restored = async (agent: Pick<Agent, 'raw'>) =>
      (await agent.raw('POST', `/v1/workspaces/${result.id}/restore`)).status;
    expect(await restored(alice)).toBe(403);
    await alice.api('workspace.remove', { params });
    const listed = async (agent: Agent) =>
      (await agent.api('workspace.list_deleted', {})).result.filter(({ id }) => id === result.id);
    expect(await listed(alice)).toMatchObject([{ slug: 'attic', name: 'Attic' }]);
    expect([await listed(bob), await listed(eve)]).toEqual([[], []]);
    const unknown = await eve.raw('POST', `/v1/workspaces/${newId('workspace')}/restore`);
    const foreign = await eve.raw('POST', `/v1/workspaces/${result.id}/restore`);
    expect([foreign.status, foreign.text]).toEqual([403, unknown.text]);
    expect(await restored(bob)).toBe(403);

    world.clock.advance(13 * DAY_MS);
    const late = await again(alice);
    expect((await late.api('workspace.restore', { params })).result.slug).toBe('attic');
    expect((await late.api('workspace.get', { params })).result.name).toBe('Attic');
    expect((await late.api('workspace.list_deleted', {})).result).toEqual([]);

    await late.api('workspace.remove', { params });
    world.clock.advance(15 * DAY_MS);
    const tooLate = await again(alice);
    expect((await tooLate.api('workspace.list_deleted', {})).result).toEqual([]);
    expect(await restored(tooLate)).toBe(403);
    world.clock.advance(-28 * DAY_MS);
  });
});

describe('usage', () => {
  it('is full for owners, totals for members, nothing for read-only', async () => {
    const own = await createCast(world);
    const { alice, bob, rita, workspaceId } = own;
    const build = createBuild(own);
    await build.memory({ notes: 'twelve bytes', tags: ['a', 'b'] });
    await build.memory({ url: 'https://www.example.org/x', tags: ['a'] });
    const secret = await build.space({ visibility: 'private', name: 'Secret' });
    await build.memory({ title: 'hidden', spaceId: secret.id });
    await build.thread();
    const params = { workspaceId };
    const { result } = await alice.api('workspace.usage', { params });
    expect(result.memories).toEqual({
      total: 3,
      archived: 0,
      created: 3,
      byType: {
        note: 2,
        link: 1,
      },
      byOrigin: {
        manual_entry: 2,
        web: 1,
      },
      byStatus: {
        completed: 2,
        pending: 1,
      },
    });
    expect(result).toMatchObject({
      spaces: {
        total: 1,
        public: 0,
      },
      threads: {
        total: 1,
        public: 0,
      },
      storage: { bytes: 12 },
      members: {
        total: 3,
        byPosition: {
          owner: 1,
          member: 1,
          'read-only': 1,
        },
      },
      topTags: [
        {
          tag: 'a',
          count: 2,
        },
        {
          tag: 'b',
          count: 1,
        },
      ],
      topDomains: [
        {
          domain: 'example.org',
          count: 1,
        },
      ],
    });
    expect(result.series).toHaveLength(30);
    expect(result.series.at(-1)).toMatchObject({ memories: 3, messages: 0 });
    const forBob = await bob.api('workspace.usage', { params });
    expect(forBob.result).toEqual({ ...result, ai: null, api: { ...result.api, byKey: null } });
    expect((await rita.raw('GET', `/v1/workspaces/usage/${workspaceId}`)).status).toBe(403);
  });
});

describe('members', () => {
  it('show names to all, addresses not to read-only', async () => {
    const { bob, rita, workspaceId } = cast;
    const list = async (who: typeof bob) =>
      (
        await who.api('workspace_member.list', {
          params: { workspaceId },
          query: { position: 'owner,read-only' },
        })
      ).result;
    const seen = await list(bob);
    expect(seen.map(({ email }) => email).every((email) => email?.endsWith('@example.com'))).toBe(true);
    const bySelf = await list(rita);
    expect(bySelf.map(({ userId, email }) => userId === rita.user.id || email === null)).toEqual([
      true,
      true,
    ]);
  });

  it('change their name for all members when the person does, in replicas too', async () => {
    const own = await createCast(world);
    const { alice, bob, workspaceId } = own;
    const version = async () =>
      (
        await world.context.db
          .selectFrom('sync_realm')
          .select('version')
          .where('realmId', '=', workspaceId)
          .executeTakeFirstOrThrow()
      ).version;
    const before = await version();
    await bob.api('auth.update', { body: { forename: 'Robert', username: `bobby-${before}` } });
    const params = { workspaceId, id: bob.user.id };
    expect((await alice.api('workspace_member.get', { params })).result.forename).toBe('Robert');
    const entry = await world.context.db
      .selectFrom('sync_entry')
      .select('ver')
      .where('realmId', '=', workspaceId)
      .where('entityId', '=', bob.user.id)
      .executeTakeFirstOrThrow();
    expect([await version(), entry.ver]).toEqual([before + 1, before + 1]);
  });

  it('are found by the id of the membership and of the user', async () => {
    const { bob, workspaceId } = cast;
    const byUser = await bob.api('workspace_member.get', { params: { workspaceId, id: bob.user.id } });
    const byId = await bob.api('workspace_member.get', { params: { workspaceId, id: byUser.result.id } });
    expect(byId.result).toEqual(byUser.result);
    const foreign = `/v1/workspace_members/${workspaceId}/${cast.eve.user.id}`;
    expect((await bob.raw('GET', foreign)).status).toBe(404);
  });

  it('whose account is to be deleted must first hand on what only they own', async () => {
    const own = await createCast(world);
    const refused = await own.alice.raw('DELETE', '/v1/auth/me');
    expect([refused.status, refused.json?.error?.detail]).toEqual([
      409,
      expect.stringContaining('Give these workspaces another owner first: Acme'),
    ]);
    expect((await own.eve.raw('DELETE', '/v1/auth/me')).status).toBe(200);
  });
});

describe('notifications', () => {
  it('counts looks at public things, one a day for each visitor, and none at private ones', async () => {
    const own = await createCast(world);
    const { alice, eve, workspaceId, slug } = own;
    const build = createBuild(own);
    const shown = await build.space({ visibility: 'public', name: 'Shown' });
    await build.space({ visibility: 'private', name: 'Hidden', slug: 'hidden' });
    const look = (name: string, agent: string) =>
      eve.raw('GET', `/v1/public/spaces/slug/${slug}/${name}`, { headers: { 'user-agent': agent } });
    for (const agent of ['Mozilla/5.0 one', 'Mozilla/5.0 one', 'Mozilla/5.0 two']) {
      expect((await look(shown.slug, agent)).status).toBe(200);
    }
    expect((await look('hidden', 'Mozilla/5.0 one')).status).toBe(404);
    const { result } = await alice.api('workspace.usage', { params: { workspaceId } });
    expect(result.publicViews).toEqual({ spaces: 2, threads: 0 });
  });
});
