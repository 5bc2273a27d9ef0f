/** Positions, ownership and the end of a membership: who may, what happens at the same time, and what ends at once. */
import { describe, expect, it } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import { newId } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import { ACCESS_KEY } from '#shared/sync/keys.ts';
import { poke, type Poke } from '#shared/sync/protocol.ts';
import { createRaw, signUp, type Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, join, type Cast } from '#tests/support/build.ts';
import { openEventStream } from '#tests/support/event-stream.ts';
import { answerInvite, createGuest, createInvitingCast, invite, positionIn } from '#tests/support/invites.ts';
import { createKey } from '#tests/support/keys.ts';
import { storeToken } from '#tests/support/oauth.ts';
import { openWorld } from '#tests/support/world.ts';

/** A change of rights is on the devices that are online without their asking. */
const ONLINE = { interval: 20 };

const world = await openWorld();

const memberPath = ({ workspaceId }: Cast, { user }: Agent) =>
  `/v1/workspace_members/${workspaceId}/${user.id}`;
const remove = (cast: Cast, by: Agent, whom: Agent) => by.raw('DELETE', memberPath(cast, whom));
const setPosition = (cast: Cast, by: Agent, whom: Agent, position: string) =>
  by.raw('PATCH', memberPath(cast, whom), { body: { position } });
const transfer = ({ workspaceId }: Cast, by: Agent, userId: string) =>
  by.raw('POST', `/v1/workspaces/${workspaceId}/transfer`, { body: { userId } });

async function newMember(cast: Cast, position: Position): Promise<Agent> {
  const person = await signUp(world, `person-${newId('session').slice(0, 8)}`);
  await join(world, cast.workspaceId, person, position);
  return person;
}

async function ownersOf({ alice, workspaceId }: Cast, by = alice): Promise<string[]> {
  const { result } = await by.api('workspace_member.list', {
    params: { workspaceId },
    query: { position: 'owner' },
  });
  return result.map(({ userId }) => userId);
}

describe('the ownership of a workspace', () => {
  it('passes to another member, and the former owner is an admin', async () => {
    const cast = await createCast(world);
    const { alice, bob, workspaceId } = cast;
    const { status, json } = await transfer(cast, alice, bob.user.id);
    expect([status, Object(json?.result).ownerId]).toEqual([200, bob.user.id]);
    expect([await ownersOf(cast), await positionIn(cast, alice)]).toEqual([[bob.user.id], 'admin']);
    expect((await transfer(cast, alice, alice.user.id)).status).toBe(403);
    expect((await alice.raw('DELETE', `/v1/workspaces/${workspaceId}`)).status).toBe(403);
    const { result } = await bob.api('notification.list', {});
    expect(result).toMatchObject([
      {
        title: expect.stringMatching(/^Your position in Acme \d+ changed$/),
        body: 'You are now an owner.',
        metadata: { link: `/${cast.slug}/settings/members` },
      },
    ]);
  });

  it('is the owner’s to give, to a member, and not twice', async () => {
    const cast = await createCast(world);
    const { alice, bob, rita, eve } = cast;
    const admin = await newMember(cast, 'admin');
    const refused = [];
    for (const by of [admin, bob, rita, eve]) refused.push((await transfer(cast, by, bob.user.id)).status);
    expect(refused).toEqual([403, 403, 403, 403]);
    expect([
      (await transfer(cast, alice, eve.user.id)).status,
      (await transfer(cast, alice, newId('user'))).status,
      (await transfer(cast, alice, alice.user.id)).status,
      (await transfer(cast, alice, 'bob')).status,
    ]).toEqual([404, 404, 409, 400]);
    const both = await Promise.all([
      transfer(cast, alice, bob.user.id),
      transfer(cast, alice, admin.user.id),
    ]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 403]));
    expect(await ownersOf(cast)).toHaveLength(1);
  });

  it('never ends: of two owners who leave or step down at once, one stays', async () => {
    for (const go of [
      (cast: Cast, who: Agent) => remove(cast, who, who),
      (cast: Cast, who: Agent) => setPosition(cast, who, who, 'member'),
    ]) {
      const cast = await createCast(world);
      const second = await newMember(cast, 'owner');
      const both = await Promise.all([go(cast, cast.alice), go(cast, second)]);
      expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
      const left = both[0]?.status === 200 ? second : cast.alice;
      expect(await ownersOf(cast, left)).toEqual([left.user.id]);
      expect((await go(cast, left)).status).toBe(409);
    }
  });

  it('and two owners who remove each other leave one', async () => {
    const cast = await createCast(world);
    const second = await newMember(cast, 'owner');
    const both = await Promise.all([remove(cast, cast.alice, second), remove(cast, second, cast.alice)]);
    expect(both.map(({ status }) => status)).toContain(200);
    const left = (await cast.alice.api('workspace.list', {})).result.length > 0 ? cast.alice : second;
    expect(await ownersOf(cast, left)).toEqual([left.user.id]);
  });
});

describe('positions', () => {
  it('are changed by admins below themselves only, and never by staff in another’s name', async () => {
    const cast = await createCast(world);
    const { alice, bob, rita, eve } = cast;
    const [admin, other] = [await newMember(cast, 'admin'), await newMember(cast, 'admin')];
    const set = async (by: Agent, whom: Agent, position: string) =>
      (await setPosition(cast, by, whom, position)).status;
    expect([
      await set(admin, bob, 'read-only'),
      await set(admin, bob, 'admin'),
      await set(admin, other, 'member'),
      await set(admin, alice, 'member'),
      await set(admin, admin, 'owner'),
      await set(eve, bob, 'member'),
      await set(rita, rita, 'member'),
    ]).toEqual([200, 403, 403, 403, 403, 403, 403]);
    expect([(await remove(cast, admin, other)).status, (await remove(cast, admin, alice)).status]).toEqual([
      403, 403,
    ]);
    // Ids of another workspace.
    const path = `/v1/workspace_members/${cast.evesWorkspaceId}/${bob.user.id}`;
    expect([
      (await eve.raw('PATCH', path, { body: { position: 'owner' } })).status,
      (await eve.raw('DELETE', path)).status,
    ]).toEqual([404, 404]);
    await world.context.db
      .updateTable('session')
      .set({ impersonator: eve.user.id })
      .where('userId', '=', alice.user.id)
      .execute();
    expect([
      await set(alice, bob, 'admin'),
      (await transfer(cast, alice, bob.user.id)).status,
      (await remove(cast, alice, bob)).status,
    ]).toEqual([403, 403, 403]);
  });
});

interface PullAnswer {
  cookie: unknown;
  patch: { op: string; key?: string; value?: Record<string, unknown> }[];
}

async function pull(who: Agent, realmId: string, cookie: unknown = null): Promise<PullAnswer> {
  const body = {
    pullVersion: 1,
    schemaVersion: SYNC.schemaVersion,
    profileID: 'p',
    clientGroupID: `g-${who.user.id.slice(-8)}-${realmId.slice(-8)}`,
    cookie,
  };
  const { text } = await who.raw('POST', `/v1/sync/${realmId}/pull`, { body });
  return JSON.parse(text);
}

/** What the stream of a person's device is sent. */
async function listen(who: Agent): Promise<{ heard: Poke[]; close(): void }> {
  const stream = await openEventStream(`${world.url}/v1/sync/poke`, { authorization: `Bearer ${who.token}` });
  const heard: Poke[] = [];
  void (async () => {
    for (let told = await stream.next(); told !== undefined; told = await stream.next()) {
      const parsed = poke.safeParse(told.data);
      if (parsed.success) heard.push(parsed.data);
    }
  })().catch(() => undefined);
  return { heard, close: () => stream.close() };
}

describe('a device that is online', () => {
  it('hears of joining, of another position and of the end without asking', async () => {
    const cast = await createInvitingCast(world);
    const { alice, workspaceId } = cast;
    const guest = await createGuest(world);
    const { heard, close } = await listen(guest);
    await pull(guest, guest.user.id);
    // The stream is open as soon as it tells of a change.
    const follows = async () => {
      await guest.api('auth.update', { body: { forename: 'Gus' } });
      return heard.map(({ realm }) => realm);
    };
    await expect.poll(follows).toContain(guest.user.id);

    heard.length = 0;
    const id = await invite(cast, guest.user.email);
    await answerInvite(guest, id);
    await expect.poll(() => heard.map(({ realm }) => realm), ONLINE).toContain(guest.user.id);
    expect(JSON.stringify((await pull(guest, guest.user.id)).patch)).toContain(workspaceId);
    const joined = await pull(guest, workspaceId);
    expect(memberIn(joined, guest)).toMatchObject({ position: 'member' });

    heard.length = 0;
    await setPosition(cast, alice, guest, 'read-only');
    await expect.poll(() => heard.map(({ realm }) => realm), ONLINE).toContain(workspaceId);
    const demoted = await pull(guest, workspaceId, joined.cookie);
    expect(memberIn(demoted, guest)).toMatchObject({ position: 'read-only' });

    heard.length = 0;
    await remove(cast, alice, guest);
    await expect.poll(() => heard, ONLINE).toContainEqual({ realm: workspaceId, v: Number.MAX_SAFE_INTEGER });
    expect((await pull(guest, workspaceId, demoted.cookie)).patch).toEqual([
      { op: 'clear' },
      { op: 'put', key: ACCESS_KEY, value: { revoked: true } },
    ]);
    const { result } = await guest.api('notification.list', { query: { triggerId: 'member.removed' } });
    expect(result[0]).toMatchObject({
      triggerId: 'member.removed',
      workspaceId: null,
      metadata: { subject: workspaceId },
      title: expect.stringMatching(/^You were removed from Acme \d+$/),
    });

    // Writes of those who stayed are none of the former member's business.
    heard.length = 0;
    await createBuild(cast).memory({ title: 'After the goodbye' });
    await guest.api('auth.update', { body: { forename: 'Gustav' } });
    await expect.poll(() => heard.map(({ realm }) => realm)).toContain(guest.user.id);
    expect(heard.map(({ realm }) => realm)).not.toContain(workspaceId);
    close();
  });

  function memberIn({ patch }: PullAnswer, { user }: Agent): unknown {
    return patch.find(({ key }) => key === `1/mb/${user.id}`)?.value;
  }
});

describe('a removed member', () => {
  it('loses open streams, keys, tokens, pushes and files at once, and nothing of other workspaces', async () => {
    const cast = await createCast(world);
    const { alice, bob, workspaceId } = cast;
    const own = (await bob.api('workspace.create', { body: { name: 'Bob’s own' } })).result;
    const scopes = ['memories:read', 'memories:write', 'threads:read'] as const;
    const key = await createKey(world, bob, { workspaceId, scopes });
    const ownKey = await createKey(world, bob, { workspaceId: own.id, scopes });
    const token = await storeToken(world, { userId: bob.user.id, workspaceId, scopes });
    const app = createRaw(world, token);
    const thread = await createBuild(cast).thread({ visibility: 'workspace' });
    const address = `${world.url}/v1/threads/${workspaceId}/${thread.id}/follow`;
    const [bySession, byKey] = [
      await openEventStream(address, { authorization: `Bearer ${bob.token}` }),
      await openEventStream(address, { authorization: `Bearer ${key.secret}` }),
    ];
    for (const stream of [bySession, byKey]) expect((await stream.next())?.event).toBe('snapshot');
    const list = `/v1/memories/${workspaceId}`;
    for (const raw of [bob.raw, key.raw, app]) expect((await raw('GET', list)).status).toBe(200);

    expect((await remove(cast, alice, bob)).status).toBe(200);
    for (const stream of [bySession, byKey]) {
      expect(await stream.next()).toMatchObject({ event: 'end', data: { reason: 'gone' } });
      expect(await stream.next()).toBeUndefined();
    }
    expect([
      (await bob.raw('GET', list)).status,
      (await key.raw('GET', list)).status,
      (await app('GET', list)).status,
      (await fetch(address, { headers: { authorization: `Bearer ${bob.token}` } })).status,
    ]).toEqual([403, 401, 401, 403]);
    const mutation = { clientID: 'c-late', id: 1, timestamp: 1, name: 'memory.create' };
    const args = {
      id: newId('memory'),
      at: world.clock.now().toISOString(),
      origin: 'manual_entry',
      title: 'Too late',
    };
    const pushed = await bob.raw('POST', `/v1/sync/${workspaceId}/push`, {
      body: {
        pushVersion: 1,
        schemaVersion: SYNC.schemaVersion,
        profileID: 'p',
        clientGroupID: 'g-late',
        mutations: [
          {
            ...mutation,
            args,
          },
        ],
      },
    });
    expect(pushed.json).toMatchObject({ results: [{ code: 'forbidden' }] });
    expect((await alice.api('memory.list', { params: { workspaceId } })).result).toEqual([]);
    for (const raw of [bob.raw, ownKey.raw]) {
      expect((await raw('GET', `/v1/memories/${own.id}`)).status).toBe(200);
    }
    const credentials = await Promise.all(
      (['api_key', 'oauth_token'] as const).map((table) =>
        world.context.db
          .selectFrom(table)
          .select('workspaceId')
          .where('workspaceId', '=', workspaceId)
          .execute(),
      ),
    );
    expect(credentials).toEqual([[], []]);
  });

  it('removed twice at once is removed once, and hands private things to the owner, who is told', async () => {
    const cast = await createCast(world);
    const { alice, bob, workspaceId } = cast;
    await createBuild(cast).space({ visibility: 'private', name: 'Bob’s drawer' }, bob);
    const admin = await newMember(cast, 'admin');
    const both = await Promise.all([remove(cast, alice, bob), remove(cast, admin, bob)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 404]));
    expect((await remove(cast, alice, bob)).status).toBe(404);
    const spaces = await alice.api('space.list', { params: { workspaceId } });
    expect(spaces.result).toMatchObject([{ name: 'Bob’s drawer', ownerId: alice.user.id }]);
    const notices = await alice.api('notification.list', { query: { triggerId: 'member.inherited' } });
    expect(notices.result).toMatchObject([
      { body: 'You now own 1 private space and 0 private threads.', metadata: { count: 1 } },
    ]);
    expect((await bob.api('notification.list', {})).result).toHaveLength(1);
  });
});
