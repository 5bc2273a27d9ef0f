/**
 * Spaces with more memories than one write moves: showing and hiding them writes no memory, people have all of it or
 * nothing, and everyone ends up with the right rows even when a server is killed half-way, runs twice or is one of two.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRASH_DAYS } from '#shared/memories/limits.ts';
import { SYNC } from '#shared/sync/limits.ts';
import type { Head } from '#shared/entities.ts';
import { newId, type Id } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import type { Visibility } from '#shared/spaces/visibility.ts';
import { openDatabase } from '#server/db/database.ts';
import { runMutation } from '#server/db/run-mutation.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { spaceEffects } from '#server/spaces/effects.ts';
import { PULL_STEPS } from '#server/sync/pull-steps.ts';
import { purgeTrash } from '#server/sync/retention.ts';
import { cookieSecret } from '#server/sync/secret.ts';
import { LARGE_SPACE } from '#server/sync/readers/space-audiences.ts';
import { removeMember } from '#server/workspaces/membership.ts';
import { mortalServer } from '#tests/support/mortal-server.ts';
import { createSyncWorld, type SyncWorld } from '#tests/support/sync-world.ts';
import { IS_WHOLE } from '#tests/support/whole-run.ts';
import { FuzzReplica } from './fuzz-replica.ts';
import { Oracle } from './oracle.ts';
import { asPerson } from '#server/sync/readable.ts';

const MANY = LARGE_SPACE + 150;

let world: SyncWorld;
let oracle: Oracle;
beforeAll(async () => {
  world = await createSyncWorld();
  oracle = new Oracle(world.database.url);
});
afterAll(async () => {
  await oracle.close();
  await world.database.drop();
});

type Home = 'none' | 'here' | 'elsewhere';

/** A person's replica, which checks every response against the oracle. */
async function replicaOf(userId: Id<'user'>, ws: Id<'workspace'>) {
  const replica = new FuzzReplica({ userId, realmId: ws, id: newId('user').slice(4) });
  const secret = await cookieSecret(world.database.db);
  const everSeen = new Set<string>();
  const pullOnce = async () => {
    const view = await oracle.view(userId, ws);
    for (const key of view.keys()) everSeen.add(key);
    return replica.pull({
      db: world.database.pullDb,
      secret,
      steps: PULL_STEPS,
      limits: SYNC,
      everSeen,
      view,
      isWatched: true,
    });
  };
  return {
    replica,
    /** Pulls until it is complete; returns how many rows of the kind it has then. */
    async catchUp(prefix = '4/m/'): Promise<number> {
      while (!(await pullOnce()));
      return [...replica.rows.keys()].filter((key) => key.startsWith(prefix)).length;
    },
  };
}

/** Alice's space with many memories, and a workspace with Bob in it; Carol is no member yet. */
async function stage({ home, visibility = 'workspace' }: { home: Home; visibility?: Visibility }) {
  const [alice, bob, carol] = [await world.user('alice'), await world.user('bob'), await world.user('carol')];
  const ws = await world.workspace(alice);
  await world.join(ws, bob, 'member');
  const mutate = (
    name: 'space.update' | 'space.remove' | 'space.restore',
    more: { visibility?: Visibility } = {},
  ) =>
    runMutation(
      { ...world.host, effects: spaceEffects },
      { actor: asPerson(alice), realmId: ws, name, args: { id: space, at: world.at(), ...more } },
    );
  const room = async (to: Visibility): Promise<Id<'space'>> => {
    const id = newId('space');
    const args = { id, at: world.at(), name: 'Room', slug: id.slice(4, 20), visibility: to };
    await world.mutate(alice, ws, 'space.create', args);
    return id;
  };
  const space = await room(visibility);
  const homeId = home === 'none' ? null : home === 'here' ? space : await room('private');
  const ids = Array.from({ length: MANY }, () => newId('memory'));
  const add = (some: readonly Id<'memory'>[]) =>
    writeInRealm(world.host, ws, systemActor, async (tx) => {
      await tx.insertMany(
        'memory',
        some.map((id) => memoryOf(id, { alice, ws, homeId })),
      );
      await tx.insertMany(
        'space_memory',
        some.map((memoryId) => {
          return { workspaceId: ws, spaceId: space, memoryId, createdBy: alice, created: world.at() };
        }),
      );
    });
  for (let n = 0; n < MANY; n += 100) await add(ids.slice(n, n + 100));
  return {
    alice,
    bob,
    carol,
    ws,
    space,
    ids,
    mutate,
    show: (to: Visibility) => mutate('space.update', { visibility: to }),
  };
}

function memoryOf(
  id: Id<'memory'>,
  { alice, ws, homeId }: { alice: Id<'user'>; ws: Id<'workspace'>; homeId: Id<'space'> | null },
): Head<'memory'> {
  return {
    id,
    workspaceId: ws,
    ownerId: alice,
    createdBy: alice,
    lastEditedBy: alice,
    spaceId: homeId,
    type: 'note',
    origin: 'import',
    contentStatus: 'completed',
    metadata: {},
    title: 'many',
    tags: [],
    description: null,
    summary: null,
    url: null,
    ...bodyFields('text'),
    screenshot: null,
    filename: null,
    uploadId: null,
    archived: false,
    created: world.at(),
    updated: world.at(),
    deletedAt: null,
  };
}

async function count(query: ReturnType<typeof sql<{ n: number }>>): Promise<number> {
  const { rows } = await query.execute(world.database.db);
  return rows[0]?.n ?? -1;
}

const isLarge = (space: string) =>
  count(
    sql<{
      n: number;
    }>`select count(*) as n from "sync_space_audience" where "spaceId" = ${space}`,
  );

describe.each<Home>(IS_WHOLE ? ['none', 'here', 'elsewhere'] : ['elsewhere'])(
  'a large space of memories whose home is %s',
  (home) => {
    it('is shown and hidden without a new entry of any memory, and people have all of it or nothing', async () => {
      const { alice, bob, ws, space, show } = await stage({ home });
      expect(await isLarge(space)).toBe(1);
      const [hers, his] = [await replicaOf(alice, ws), await replicaOf(bob, ws)];
      const his0 = home === 'none' ? MANY : 0;
      expect(await hers.catchUp()).toBe(MANY);
      expect(await his.catchUp()).toBe(MANY);
      let wasOutside = false;
      for (const visibility of ['private', 'workspace', 'custom', 'public', 'custom'] as const) {
        const { version } = await show(visibility);
        const written = sql<{ n: number }>`
        select count(*) as n from "sync_entry" where "realmId" = ${ws} and "ver" = ${version} and "kind" <> 'space'`;
        // People from outside get an audience of their own once, for what the whole workspace reads otherwise.
        const isFirst: boolean = visibility === 'custom' && !wasOutside;
        wasOutside ||= isFirst;
        expect(await count(written)).toBe(isFirst && home === 'none' ? MANY : 0);
        const isOpen = visibility === 'workspace' || visibility === 'public';
        expect(await his.catchUp()).toBe(isOpen ? MANY : his0);
        expect(await his.catchUp('5/sm/')).toBe(isOpen ? MANY : 0);
        expect(await hers.catchUp()).toBe(MANY);
      }
    });

    it('is read by guests from its first opening, each memory once', async () => {
      const { alice, carol, ws, space, ids, show } = await stage({ home, visibility: 'private' });
      const [first] = ids;
      if (first === undefined) throw new Error('the stage has no memories');
      const named = { resourceId: space, holder: carol, level: 'read' as const, at: world.at() };
      await world.mutate(alice, ws, 'grant.put', named);
      const hers = await replicaOf(carol, ws);
      expect(await hers.catchUp()).toBe(0);
      await show('custom');
      expect(await hers.catchUp()).toBe(MANY);
      await show('private');
      await world.mutate(alice, ws, 'memory.update', { id: first, at: world.at(), title: 'Changed' });
      await show('custom');
      expect(await hers.catchUp()).toBe(MANY);
      const outside = sql<{ n: number }>`
        select count(*) as n from "sync_entry" where "audienceId" = ${`o:${space}`} and "live"`;
      expect(await count(outside)).toBe(home === 'none' ? MANY : 0);
    });

    it('is deleted, restored and hidden while a member is away', async () => {
      const { bob, ws, mutate, show } = await stage({ home });
      const his = await replicaOf(bob, ws);
      await his.catchUp();
      await mutate('space.remove');
      expect(await his.catchUp()).toBe(home === 'elsewhere' ? 0 : MANY);
      await mutate('space.restore');
      expect(await his.catchUp('5/sm/')).toBe(MANY);
      await show('private');
      await show('workspace');
      expect(await his.catchUp('5/sm/')).toBe(MANY);
      await show('private');
      await mutate('space.remove');
      expect(await his.catchUp('5/sm/')).toBe(0);
    });

    it('is read by who joins and no longer by who has left', async () => {
      const { alice, bob, carol, ws, space } = await stage({ home });
      const [his, other] = [await replicaOf(bob, ws), await replicaOf(carol, ws)];
      expect(await his.catchUp()).toBe(MANY);
      expect(await other.catchUp()).toBe(0);
      await world.join(ws, carol, 'read-only');
      expect(await other.catchUp()).toBe(MANY);
      await writeInRealm(world.host, ws, asPerson(alice), (tx) =>
        removeMember(tx, { userId: alice, position: 'owner' }, bob),
      );
      expect(await his.catchUp()).toBe(0);
      const left = sql<{ n: number }>`
      select count(*) as n from "sync_audience_member" where "userId" = ${bob} and "realmId" = ${ws}`;
      expect(await count(left)).toBe(0);
      expect(
        await count(
          sql`select count(*) as n from "sync_audience_member" where "audienceId" = ${`s:${space}`}`,
        ),
      ).toBe(2);
    });

    it('goes from the trash in pieces, also after a kill, and takes its audiences along', async () => {
      const { alice, bob, ws, space, mutate } = await stage({ home });
      const [hers, his] = [await replicaOf(alice, ws), await replicaOf(bob, ws)];
      await Promise.all([hers.catchUp(), his.catchUp()]);
      const later = new Date(Date.parse(world.at()) + (TRASH_DAYS + 1) * 86_400_000);
      // What other tests have left in the trash.
      await purgeTrash(world.host, later);
      await mutate('space.remove');
      await expect(purgeTrash(mortalServer(world.host, 1), later)).rejects.toThrow('killed');
      const links = sql<{ n: number }>`select count(*) as n from "space_memory" where "spaceId" = ${space}`;
      expect(await count(links)).toBeGreaterThan(0);
      expect(await count(links)).toBeLessThan(MANY);
      await Promise.all([hers.catchUp(), his.catchUp()]);
      expect(await purgeTrash(world.host, later)).toBe(1);
      expect(await purgeTrash(world.host, later)).toBe(0);
      expect([await hers.catchUp(), await his.catchUp()]).toEqual([MANY, home === 'elsewhere' ? 0 : MANY]);
      for (const [table, column] of [
        ['space', 'id'],
        ['space_memory', 'spaceId'],
        ['sync_space_audience', 'spaceId'],
      ] as const) {
        expect(
          await count(sql`select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} = ${space}`),
        ).toBe(0);
      }
      expect(
        await count(
          sql`select count(*) as n from "sync_audience_member" where "audienceId" like ${`%:${space}`}`,
        ),
      ).toBe(0);
    });
  },
);

describe('a large space', () => {
  it('that is switched on two servers at once is never half shown', async () => {
    const { bob, ws, show, ...at } = await stage({ home: 'here' });
    const second = openDatabase({
      url: world.database.url,
      name: 'second',
      size: 3,
      onError: () => undefined,
    });
    const onSecond = (visibility: Visibility) =>
      runMutation(
        { ...world.host, db: second.db, writeDb: second.db, effects: spaceEffects },
        {
          actor: asPerson(at.alice),
          realmId: ws,
          name: 'space.update' as const,
          args: {
            id: at.space,
            at: world.at(),
            visibility,
          },
        },
      );
    const his = await replicaOf(bob, ws);
    await his.catchUp();
    const switches = Promise.all(
      (['private', 'workspace', 'private', 'public', 'workspace', 'private'] as const).flatMap(
        (visibility) => [show(visibility), onSecond(visibility)],
      ),
    );
    const state = { isOver: false };
    const over = switches.finally(() => {
      state.isOver = true;
    });
    const seen = new Set<number>();
    while (!state.isOver) seen.add(await snapshotOf(bob, at.space));
    await over;
    await second.close();
    expect([...seen].filter((n) => n !== 0 && n !== MANY)).toEqual([]);
    await his.catchUp();
  });

  it('is entered and left by memories that move', async () => {
    const { alice, bob, ws, space, ids, show } = await stage({ home: 'here' });
    const his = await replicaOf(bob, ws);
    await show('private');
    expect(await his.catchUp()).toBe(0);
    const [first, second, third] = ids;
    if (!first || !second || !third) throw new Error('the stage has no memories');
    await world.mutate(alice, ws, 'memory.move', { id: first, at: world.at(), spaceId: null });
    expect(await his.catchUp()).toBe(1);
    await world.mutate(alice, ws, 'memory.move', { id: first, at: world.at(), spaceId: space });
    expect(await his.catchUp()).toBe(0);
    await world.mutate(alice, ws, 'space_memory.remove', {
      spaceId: space,
      memoryId: second,
      at: world.at(),
    });
    await writeInRealm(world.host, ws, systemActor, (tx) =>
      tx.removeMany('memory', [third, newId('memory')]),
    );
    await show('workspace');
    expect(await his.catchUp()).toBe(MANY - 1);
    expect(await his.catchUp('5/sm/')).toBe(MANY - 2);
  });
});

describe('a long thread', () => {
  it('goes from the trash in pieces, unless it is restored after the first', async () => {
    const [alice, bob] = [await world.user('alice'), await world.user('bob')];
    const ws = await world.workspace(alice);
    await world.join(ws, bob, 'member');
    const id = newId('thread');
    await world.mutate(alice, ws, 'thread.create', {
      id,
      at: world.at(),
      name: 'Long',
      visibility: 'workspace',
    });
    await world.mutate(bob, ws, 'thread.open', { id, at: world.at() });
    for (let n = 0; n < 250; n += 1) {
      const message = { id: newId('message'), threadId: id, content: `${n}`, at: world.at() };
      await world.mutate(alice, ws, 'message.create', message);
      world.tick(1);
    }
    const his = await replicaOf(bob, ws);
    expect(await his.catchUp('7/g/')).toBe(200);
    await world.mutate(alice, ws, 'thread.remove', { id, at: world.at() });
    const later = new Date(Date.parse(world.at()) + (TRASH_DAYS + 1) * 86_400_000);
    const messages = sql<{ n: number }>`select count(*) as n from "message" where "threadId" = ${id}`;
    await expect(purgeTrash(mortalServer(world.host, 1), later)).rejects.toThrow('killed');
    expect(await count(messages)).toBe(150);
    await world.mutate(alice, ws, 'thread.restore', { id, at: world.at() });
    await purgeTrash(world.host, later);
    expect(await count(messages)).toBe(150);
    expect(await his.catchUp('7/g/')).toBe(150);
    await world.mutate(alice, ws, 'thread.remove', { id, at: world.at() });
    expect(await purgeTrash(world.host, later)).toBe(1);
    expect(await count(messages)).toBe(0);
    expect(await his.catchUp('7/g/')).toBe(0);
  });
});

/** How many memories of a space one snapshot of the feed lets a person read. */
async function snapshotOf(userId: Id<'user'>, space: Id<'space'>): Promise<number> {
  return count(sql<{ n: number }>`
    select count(distinct e."entityId") as n from "sync_entry" e
    join "sync_audience_member" m on m."audienceId" = e."audienceId" and m."userId" = ${userId}
    join "memory" row on row."id" = e."entityId" and row."spaceId" = ${space} where e."live"`);
}
