/**
 * ETag and If-Match on every row: the state that was read is the state that is changed, whatever comes between, and for
 * calls without a readable row the condition fails instead of being ignored.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { stateCallsOf, type AnyEndpoint } from '#shared/define/endpoint.ts';
import { fillPath } from '#shared/define/fill-path.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { createRaw, type RawRequest } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { openWorld } from '#tests/support/world.ts';

const endpoints: Readonly<Record<string, AnyEndpoint>> = ENDPOINTS;
const stateCalls = stateCallsOf(ENDPOINTS);

/** Calls that change no single row which the caller can read. */
const STATELESS = [
  'auth.disconnect',
  'passkey.update',
  'passkey.remove',
  'second_factor.remove',
  'invite.answer',
  'share.leave',
  'push.unsubscribe',
  'connected_app.remove',
];

const world = await openWorld();
const cast = await createCast(world);
const build = createBuild(cast);

it('every PUT, PATCH and DELETE has a call that reads what it changes', () => {
  const changes = Object.entries(endpoints).filter(([, { method }]) => /PUT|PATCH|DELETE/.test(method));
  const without = changes.map(([name]) => name).filter((name) => !stateCalls.has(name));
  expect(without).toEqual(STATELESS);
  for (const [, state] of stateCalls) expect([state, endpoints[state]?.method]).toEqual([state, 'GET']);
});

/** A row of each kind that alice can change with a patch, and what she would change. */
interface Row {
  path: string;
  method: string;
  change: unknown;
  other: unknown;
}

async function rowsOfEachKind(): Promise<Record<string, Row>> {
  const { workspaceId } = cast;
  const [memory, space, thread] = [await build.memory(), await build.space(), await build.thread()];
  const { result: client } = await cast.alice.api('oauth_client.create', {
    body: { ...CLIENT, workspaceId, confidential: false },
  });
  return {
    memory: patch(`/v1/memories/${workspaceId}/${memory.id}`, 'title'),
    space: patch(`/v1/spaces/${workspaceId}/${space.id}`, 'name'),
    thread: patch(`/v1/threads/${workspaceId}/${thread.id}`, 'name'),
    workspace: patch(`/v1/workspaces/${workspaceId}`, 'name'),
    workspace_member: {
      path: `/v1/workspace_members/${workspaceId}/${cast.bob.user.id}`,
      method: 'PATCH',
      change: { position: 'admin' },
      other: { position: 'member' },
    },
    oauth_client: {
      path: `/v1/oauth_clients/${workspaceId}/${client.id}`,
      method: 'PUT',
      change: { ...CLIENT, name: 'Changed' },
      other: { ...CLIENT, name: 'Changed again' },
    },
  };
}

const CLIENT = {
  name: 'An app',
  description: null,
  email: null,
  logoUrl: null,
  websiteUrl: null,
  privacyPolicyUrl: null,
  termsOfServiceUrl: null,
  redirectUris: ['https://app.example/callback'],
};

const patch = (path: string, field: string): Row => ({
  path,
  method: 'PATCH',
  change: { [field]: 'Changed' },
  other: { [field]: 'Changed again' },
});

const KINDS = ['memory', 'space', 'thread', 'workspace', 'workspace_member', 'oauth_client'];

describe('a row', () => {
  let rows: Record<string, Row>;
  beforeAll(async () => {
    rows = await rowsOfEachKind();
  });

  it.each(KINDS)('of kind %s is changed once for one state', async (kind) => {
    const { path, method, change, other } = rowOf(rows, kind);
    const { raw } = cast.alice;
    const read = await raw('GET', path);
    const etag = etagOf(read.headers);
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    const first = await raw(method, path, { body: change, headers: { 'if-match': etag } });
    expect(first.status).toBe(200);
    const late = await raw(method, path, { body: other, headers: { 'if-match': etag } });
    expect([late.status, late.json?.error]).toEqual([
      412,
      {
        message: 'Precondition Failed',
        detail: 'It has changed since you read it; read it again and repeat the change',
        code: 'precondition_failed',
      },
    ]);
    const again = await raw('GET', path);
    expect(again.json?.result).toMatchObject(Object(change));
    // The answer to the change already names the state after it.
    expect(etagOf(again.headers)).toBe(etagOf(first.headers));
    const third = await raw(method, path, {
      body: other,
      headers: { 'if-match': `"else", ${etagOf(again.headers)}` },
    });
    expect(third.status).toBe(200);
  });

  it.each(KINDS)('of kind %s takes * for any state and refuses what is no ETag', async (kind) => {
    const { path, method, change } = rowOf(rows, kind);
    const send = async (ifMatch: string) =>
      (await cast.alice.raw(method, path, { body: change, headers: { 'if-match': ifMatch } })).status;
    expect(await send('*')).toBe(200);
    expect(await send('no-quotes')).toBe(400);
    // RFC 9110 compares strongly here, so a weak tag matches nothing.
    const etag = etagOf((await cast.alice.raw('GET', path)).headers);
    expect(await send(`W/${etag}`)).toBe(412);
  });

  it('is not sent again to a reader who has it', async () => {
    const { path } = rowOf(rows, 'memory');
    const etag = etagOf((await cast.alice.raw('GET', path)).headers);
    // Over plain HTTP, because fetch asks every cache on the way to be passed by.
    const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    const { status, text } = await cast.alice.raw('GET', path, { headers });
    expect([status, text]).toEqual([304, '']);
  });

  it('is deleted only in the state that was read', async () => {
    const space = await build.space();
    const memory = await build.memory();
    await build.link(space.id, memory.id);
    const thread = await build.thread();
    const key = await createKey(world, cast.alice, { workspaceId: cast.workspaceId, scopes: ['profile'] });
    for (const path of [
      `/v1/space_memories/${cast.workspaceId}/${space.id}/${memory.id}`,
      `/v1/memories/${cast.workspaceId}/${memory.id}`,
      `/v1/spaces/${cast.workspaceId}/${space.id}`,
      `/v1/threads/${cast.workspaceId}/${thread.id}`,
      `/v1/api_keys/${cast.workspaceId}/${key.key.id}`,
    ]) {
      const remove = async (ifMatch: string) =>
        (await cast.alice.raw('DELETE', path, { headers: { 'if-match': ifMatch } })).status;
      expect([path, await remove('"another state"')]).toEqual([path, 400]);
      expect([path, await remove('"another-state"')]).toEqual([path, 412]);
      const etag = etagOf((await cast.alice.raw('GET', path)).headers);
      expect([path, await remove(etag)]).toEqual([path, 200]);
    }
  });

  it('of other people is not revealed by a condition', async () => {
    const { path } = rowOf(rows, 'memory');
    const etag = etagOf((await cast.alice.raw('GET', path)).headers);
    const other = await cast.eve.raw('PATCH', path, { body: { title: 'x' }, headers: { 'if-match': etag } });
    expect(other.status).toBe(403);
    const unknown = fillPath('/v1/memories/{workspaceId}/{id}', {
      workspaceId: cast.workspaceId,
      id: build.nowhere().memory,
    });
    const missing = await cast.alice.raw('PATCH', unknown, {
      body: { title: 'x' },
      headers: { 'if-match': etag },
    });
    expect(missing.status).toBe(404);
  });
});

it('two changes for one state at once: one is made, the other is refused', async () => {
  const { workspaceId, alice, bob } = cast;
  await alice.api('workspace_member.update', {
    params: { workspaceId, id: bob.user.id },
    body: { position: 'admin' },
  });
  for (let round = 0; round < 10; round += 1) {
    const { id } = await build.memory({ title: 'Contended' });
    const path = `/v1/memories/${workspaceId}/${id}`;
    const etag = etagOf((await alice.raw('GET', path)).headers);
    const change = (raw: RawRequest, title: string) =>
      raw('PATCH', path, { body: { title }, headers: { 'if-match': etag } });
    const answers = await Promise.all([change(alice.raw, 'Hers'), change(bob.raw, 'His')]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 412]));
    const kept = answers.find(({ status }) => status === 200)?.json?.result;
    expect((await alice.raw('GET', path)).json?.result).toEqual(kept);
  }
});

it('a condition on a call without a readable row fails instead of being ignored', async () => {
  const path = `/v1/connected_apps/${cast.workspaceId}/${'oauth_client_'.concat('a'.repeat(24))}`;
  const { status, json } = await cast.alice.raw('DELETE', path, { headers: { 'if-match': '"x"' } });
  expect([status, json?.error?.code]).toEqual([412, 'precondition_failed']);
});

it('both addresses of a notification delete it', async () => {
  const { alice, workspaceId } = cast;
  for (const address of ['notification', 'notifications']) {
    await createKey(world, alice, { workspaceId, scopes: ['profile'] });
    const [newest] = (await alice.api('notification.list', {})).result;
    const path = `/v1/${address}/${newest?.id ?? ''}`;
    expect((await alice.raw('DELETE', path, { headers: { 'if-match': '"x"' } })).status).toBe(412);
    expect((await alice.raw('DELETE', path)).status).toBe(200);
    expect((await alice.raw('DELETE', path)).status).toBe(404);
    expect((await createRaw(world)('DELETE', path)).status).toBe(401);
  }
});

function etagOf(headers: Headers): string {
  return headers.get('etag') ?? '';
}

function rowOf(rows: Record<string, Row>, kind: string): Row {
  const row = rows[kind];
  if (!row) throw new Error(`There is no row of kind ${kind}`);
  return row;
}
