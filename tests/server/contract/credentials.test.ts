/**
 * What each kind of credential may do, for every row of the table of calls: a row that is added later is held to the
 * same rules without a line here.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SCOPE_NAMES, isScope, type Scope } from '#shared/api-keys/scopes.ts';
import { isMemberCall, isSessionCall, scopesOf, type AnyEndpoint } from '#shared/define/endpoint.ts';
import { fillPath } from '#shared/define/fill-path.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { ID_KINDS, newId, type IdKind } from '#shared/ids.ts';
import {
  createApi,
  createRaw,
  TEST_PASSWORD,
  unverifyAddress,
  verifyAddress,
  type RawAnswer,
  type RawRequest,
} from '#tests/support/agent.ts';
import { createBuild, createCast, join, type Cast } from '#tests/support/build.ts';
import { createKey, type TestKey } from '#tests/support/keys.ts';
import { storeToken } from '#tests/support/oauth.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const ALL_SCOPES = SCOPE_NAMES.filter(isScope);
const rows: readonly (readonly [string, AnyEndpoint])[] = Object.entries(ENDPOINTS);
const guarded = rows.filter(([, { auth }]) => auth !== 'public');
const forKeys = guarded.filter(([, row]) => !isSessionCall(row));
const forSessions = guarded.filter(([, row]) => isSessionCall(row));

const world = await openWorld();
const cast = await createCast(world);
await verifyAddress(world, cast.alice);
const full = await createKey(world, cast.alice, { workspaceId: cast.workspaceId, scopes: ALL_SCOPES });

/** An id of the kind that the row takes. */
function idFor(row: AnyEndpoint): string {
  const schema: unknown = row.params?.shape['id'];
  const ids = Object.keys(ID_KINDS).map((kind) => newId(kind as IdKind));
  return ids.find((id) => schema instanceof z.ZodType && schema.safeParse(id).success) ?? newId('memory');
}

/** Calls a row with ids of the right form that name nothing. */
function call(raw: RawRequest, row: AnyEndpoint, workspaceId: string = cast.workspaceId): Promise<RawAnswer> {
  const ids = { spaceId: newId('space'), threadId: newId('thread'), memoryId: newId('memory') };
  const params = { ...ids, workspaceId, workspaceSlug: cast.slug, slug: cast.slug, id: idFor(row) };
  const body = { title: 'x', name: 'x', query: 'x', messageId: newId('message'), value: 1, ...ids };
  return raw(row.method, fillPath(row.path, params), {
    body: row.method === 'GET' || row.method === 'DELETE' ? undefined : { ...body, workspaceId },
  });
}

describe('a key', () => {
  it.each(forKeys)('without its scope gets 403 from %s', async (_name, row) => {
    for (const scope of scopesOf(row)) {
      const { raw } = await keyWith(ALL_SCOPES.filter((each) => each !== scope));
      const { status, json } = await call(raw, row);
      expect([status, json?.error?.detail]).toEqual([403, `The key or token lacks the scope ${scope}`]);
    }
  });

  it.each(forKeys)('with nothing but its scope gets past the check of %s', async (_name, row) => {
    const { raw } = await keyWith(scopesOf(row));
    const { status, json } = await call(raw, row);
    expect(status).not.toBe(401);
    expect(json?.error?.detail ?? '').not.toMatch(/scope|signed-in/);
  });

  it.each(forSessions)('with every scope gets 403 from %s, which needs a session', async (_name, row) => {
    const { status, json } = await call(full.raw, row);
    expect([status, json?.error?.detail]).toEqual([
      403,
      'This call needs a signed-in person; keys and tokens may not make it',
    ]);
  });

  it('may not sync', async () => {
    const { workspaceId } = cast;
    for (const [method, path] of [
      ['POST', `/v1/sync/${workspaceId}/pull`],
      ['POST', `/v1/sync/${workspaceId}/push`],
      ['POST', `/v1/sync/${workspaceId}/check`],
      ['GET', '/v1/sync/poke'],
    ] as const) {
      const { status } = await full.raw(method, path, method === 'POST' ? { body: {} } : {});
      expect([path, status]).toEqual([path, 403]);
    }
  });

  const keys = new Map<string, Promise<TestKey>>();
  function keyWith(scopes: readonly Scope[]): Promise<TestKey> {
    const name = scopes.join(' ');
    const made = keys.get(name) ?? createKey(world, cast.alice, { workspaceId: cast.workspaceId, scopes });
    keys.set(name, made);
    return made;
  }
});

describe('a key of another workspace of the same person', () => {
  let second: { id: Cast['workspaceId']; slug: string };
  beforeAll(async () => {
    second = (await cast.alice.api('workspace.create', { body: { name: 'The other one' } })).result;
  });

  it.each(forKeys.filter(([, row]) => isMemberCall(row)))('gets 403 from %s', async (_name, row) => {
    const foreign = await call(full.raw, row, second.id);
    const unknown = await call(full.raw, row, newId('workspace'));
    expect([foreign.status, unknown.text]).toEqual([403, foreign.text]);
  });

  it('is shown its own workspace alone, by list and by address', async () => {
    const list = await full.raw('GET', '/v1/workspaces');
    expect(list.json?.result).toMatchObject([{ id: cast.workspaceId }]);
    expect(list.json?.meta?.total).toBe(1);
    const bySlug = await full.raw('GET', `/v1/workspaces/slug/${second.slug}`);
    const space = await cast.alice.api('space.create', {
      body: { workspaceId: second.id, name: 'Elsewhere', description: null },
    });
    const spaceBySlug = await full.raw('GET', `/v1/spaces/slug/${second.slug}/${space.result.slug}`);
    expect([bySlug.status, spaceBySlug.status]).toEqual([403, 403]);
  });
});

describe('a key stops at once', () => {
  it('for every call when its owner is removed, and stays dead when they come back', async () => {
    const { alice, bob, workspaceId } = cast;
    const key = await createKey(world, bob, { workspaceId, scopes: ALL_SCOPES });
    expect((await key.raw('GET', '/v1/auth/whoami')).status).toBe(200);
    await alice.api('workspace_member.remove', { params: { workspaceId, id: bob.user.id } });
    // Another server on the same database, because so many failures from one address end in 429.
    const other = await createWorld({ database: world.database });
    const dead = createRaw(other, key.secret);
    const statuses = [];
    for (const [, row] of guarded) statuses.push((await call(dead, row)).status);
    await other.close();
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 401));
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  it('when its owner is demoted to a position without keys, and reads again after the return', async () => {
    const { alice, workspaceId } = cast;
    const { bob } = await newMember();
    const key = await createKey(world, bob, { workspaceId, scopes: ['memories:read'] });
    const params = { workspaceId, id: bob.user.id };
    await alice.api('workspace_member.update', { params, body: { position: 'read-only' } });
    expect((await key.raw('GET', `/v1/memories/${workspaceId}`)).status).toBe(403);
    await alice.api('workspace_member.update', { params, body: { position: 'member' } });
    expect((await key.raw('GET', `/v1/memories/${workspaceId}`)).status).toBe(200);
  });

  it('when it is revoked, when it expires, and when its workspace is closed', async () => {
    const other = await createCast(world);
    const { alice, workspaceId } = other;
    const revoked = await createKey(world, alice, { workspaceId, scopes: ['profile', 'email'] });
    await alice.api('api_key.remove', { params: { workspaceId, id: revoked.key.id } });
    const expiresAt = new Date(world.clock.now().getTime() + MINUTE_MS).toISOString();
    const brief = await createKey(world, alice, { workspaceId, scopes: ['profile', 'email'], expiresAt });
    const kept = await createKey(world, alice, { workspaceId, scopes: ['profile', 'email'] });
    expect(await statusOf(revoked)).toBe(401);
    expect(await statusOf(brief)).toBe(200);
    world.clock.advance(MINUTE_MS);
    expect([await statusOf(brief), await statusOf(kept)]).toEqual([401, 200]);
    await alice.api('workspace.remove', { params: { workspaceId } });
    expect(await statusOf(kept)).toBe(401);
  });

  it('when its owner asks for the end of the account', async () => {
    const { bob } = await newMember();
    const key = await createKey(world, bob, { workspaceId: cast.workspaceId, scopes: ['profile', 'email'] });
    await bob.api('auth.remove', {});
    expect(await statusOf(key)).toBe(401);
  });

  const statusOf = async ({ raw }: TestKey) => (await raw('GET', '/v1/auth/whoami')).status;

  async function newMember() {
    const { bob } = await createCast(world);
    await join(world, cast.workspaceId, bob, 'member');
    return { bob };
  }
});

describe('what a key may do', () => {
  it('never exceeds the position of its owner', async () => {
    const other = await createCast(world);
    const space = await createBuild(other).space();
    const key = await createKey(world, other.bob, {
      workspaceId: other.workspaceId,
      scopes: ['spaces:write'],
    });
    const path = `/v1/spaces/${other.workspaceId}/${space.id}`;
    expect((await key.raw('PATCH', path, { body: { name: 'Mine now' } })).status).toBe(403);
  });

  it('marks what it saves as saved by the API', async () => {
    const body = { workspaceId: cast.workspaceId, title: 'By a program' };
    const { json } = await full.raw('POST', '/v1/memories', { body });
    expect(json?.result).toMatchObject({ origin: 'api', createdBy: cast.alice.user.id });
  });

  it('keeps an export as a memory only with the scope to write memories', async () => {
    const { workspaceId, alice } = cast;
    const thread = await createBuild(cast).thread();
    const reader = await createKey(world, alice, { workspaceId, scopes: ['threads:read'] });
    const body = { workspaceId, threadId: thread.id, destination: 'memory' };
    expect((await reader.raw('POST', '/v1/messages/export', { body })).status).toBe(403);
    expect((await full.raw('POST', '/v1/messages/export', { body })).status).toBe(201);
  });

  it('is refused by calls about the whole workspace while it is limited to spaces', async () => {
    const space = await createBuild(cast).space();
    const key = await createKey(world, cast.alice, { workspaceId: cast.workspaceId, scopes: ALL_SCOPES });
    await world.context.db
      .updateTable('api_key')
      .set({ spaceIds: [space.id] })
      .where('id', '=', key.key.id)
      .execute();
    for (const [name, row] of forKeys) {
      const { status, json } = await call(key.raw, row);
      const isRefused = status === 403 && json?.error?.detail.includes('whole workspace') === true;
      expect([name, isRefused]).toEqual([name, row.limitable !== true]);
    }
  });
});

describe('an OAuth token', () => {
  it('is held to its scopes, its workspace and its end', async () => {
    const { rita, workspaceId } = cast;
    const token = await storeToken(world, { userId: rita.user.id, workspaceId });
    const raw = createRaw(world, token);
    const path = `/v1/memories/${cast.workspaceId}`;
    const statuses = [
      await raw('GET', path),
      await raw('GET', `/v1/memories/${cast.evesWorkspaceId}`),
      await raw('GET', `/v1/spaces/${cast.workspaceId}`),
      await raw('GET', '/v1/sessions'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 403, 403, 403]);
    world.clock.advance(60 * MINUTE_MS);
    expect((await raw('GET', path)).status).toBe(401);
  });
});

describe('limits', () => {
  const limitOf = ({ headers }: RawAnswer) => headers.get('ratelimit-limit');

  it('differ by the kind of credential', async () => {
    const { workspaceId, alice } = cast;
    const search = { body: { workspaceId, query: 'x' } };
    const answers = [
      await alice.raw('GET', `/v1/memories/${workspaceId}`),
      await full.raw('GET', `/v1/memories/${workspaceId}`),
      await createRaw(world)('GET', '/v1/visibilities'),
      await alice.raw('POST', '/v1/memories/search', search),
      await full.raw('POST', '/v1/memories/search', search),
    ];
    expect(answers.map(limitOf)).toEqual(['1000', '600', '60', '60', '60']);
  });

  it('count each key by itself', async () => {
    const { workspaceId, alice } = cast;
    const left = ({ headers }: RawAnswer) => headers.get('ratelimit-remaining');
    const two = [
      await createKey(world, alice, { workspaceId, scopes: ['search:read'] }),
      await createKey(world, alice, { workspaceId, scopes: ['search:read'] }),
    ];
    const body = { workspaceId, query: 'x' };
    for (const { raw } of two) expect(left(await raw('POST', '/v1/memories/search', { body }))).toBe('59');
  });

  it('stop guesses at keys from one address, and let sessions from there pass', async () => {
    const guessed = await createWorld({ database: world.database });
    const guess = () => createRaw(guessed, newId('api_key_token'))('GET', '/v1/auth/whoami');
    for (let n = 0; n < 30; n += 1) expect((await guess()).status).toBe(401);
    expect((await guess()).status).toBe(429);
    expect((await createRaw(guessed, full.secret)('GET', '/v1/auth/whoami')).status).toBe(429);
    expect((await createRaw(guessed, cast.alice.token)('GET', '/v1/auth/whoami')).status).toBe(200);
    await guessed.close();
  });
});

describe('making keys', () => {
  it('shows the secret to the request that made it, however often it is sent, and stores it nowhere', async () => {
    const { workspaceId, alice } = cast;
    const body = { workspaceId, name: 'Twice', scopes: ['memories:read'] };
    const headers = { 'idempotency-key': 'the same' };
    const first = await alice.raw('POST', '/v1/api_keys', { body, headers });
    const second = await alice.raw('POST', '/v1/api_keys', { body, headers });
    const secrets = [first, second].map(({ json }) => String(Object(json?.result).secret));
    expect(secrets[0]).toMatch(/^sk_[a-z1-9]{64}$/);
    expect(secrets[1]).toBe(secrets[0]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    // Another session of the same person has the key of the request, and not its token.
    const { result } = await createApi(world)('auth.login', {
      body: { email: alice.user.email, password: TEST_PASSWORD },
    });
    const elsewhere = await createRaw(world, result.token)('POST', '/v1/api_keys', { body, headers });
    expect(elsewhere.status).toBe(422);
    const shown = (await alice.api('api_key.list', { params: { workspaceId } })).result;
    const stored = JSON.stringify([
      shown,
      await world.context.db.selectFrom('api_key').selectAll().execute(),
      await world.context.db.selectFrom('idempotency_key').selectAll().execute(),
      await world.context.db.selectFrom('notification').selectAll().execute(),
    ]);
    for (const secret of secrets) expect(stored).not.toContain(secret);
    expect(shown.map(({ last4 }) => last4)).toContain(secrets[0]?.slice(-4));
  });

  it('gives a year, another end or none, and no end in the past', async () => {
    const { workspaceId, alice } = cast;
    const make = (expiresAt?: string | null) =>
      alice.raw('POST', '/v1/api_keys', {
        body: { workspaceId, name: 'Key', scopes: ['profile'], expiresAt },
      });
    const now = world.clock.now().getTime();
    expect((await make()).json?.result).toMatchObject({
      expiresAt: new Date(now + 365 * DAY_MS).toISOString(),
    });
    expect((await make(null)).json?.result).toMatchObject({ expiresAt: null });
    expect((await make(new Date(now).toISOString())).status).toBe(400);
  });

  it('is for members and above; members see and revoke their own, owners all', async () => {
    const { workspaceId, alice, bob, rita } = await createCast(world);
    await verifyAddress(world, rita);
    const body = { workspaceId, name: 'Key', scopes: ['profile'] };
    expect((await rita.raw('POST', '/v1/api_keys', { body })).status).toBe(403);
    expect((await rita.raw('GET', `/v1/api_keys/${workspaceId}`)).status).toBe(403);
    const hers = await createKey(world, alice, { workspaceId, scopes: ['profile'] });
    const his = await createKey(world, bob, { workspaceId, scopes: ['profile'] });
    const list = async (who: typeof bob) =>
      (await who.api('api_key.list', { params: { workspaceId } })).result.map(({ id }) => id);
    expect(await list(bob)).toEqual([his.key.id]);
    expect(new Set(await list(alice))).toEqual(new Set([hers.key.id, his.key.id]));
    const remove = (who: typeof bob, id: string) => who.raw('DELETE', `/v1/api_keys/${workspaceId}/${id}`);
    expect((await remove(bob, hers.key.id)).status).toBe(404);
    expect((await remove(alice, his.key.id)).status).toBe(200);
    expect((await remove(alice, his.key.id)).status).toBe(404);
    const notices = (await bob.api('notification.list', {})).result.map(({ triggerId }) => triggerId);
    expect(notices).toEqual(expect.arrayContaining(['api_key.created', 'api_key.revoked']));
  });

  it('needs a verified address, a known scope and at least one', async () => {
    const { workspaceId, bob } = await createCast(world);
    const make = (scopes: string[]) =>
      bob.raw('POST', '/v1/api_keys', { body: { workspaceId, name: 'Key', scopes } });
    await unverifyAddress(world, bob);
    expect((await make(['profile'])).status).toBe(403);
    await verifyAddress(world, bob);
    expect((await make([])).status).toBe(400);
    expect((await make(['billing:read'])).status).toBe(400);
    expect((await make(['profile'])).status).toBe(201);
  });

  it('writes the last use at most every five minutes, and none of a call that was refused', async () => {
    const { workspaceId, alice } = cast;
    const { raw, key } = await createKey(world, alice, { workspaceId, scopes: ['profile', 'email'] });
    const lastUse = async () =>
      (await alice.api('api_key.get', { params: { workspaceId, id: key.id } })).result.lastUsedAt;
    const first = world.clock.now().toISOString();
    expect(await lastUse()).toBeNull();
    expect((await raw('GET', `/v1/memories/${workspaceId}`)).status).toBe(403);
    expect(await lastUse()).toBeNull();
    await raw('GET', '/v1/auth/whoami');
    world.clock.advance(5 * MINUTE_MS - 1);
    await raw('GET', '/v1/auth/whoami');
    expect(await lastUse()).toBe(first);
    world.clock.advance(1);
    await raw('GET', '/v1/auth/whoami');
    expect(await lastUse()).toBe(world.clock.now().toISOString());
  });
});
