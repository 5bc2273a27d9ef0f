// The client's own engine against the real server over HTTP: first sync, edits, pokes, refusals and lost membership as
// a page sees them.
import { afterEach, describe, expect, it } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import { newId } from '#shared/ids.ts';
import { Replica } from '#client/replica/replica.ts';
import { ReplicaView } from '#client/replica/view.ts';
import { packedStore } from '#client/replica/worker/kv-store.ts';
import { systemActor, type ServerTx } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { changePosition, removeMember } from '#server/workspaces/membership.ts';
import type { Agent } from '#tests/support/agent.ts';
import { createCast } from '#tests/support/build.ts';
import { enginePort, until } from '#tests/support/engine-port.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';

const open: Replica[] = [];
const world = await openWorld();
const cast = await createCast(world);

afterEach(async () => {
  for (const replica of open.splice(0)) await replica.wipe();
});

const owner = () => ({ userId: cast.alice.user.id, position: 'owner' }) as const;

/** What a screen for members will do. */
async function inWorkspace(act: (tx: ServerTx) => Promise<unknown>): Promise<void> {
  await writeInRealm(world.context, cast.workspaceId, systemActor, act);
}

function connect(agent: Agent, network = { isDown: false }, { of = world, realm = cast } = {}): Replica {
  const reach: typeof fetch = async (...request) => {
    if (network.isDown) throw new TypeError('fetch failed');
    return await fetch(...request);
  };
  const replica = new Replica({
    port: enginePort({ fetch: reach, kvStore: packedStore }),
    session: { userId: agent.user.id, token: agent.token, apiBase: of.url, memoryOnly: true },
    now: () => of.clock.now().getTime(),
  });
  open.push(replica);
  replica.openWorkspace(realm.workspaceId);
  return replica;
}

const view = (replica: Replica) => new ReplicaView(replica.mirrors);
const ready = (replica: Replica) => until(() => replica.firstSync().state === 'ready');

describe('a replica on the real server', () => {
  it('loads the workspace, its members and the list of workspaces', async () => {
    const replica = connect(cast.alice);
    await ready(replica);
    await until(() => view(replica).count('workspace') === 1);
    expect(view(replica).position(cast.bob.user.id)).toBe('member');
    expect(view(replica).actor.position).toBe('owner');
    expect(view(replica).get('workspace', cast.workspaceId)?.slug).toBe(
      view(replica).list('workspace')[0]?.slug,
    );
  });

  it('shows another person’s edit by a poke, without asking', async () => {
    const [alice, bob] = [connect(cast.alice), connect(cast.bob)];
    await ready(alice);
    await ready(bob);
    const id = newId('memory');
    await alice.mutate('memory.create', { id, origin: 'web', title: 'From Alice' });
    await until(() => view(bob).get('memory', id)?.title === 'From Alice');
    await bob.mutate('memory.update', { id, title: 'From Bob' });
    await until(() => view(alice).get('memory', id)?.title === 'From Bob');
    expect(await until(() => alice.status().state === 'synced')).toBe(true);
  });

  it('shows what was saved over REST within a second, without asking', async () => {
    const bob = connect(cast.bob);
    await ready(bob);
    await until(() => bob.status().state === 'synced');
    const waits: number[] = [];
    for (const title of ['Over REST', 'Again', 'And again']) {
      const body = { workspaceId: cast.workspaceId, title, notes: 'Read your writes' };
      const { result } = await cast.bob.api('memory.create', { body });
      const begin = performance.now();
      expect(await until(() => view(bob).get('memory', result.id)?.title)).toBe(title);
      waits.push(performance.now() - begin);
    }
    // The machine may do something else meanwhile, but not each time.
    expect(Math.min(...waits)).toBeLessThan(1_000);
  });

  it('adds memories to spaces and messages to threads, both ways', async () => {
    const [alice, bob] = [connect(cast.alice), connect(cast.bob)];
    await ready(alice);
    await ready(bob);
    const [spaceId, memoryId] = [newId('space'), newId('memory')];
    await alice.mutate('space.create', { id: spaceId, name: 'Shared', slug: `shared-${spaceId.slice(-6)}` });
    await alice.mutate('memory.create', { id: memoryId, origin: 'web', title: 'Filed' });
    await alice.mutate('space_memory.create', { spaceId, memoryId });
    await until(() => view(bob).memoriesIn(spaceId).length === 1);
    await bob.mutate('space_memory.remove', { spaceId, memoryId });
    expect(await until(() => view(alice).countIn(spaceId) === 0)).toBe(true);
  });

  it('lists a refused offline change once, and removes it when acknowledged', async () => {
    const network = { isDown: false };
    const bob = connect(cast.bob, network);
    await ready(bob);
    network.isDown = true;
    await inWorkspace((tx) =>
      changePosition(tx, owner(), { userId: cast.bob.user.id, position: 'read-only' }),
    );
    await bob.mutate('memory.create', { id: newId('memory'), origin: 'web', title: 'Not allowed any more' });
    network.isDown = false;
    bob.syncNow();
    const isRefused = () => bob.status().state === 'attention' && bob.status().problems;
    const problems = await until(isRefused);
    expect(problems).toMatchObject([{ code: 'forbidden', args: { title: 'Not allowed any more' } }]);
    for (const problem of problems) await bob.discard(problem);
    await until(() => bob.status().state === 'synced');
    await inWorkspace((tx) => changePosition(tx, owner(), { userId: cast.bob.user.id, position: 'member' }));
  });

  it('is emptied within seconds when the person is removed from the workspace', async () => {
    const bob = connect(cast.bob);
    await ready(bob);
    await inWorkspace((tx) => removeMember(tx, owner(), cast.bob.user.id));
    await until(() => bob.revoked);
    expect(await until(() => view(bob).count('workspace_member') === 0)).toBe(true);
  });

  it('learns at once that its session was revoked on another device', async () => {
    const alice = connect(cast.alice);
    await ready(alice);
    await until(() => alice.status().state === 'synced');
    const { result } = await cast.alice.api('session.list', {});
    await cast.alice.api('session.remove', { params: { id: result[0]?.id ?? '' } });
    // Sooner than the stream would have looked at the session by itself.
    await until(() => alice.status().state === 'sign-in', SYNC.heartbeatMs / 2);
  });

  it('says that it is offline soon after its server has died', async () => {
    const dying = await createWorld();
    const realm = await createCast(dying);
    const bob = connect(realm.bob, { isDown: false }, { of: dying, realm });
    await until(() => bob.status().state === 'synced');
    await dying.close();
    // Long before it would have asked by itself.
    await until(() => bob.status().state === 'offline', SYNC.pullIntervalMs / 4);
  });
});
