/** The sample space of a new workspace through HTTP: what is in it, that it comes once, and who may ask for it. */
import { expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { createCast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);

const path = () => `/v1/workspaces/${cast.workspaceId}/sample`;

it('is refused to strangers, to read-only members, and for unknown workspaces', async () => {
  expect((await cast.eve.raw('POST', path())).status).toBe(403);
  expect((await cast.rita.raw('POST', path())).status).toBe(403);
  expect((await cast.alice.raw('POST', `/v1/workspaces/${newId('workspace')}/sample`)).status).toBe(403);
  const { result } = await cast.alice.api('space.list', { params: { workspaceId: cast.workspaceId } });
  expect(result.map(({ slug }) => slug)).not.toContain('start-here');
});

it('comes once, also when it is asked for twice at once, with memories of the origin system', async () => {
  const { workspaceId } = cast;
  const answers = await Promise.all([1, 2, 3].map(() => cast.alice.raw('POST', path())));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ json }) => JSON.stringify(json?.result))).size).toBe(1);
  const { result: spaces } = await cast.alice.api('space.list', { params: { workspaceId } });
  const [space] = spaces.filter(({ slug }) => slug === 'start-here');
  const { result: links } = await cast.alice.api('space_memory.list', {
    params: { workspaceId },
    query: { spaceId: space?.id ?? '' },
  });
  expect(links).toHaveLength(5);
  const { result: memories } = await cast.alice.api('memory.list', { params: { workspaceId } });
  const inside = memories.filter(({ id }) => links.some(({ memoryId }) => memoryId === id));
  expect(inside.map(({ origin, contentStatus, ownerId }) => [origin, contentStatus, ownerId])).toEqual(
    Array.from({ length: 5 }, () => ['system', 'completed', cast.alice.user.id]),
  );
  expect(inside[0]?.title, 'the newest is the first to read').toBe('What a memory is');
});

it('can be found and read by other members', async () => {
  const { result } = await cast.bob.api('memory.search', {
    body: { workspaceId: cast.workspaceId, query: 'As We May Think' },
  });
  expect(result.map(({ title }) => title)).toContain('As We May Think');
});
