/** A person's own sidebar on the wire: on all their devices, in no answer to anybody else, and gone with the membership. */
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { newId, type Id } from '#shared/ids.ts';
import type { Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, join, type Cast } from '#tests/support/build.ts';
import { openReplicas, type TestReplica } from '#tests/support/replicas.ts';
import { openWorld } from '#tests/support/world.ts';
import { Oracle } from './oracle.ts';
import { expectTruth } from './replica-truth.ts';

let cast: Cast;
const open: TestReplica[] = [];
const world = await openWorld();
const oracle = new Oracle(world.database.url);
beforeEach(async () => {
  cast = await createCast(world);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((replica) => replica.close()));
});
afterAll(async () => {
  await oracle.close();
});

const at = () => world.clock.now().toISOString();

function replicaOf({ token, user }: Agent): TestReplica {
  const who = { servers: [world.url], token, userId: user.id, realmId: cast.workspaceId };
  const [replica] = openReplicas([{ ...who, keepsAnswers: true }]);
  if (replica === undefined) throw new Error('no replica');
  open.push(replica);
  return replica;
}

const arranged = (userId: Id<'user'>) =>
  world.context.db
    .selectFrom('sidebar')
    .select(['pinned', 'order', 'collapsed', 'filters'])
    .where('workspaceId', '=', cast.workspaceId)
    .where('userId', '=', userId)
    .executeTakeFirst();

it('is the same on two devices that were offline, and reaches no other person', async () => {
  const { alice, bob } = cast;
  const build = createBuild(cast);
  const [one, two, three] = [await build.space(), await build.space(), await build.space()];
  const [phone, laptop, other] = [replicaOf(alice), replicaOf(alice), replicaOf(bob)];
  for (const replica of [phone, laptop, other]) await replica.settle();
  for (const replica of [phone, laptop]) replica.offline();
  await phone.mutate('sidebar.pin', { at: at(), spaceIds: [one.id] });
  await laptop.mutate('sidebar.pin', { at: at(), spaceIds: [two.id] });
  await laptop.mutate('sidebar.move', { at: at(), spaceId: three.id, section: 'spaces', above: [] });
  await laptop.mutate('sidebar.collapse', { at: at(), section: 'pinned', collapsed: true });
  await phone.mutate('sidebar.save_filter', { at: at(), name: 'Bread', query: 'tag=bread' });
  await laptop.mutate('sidebar.save_filter', { at: at(), name: 'Archive', query: 'view=archived' });
  phone.online();
  await phone.settle();
  laptop.online();
  for (const replica of [laptop, phone, other]) await replica.settle();
  expect(await arranged(alice.user.id)).toEqual({
    pinned: [one.id, two.id],
    order: [three.id],
    collapsed: ['pinned'],
    filters: { Archive: 'view=archived', Bread: 'tag=bread' },
  });
  for (const replica of [phone, laptop, other]) await expectTruth(replica, oracle, cast.workspaceId);
  expect(JSON.stringify(other.answers)).not.toContain('"pinned"');
  expect(JSON.stringify(other.answers)).not.toContain('1/sb/');
});

it("names no space that is out of the person's sight", async () => {
  const { alice, bob } = cast;
  const hidden = await createBuild(cast).space({ visibility: 'private' });
  const answers = await bob.raw('POST', `/v1/sync/${cast.workspaceId}/push`, {
    body: {
      pushVersion: 1,
      schemaVersion: '1',
      profileID: 'p',
      clientGroupID: newId('session'),
      mutations: ['sidebar.pin', 'sidebar.move'].map((name, index) => ({
        clientID: 'bobs-client',
        id: index + 1,
        timestamp: 1,
        name,
        args: { at: at(), spaceIds: [hidden.id], spaceId: hidden.id, section: 'pinned', above: [] },
      })),
    },
  });
  expect(answers.json).toMatchObject({ results: [{ code: 'not_found' }, { code: 'not_found' }] });
  expect([await arranged(bob.user.id), await arranged(alice.user.id)]).toEqual([undefined, undefined]);
});

it('ends with the membership and begins anew', async () => {
  const { alice, bob, workspaceId } = cast;
  const space = await createBuild(cast).space();
  const replica = replicaOf(bob);
  await replica.settle();
  await replica.mutate('sidebar.pin', { at: at(), spaceIds: [space.id] });
  await replica.settle();
  expect(await arranged(bob.user.id)).toMatchObject({ pinned: [space.id] });
  await alice.api('workspace_member.remove', { params: { workspaceId, id: bob.user.id } });
  expect(await arranged(bob.user.id)).toBeUndefined();
  await join(world, workspaceId, bob, 'member');
  const again = replicaOf(bob);
  await again.settle();
  await expectTruth(again, oracle, workspaceId);
});
