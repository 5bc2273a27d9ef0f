/** Who may list something publicly: people with a proven address, whatever door they come through. */
import { expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { unverifyAddress, verifyAddress } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);
await unverifyAddress(world, cast.alice);

const REFUSED = {
  status: 403,
  error: { code: 'forbidden', detail: 'Confirm your e-mail address first: Settings, Account' },
};

it('a space is listed by a person with a proven address only', async () => {
  const { alice, workspaceId } = cast;
  const body = { workspaceId, name: 'Tide pools', visibility: 'public' } as const;
  await expect(alice.api('space.create', { body })).rejects.toMatchObject(REFUSED);
  const space = await createBuild(cast).space({ visibility: 'unlisted' });
  const params = { workspaceId, id: space.id };
  const list = () => alice.api('space.update', { params, body: { visibility: 'public' } });
  await expect(list()).rejects.toMatchObject(REFUSED);
  expect((await alice.api('space.get', { params })).result.visibility).toBe('unlisted');
  await verifyAddress(world, alice);
  expect((await list()).result.visibility).toBe('public');
  await unverifyAddress(world, alice);
  // What is listed already can be edited and closed.
  const edited = await alice.api('space.update', { params, body: { name: 'Pools', visibility: 'public' } });
  expect(edited.result.name).toBe('Pools');
  await alice.api('space.update', { params, body: { visibility: 'private' } });
  await expect(list()).rejects.toMatchObject(REFUSED);
});

it('a thread is listed by a person with a proven address only', async () => {
  const { alice, workspaceId } = cast;
  const body = { workspaceId, name: 'Anemones', visibility: 'public' } as const;
  await expect(alice.api('thread.create', { body })).rejects.toMatchObject(REFUSED);
  const { result } = await alice.api('thread.create', { body: { workspaceId, name: 'Anemones' } });
  const params = { workspaceId, id: result.id };
  const show = (visibility: 'public' | 'unlisted') =>
    alice.api('thread.update', { params, body: { visibility } });
  await expect(show('public')).rejects.toMatchObject(REFUSED);
  expect((await show('unlisted')).result.visibility).toBe('unlisted');
  await verifyAddress(world, alice);
  expect((await show('public')).result.visibility).toBe('public');
  await unverifyAddress(world, alice);
});

it('unknown things are not found, also without a proven address', async () => {
  const { alice, workspaceId } = cast;
  const body = { visibility: 'public' } as const;
  const [space, thread] = [newId('space'), newId('thread')];
  await expect(alice.api('space.update', { params: { workspaceId, id: space }, body })).rejects.toMatchObject(
    {
      status: 404,
    },
  );
  await expect(
    alice.api('thread.update', { params: { workspaceId, id: thread }, body }),
  ).rejects.toMatchObject({ status: 404 });
});
