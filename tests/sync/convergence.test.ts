/**
 * Replicas, REST and jobs on one workspace, with two servers on one database: every replica ends up equal to the
 * oracle, whatever the order of events.
 */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId, type Id } from '#shared/ids.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { collectTombstones } from '#server/sync/retention.ts';
import { removeMember } from '#server/workspaces/membership.ts';
import { createCast, join, type Cast } from '#tests/support/build.ts';
import type { Agent } from '#tests/support/agent.ts';
import { openReplicas, type TestReplica } from '#tests/support/replicas.ts';
import { openWorld } from '#tests/support/world.ts';
import { Oracle } from './oracle.ts';
import { expectTruth } from './replica-truth.ts';
import { itLong } from '#tests/support/long-test.ts';

let cast: Cast;
const open: TestReplica[] = [];
const world = await openWorld();
const second = await openWorld({ database: world.database });
const oracle = new Oracle(world.database.url);
afterEach(async () => {
  await Promise.all(open.splice(0).map((replica) => replica.close()));
});
afterAll(async () => {
  await oracle.close();
  await second.close();
});

const at = () => world.clock.now().toISOString();

/** A replica that has received everything; an old app receives nothing. */
async function replicaOf(agent: Agent, schemaVersion?: string): Promise<TestReplica> {
  const realmId = cast.workspaceId;
  const servers = [world.url, second.url];
  const [replica] = openReplicas([
    {
      servers,
      token: agent.token,
      userId: agent.user.id,
      realmId,
      ...(schemaVersion ? { schemaVersion } : {}),
    },
  ]);
  if (replica === undefined) throw new Error('no replica');
  open.push(replica);
  if (schemaVersion === undefined) await replica.settle();
  return replica;
}

async function note(replica: TestReplica, title: string): Promise<Id<'memory'>> {
  const id = newId('memory');
  await replica.mutate('memory.create', { id, at: at(), origin: 'manual_entry', title });
  return id;
}

const settleAll = (replicas: readonly TestReplica[]) => Promise.all(replicas.map((one) => one.settle()));
/** When nothing is pending anywhere, every replica pulls once more and equals the oracle. */
const allTrue = async (replicas: readonly TestReplica[]) => {
  await settleAll(replicas);
  await settleAll(replicas);
  for (const replica of replicas) await expectTruth(replica, oracle, cast.workspaceId);
};
const titleIn = async (replica: TestReplica, id: string) =>
  [...(await replica.rows('4/m/'))].find(([key]) => key.endsWith(id))?.[1];

describe('replicas of one workspace', () => {
  beforeAll(async () => {
    cast = await createCast(world);
  });

  it('converge while people push from tabs, write over REST, and jobs write', async () => {
    const people = [cast.alice, cast.bob, cast.bob, cast.rita];
    const replicas = await Promise.all(people.map((agent) => replicaOf(agent)));
    const [alice, bob, tab] = replicas;
    if (!alice || !bob || !tab) throw new Error('no replicas');
    const pushing = async (replica: TestReplica, name: string) => {
      for (let n = 0; n < 15; n++) {
        const id = await note(replica, `${name} ${n}`);
        if (n % 3 === 0)
          await replica.mutate('memory.update', { id, at: at(), title: `${name} ${n} edited` });
        await replica.push();
      }
    };
    const rest = async () => {
      for (let n = 0; n < 15; n++) {
        const body = { workspaceId: cast.workspaceId, notes: `rest ${n}` };
        await cast.alice.api('memory.create', { body });
      }
    };
    const job = async () => {
      for (let n = 0; n < 15; n++) {
        await writeInRealm(second.context, cast.workspaceId, systemActor, async (tx) => {
          const { rows } = await sql<{ id: string }>`
            select "id" from "memory" where "workspaceId" = ${cast.workspaceId} limit 3`.execute(tx.trx);
          for (const { id } of rows) await tx.update('memory', id, { summary: `summary ${n}` });
        });
      }
    };
    await Promise.all([pushing(alice, 'alice'), pushing(bob, 'bob'), pushing(tab, 'tab'), rest(), job()]);
    await settleAll(replicas);
    await allTrue(replicas);
    expect((await tab.rows('4/m/')).size).toBe(60);
  });

  it('show a memory created over REST with the next pulls, at the version that REST returned', async () => {
    const replica = await replicaOf(cast.bob);
    await replica.settle();
    const body = { workspaceId: cast.workspaceId, notes: 'read your writes' };
    const { result, meta } = await cast.bob.api('memory.create', { body });
    // One pull may have been under way before the memory was there; a second one begins after it.
    await replica.pull();
    await replica.pull();
    expect(await titleIn(replica, result.id)).toBeDefined();
    const version = meta && 'syncVersion' in meta ? Number(meta.syncVersion) : 0;
    expect((await replica.state())?.v ?? 0).toBeGreaterThanOrEqual(version);
  });

  it('apply each mutation once and in order when the response to a push is lost', async () => {
    const replica = await replicaOf(cast.bob);
    const id = await note(replica, 'first');
    replica.weather.dropResponse = 1;
    await replica.mutate('memory.add_tags', { id, at: at(), tags: ['one'] });
    await replica.push();
    await replica.mutate('memory.update', { id, at: at(), title: 'second' });
    await replica.push();
    replica.online();
    await replica.settle();
    expect(await titleIn(replica, id)).toMatchObject({ title: 'second', tags: ['one'] });
    await expectTruth(replica, oracle, cast.workspaceId);
    const { rows } = await sql<{ last: number }>`
      select "lastMutationId" as "last" from "sync_client" where "id" = ${replica.replicache.clientID}`.execute(
      world.context.db,
    );
    expect(rows).toEqual([{ last: 3 }]);
  });

  it('report why a mutation was refused, revert its effect and continue with the next', async () => {
    const [alice, bob] = [await replicaOf(cast.alice), await replicaOf(cast.bob)];
    await settleAll([alice, bob]);
    const mine = await note(alice, 'only alice may delete this');
    await settleAll([alice, bob]);
    await bob.pull();
    bob.offline();
    // Alice hides it while bob is offline; his replica still believes that he may edit.
    const home = newId('space');
    await alice.mutate('space.create', {
      id: home,
      at: at(),
      name: 'Mine',
      slug: `h-${home.slice(-6)}`,
      visibility: 'private',
    });
    await alice.mutate('memory.move', { id: mine, at: at(), spaceId: home });
    await alice.settle();
    await bob.mutate('memory.update', { id: mine, at: at(), title: 'edited offline' });
    const later = await note(bob, 'after the refused one');
    expect(await titleIn(bob, mine)).toMatchObject({ title: 'edited offline' });
    bob.online();
    await bob.settle();
    expect(await titleIn(bob, mine)).toBeUndefined();
    expect(await titleIn(bob, later)).toMatchObject({ title: 'after the refused one' });
    const [result, ...others] = await bob.results();
    expect(others).toEqual([]);
    expect(result).toMatchObject({ code: 'not_found', args: { id: mine, title: 'edited offline' } });
    await bob.mutate('sync.ack_results', { ids: [`${result?.clientID}/${result?.mutationID}`] });
    await bob.settle();
    expect(await bob.results()).toEqual([]);
    await allTrue([alice, bob]);
  });

  itLong(
    'deliver a thousand offline changes, large ones among them, in batches that the server takes',
    async () => {
      const replica = await replicaOf(cast.bob);
      await replica.settle();
      replica.offline();
      const id = await note(replica, 'written on a train');
      for (let n = 0; n < 980; n++)
        await replica.mutate('memory.update', { id, at: at(), title: `station ${n}` });
      for (let n = 0; n < 20; n++) {
        const notes = `${n} ${'x'.repeat(60_000)}`;
        await replica.mutate('memory.create', { id: newId('memory'), at: at(), origin: 'clipboard', notes });
      }
      replica.online();
      await replica.settle(55_000);
      // Twenty bodies of 60 kB fill three requests, the small changes ten; more would be a loop.
      expect(replica.sent.filter((path) => path.endsWith('/push')).length).toBeLessThan(40);
      expect(await titleIn(replica, id)).toMatchObject({ title: 'station 979' });
      await expectTruth(replica, oracle, cast.workspaceId);
    },
  );
});

describe('access', () => {
  beforeAll(async () => {
    cast = await createCast(world);
  });

  it('that ends takes the rows at first contact, refuses what was written offline, and comes back whole', async () => {
    const [alice, bob] = [await replicaOf(cast.alice), await replicaOf(cast.bob)];
    await note(bob, 'shared');
    await settleAll([alice, bob]);
    bob.offline();
    await note(bob, 'written after the end');
    await writeInRealm(world.context, cast.workspaceId, systemActor, (tx) =>
      removeMember(tx, { userId: cast.alice.user.id, position: 'owner' }, cast.bob.user.id),
    );
    bob.online();
    await bob.settle();
    expect([...(await bob.rows()).keys()]).toEqual([]);
    expect(await bob.pending()).toBe(0);
    await join(world, cast.workspaceId, cast.bob, 'member');
    await settleAll([alice, bob]);
    await allTrue([alice, bob]);
    const titles = [...(await alice.rows('4/m/')).values()].map((row) => row);
    expect(titles).toHaveLength(1);
  });

  it('to a memory in two spaces lasts as long as one of them is readable', async () => {
    const [alice, bob] = [await replicaOf(cast.alice), await replicaOf(cast.bob)];
    await settleAll([alice, bob]);
    const [home, one, two] = [newId('space'), newId('space'), newId('space')];
    const id = newId('memory');
    for (const [space, visibility] of [
      [home, 'private'],
      [one, 'workspace'],
      [two, 'public'],
    ] as const) {
      await alice.mutate('space.create', {
        id: space,
        at: at(),
        name: 'S',
        slug: `s-${space.slice(-8)}`,
        visibility,
      });
    }
    await alice.mutate('memory.create', { id, at: at(), origin: 'text', title: 'hidden', spaceId: home });
    await alice.settle();
    await bob.settle();
    expect(await titleIn(bob, id)).toBeUndefined();
    for (const spaceId of [one, two]) {
      await alice.mutate('space_memory.create', { spaceId, memoryId: id, at: at() });
    }
    await alice.settle();
    await bob.settle();
    expect(await titleIn(bob, id)).toBeDefined();
    await alice.mutate('space.update', { id: one, at: at(), visibility: 'private' });
    await alice.settle();
    await bob.settle();
    expect(await titleIn(bob, id)).toBeDefined();
    await alice.mutate('space_memory.remove', { spaceId: two, memoryId: id, at: at() });
    await alice.settle();
    await bob.settle();
    expect(await titleIn(bob, id)).toBeUndefined();
    await allTrue([alice, bob]);
  });

  it('that was given and taken while a replica was offline leaves no trace in it', async () => {
    const [alice, bob] = [await replicaOf(cast.alice), await replicaOf(cast.bob)];
    const id = newId('thread');
    await alice.mutate('thread.create', { id, at: at(), name: 'quiet', visibility: 'private' });
    await settleAll([alice, bob]);
    bob.offline();
    for (const visibility of ['workspace', 'private'] as const) {
      await alice.mutate('thread.update', { id, at: at(), visibility });
      await alice.settle();
    }
    const heard: string[] = [];
    bob.replicache.experimentalWatch((diff) => void heard.push(...diff.map(({ key }) => key)), {
      prefix: '',
    });
    bob.online();
    await note(alice, 'something to hear of');
    await alice.settle();
    await bob.settle();
    expect(heard.join(' ')).not.toContain(id);
    await allTrue([alice, bob]);
  });
});

describe('replicas survive', () => {
  beforeAll(async () => {
    cast = await createCast(world);
  });

  it('the collection of tombstones: one that was away reloads, with its unsent changes', async () => {
    const [alice, bob] = [await replicaOf(cast.alice), await replicaOf(cast.bob)];
    const gone = await note(alice, 'will be purged');
    await settleAll([alice, bob]);
    bob.offline();
    const unsent = await note(bob, 'unsent');
    const { version } = await writeInRealm(world.context, cast.workspaceId, systemActor, (tx) =>
      tx.remove('memory', gone),
    );
    await note(alice, 'later');
    await alice.settle();
    await collectTombstones(world.context.db, cast.workspaceId, version);
    bob.online();
    await bob.settle();
    expect(await titleIn(bob, gone)).toBeUndefined();
    expect(await titleIn(bob, unsent)).toBeDefined();
    await alice.settle();
    await allTrue([alice, bob]);
  });

  it('being forgotten: the app is notified before anything is lost', async () => {
    const bob = await replicaOf(cast.bob);
    await note(bob, 'known');
    await bob.settle();
    await sql`delete from "sync_client_group" where "userId" = ${cast.bob.user.id}`.execute(world.context.db);
    const before = await bob.pending();
    await note(bob, 'unknown to the server');
    await bob.push();
    expect(bob.isForgotten).toBe(true);
    expect(before).toBe(0);
    expect(await bob.pending()).toBe(1);
  });

  it('an app that is too old, which must update and still has its changes', async () => {
    const bob = await replicaOf(cast.bob, '0');
    await bob.mutate('sync.ack_results', { ids: [] });
    await bob.push();
    await bob.pull();
    expect(bob.needsUpdate).toBe(true);
    expect(await bob.pending()).toBe(1);
  });
});
