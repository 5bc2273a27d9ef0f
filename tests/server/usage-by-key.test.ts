/** Calls of API keys on the usage page: counted by every process, and still there after one has stopped. */
import { expect, it } from 'vitest';
import { createRaw, type RawRequest } from '#tests/support/agent.ts';
import { createCast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';

const world = await openWorld();

it('counts calls by key over every process and after a restart, with the names of keys that are left', async () => {
  const own = await createCast(world);
  const { alice, workspaceId } = own;
  const [used, gone] = [
    await createKey(world, alice, { workspaceId, scopes: ['memories:read'] }),
    await createKey(world, alice, { workspaceId, scopes: ['memories:read'] }),
  ];
  const list = (raw: RawRequest) => raw('GET', `/v1/memories/${workspaceId}`);
  const second = await createWorld({ database: world.database });
  await list(used.raw);
  await list(createRaw(second, used.secret));
  await list(createRaw(second, used.secret));
  await list(gone.raw);
  // What a process has counted is written when it stops.
  await second.close();
  await alice.api('api_key.remove', { params: { workspaceId, id: gone.key.id } });
  const { result } = await alice.api('workspace.usage', { params: { workspaceId } });
  expect(result.api.byKey).toEqual([
    { id: used.key.id, name: used.key.name, requests: 3 },
    { id: gone.key.id, name: null, requests: 1 },
  ]);
});
