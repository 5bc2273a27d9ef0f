/** API keys that are limited to spaces: which can be chosen, what such a key reaches, and what is refused. */
import { beforeEach, expect, it } from 'vitest';
import type { Scope } from '#shared/api-keys/scopes.ts';
import { CREDENTIAL_SPACES_MAX } from '#shared/api-keys/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import { createApi, createRaw, type Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { openEventStream } from '#tests/support/event-stream.ts';
import { openWorld } from '#tests/support/world.ts';

const READING: Scope[] = ['memories:read', 'spaces:read', 'search:read'];

let cast: Cast;
const world = await openWorld();
beforeEach(async () => {
  cast = await createCast(world);
});

const create = (
  { raw }: Pick<Agent, 'raw'>,
  spaceIds: unknown,
  {
    scopes = READING,
    workspaceId = cast.workspaceId,
  }: { scopes?: Scope[]; workspaceId?: Id<'workspace'> } = {},
) => raw('POST', '/v1/api_keys', { body: { workspaceId, name: 'Key', scopes, spaceIds } });

it('reaches what is in its spaces and nothing else, and says which they are', async () => {
  const build = createBuild(cast);
  const [garden, kitchen] = [await build.space({ name: 'Garden' }), await build.space({ name: 'Kitchen' })];
  const pears = await build.memory({ title: 'Pears' });
  await build.memory({ title: 'Bread' });
  const { workspaceId, alice, bob } = cast;
  await build.link(garden.id, pears.id);
  const { result } = await bob.api('api_key.create', {
    body: { workspaceId, name: 'Key', scopes: READING, spaceIds: [garden.id, garden.id] },
  });
  expect(result.spaceIds).toEqual([garden.id]);
  const listed = await alice.api('api_key.list', { params: { workspaceId } });
  expect(listed.result).toMatchObject([{ id: result.id, spaceIds: [garden.id] }]);

  const key = createApi(world, result.secret);
  const memories = await key('memory.list', { params: { workspaceId } });
  expect(memories.result.map(({ title }) => title)).toEqual(['Pears']);
  const spaces = await key('space.list', { params: { workspaceId } });
  expect(spaces.result.map(({ id }) => id)).toEqual([garden.id]);
  const raw = createRaw(world, result.secret);
  expect((await raw('GET', `/v1/spaces/${workspaceId}/${kitchen.id}`)).status).toBe(404);
  const found = await raw('POST', '/v1/memories/search', { body: { workspaceId, query: 'Bread' } });
  expect(found.json?.result).toMatchObject([]);
  await alice.api('space.remove', { params: { workspaceId, id: garden.id } });
  expect((await key('memory.list', { params: { workspaceId } })).result).toEqual([]);
});

it('shows nothing of a space that its owner reads no more', async () => {
  const build = createBuild(cast);
  const { workspaceId, alice, bob } = cast;
  const space = await build.space({ name: 'Plans' });
  const memory = await build.memory({ title: 'For all' });
  await build.link(space.id, memory.id);
  const { result } = await bob.api('api_key.create', {
    body: { workspaceId, name: 'Key', scopes: READING, spaceIds: [space.id] },
  });
  const key = createApi(world, result.secret);
  expect((await key('memory.list', { params: { workspaceId } })).result).toHaveLength(1);
  const params = { workspaceId, id: space.id };
  await alice.api('space.update', { params, body: { visibility: 'private' } });
  expect((await bob.api('memory.list', { params: { workspaceId } })).result).toHaveLength(1);
  expect((await key('memory.list', { params: { workspaceId } })).result).toEqual([]);
});

it('is not limited without spaces', async () => {
  const { workspaceId, alice } = cast;
  const made = await alice.api('api_key.create', { body: { workspaceId, name: 'Key', scopes: READING } });
  expect(made.result.spaceIds).toBeNull();
  expect((await create(alice, null)).json?.result).toMatchObject({ spaceIds: null });
});

it('takes no space of others, no deleted one, none, too many or none at all', async () => {
  const build = createBuild(cast);
  const { alice, bob, eve, evesWorkspaceId, workspaceId } = cast;
  const open = await build.space({ name: 'Open' });
  const secret = await build.space({ name: 'Secret', visibility: 'private' });
  const gone = await build.space({ name: 'Gone' });
  await alice.api('space.remove', { params: { workspaceId, id: gone.id } });
  const hers = await eve.api('space.create', {
    body: { workspaceId: evesWorkspaceId, name: 'Hers', visibility: 'workspace' },
  });
  const refused: readonly [string, Agent, unknown][] = [
    ['a private space of another member', bob, [secret.id]],
    ['one that is not readable among others', bob, [open.id, secret.id]],
    ['a space of another workspace', alice, [hers.result.id]],
    ['a deleted space', alice, [gone.id]],
    ['a space that never was', alice, [newId('space')]],
    ['no space', alice, []],
    ['an id of another kind', alice, [workspaceId]],
    ['no list', alice, open.id],
    ['too many', alice, Array.from({ length: CREDENTIAL_SPACES_MAX + 1 }, () => newId('space'))],
  ];
  for (const [what, agent, spaceIds] of refused) {
    const { status, json } = await create(agent, spaceIds);
    expect([what, status, json?.error?.code]).toEqual([what, 400, 'invalid']);
    expect([what, json?.error?.detail.includes('Secret')]).toEqual([what, false]);
  }
  // The two cannot be told apart: whether a private space exists stays private.
  const [closed, missing] = [await create(bob, [secret.id]), await create(bob, [newId('space')])];
  expect(closed.json?.error).toEqual(missing.json?.error);
  expect((await create(eve, [open.id])).status).toBe(403);
  expect((await alice.api('api_key.list', { params: { workspaceId } })).result).toEqual([]);
  expect((await create(alice, [secret.id, open.id])).status).toBe(201);
});

it('has no scope for what belongs to no space', async () => {
  const space = await createBuild(cast).space();
  for (const scope of ['threads:read', 'messages:write', 'members:read'] as const) {
    const { status, json } = await create(cast.alice, [space.id], { scopes: ['memories:read', scope] });
    expect([status, json?.error?.detail]).toEqual([400, `scopes: ${scope} cannot be limited to spaces`]);
    expect((await create(cast.alice, null, { scopes: [scope] })).status).toBe(201);
  }
});

it('ends nothing that others follow when it writes', async () => {
  const build = createBuild(cast);
  const { workspaceId, alice } = cast;
  const garden = await build.space({ name: 'Garden' });
  const thread = await build.thread({ visibility: 'workspace' });
  const address = `${world.url}/v1/threads/${workspaceId}/${thread.id}/follow`;
  const stream = await openEventStream(address, { authorization: `Bearer ${alice.token}` });
  await stream.next();
  const { result } = await alice.api('api_key.create', {
    body: { workspaceId, name: 'Key', scopes: [...READING, 'memories:write'], spaceIds: [garden.id] },
  });
  const key = createApi(world, result.secret);
  await key('memory.create', { body: { workspaceId, title: 'Pears', spaceId: garden.id } });
  const params = { workspaceId, id: thread.id };
  await alice.api('thread.update', { params, body: { name: 'Still followed' } });
  expect((await stream.next())?.data.thread?.name).toBe('Still followed');
  stream.close();
});
