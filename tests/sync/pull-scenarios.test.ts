/**
 * Meetings of events that random histories reach too rarely, written out: each passes with the real pull and fails
 * with a pull that lacks the step made for it.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, type Id } from '#shared/ids.ts';
import { SYNC } from '#shared/sync/limits.ts';
import { backfillWhen, PULL_STEPS, type PullLimits, type PullSteps } from '#server/sync/pull-steps.ts';
import { cookieSecret } from '#server/sync/secret.ts';
import { applyMutation } from '#server/db/run-mutation.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { removeMember } from '#server/workspaces/membership.ts';
import { createSyncWorld, type SyncWorld } from '#tests/support/sync-world.ts';
import { forgetLostWithoutBorn } from './broken-steps.ts';
import { FuzzReplica, Mismatch } from './fuzz-replica.ts';
import { Oracle } from './oracle.ts';
import { asPerson } from '#server/sync/readable.ts';

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

/** Two members, and a replica of the second that pulls with the given steps. */
async function stage(steps: PullSteps) {
  const [mia, max] = [await world.user('mia'), await world.user('max')];
  const ws = await world.workspace(mia);
  await world.join(ws, max, 'member');
  const replica = new FuzzReplica({ userId: max, realmId: ws, id: max.slice(4) });
  const everSeen = new Set<string>();
  const look = async () => {
    const view = await oracle.view(max, ws);
    for (const key of view.keys()) everSeen.add(key);
    return view;
  };
  const pull = async (limits: Partial<PullLimits> = {}) => {
    const secret = await cookieSecret(world.database.db);
    return replica.pull({
      db: world.database.pullDb,
      secret,
      steps,
      everSeen,
      view: await look(),
      limits: {
        ...SYNC,
        ...limits,
      },
    });
  };
  const finish = async (limits: Partial<PullLimits> = {}) => {
    while (!(await pull(limits)));
  };
  const note = async (spaceId: Id<'space'> | null = null): Promise<Id<'memory'>> => {
    const id = newId('memory');
    await world.mutate(mia, ws, 'memory.create', { id, at: world.at(), origin: 'api', title: 'a', spaceId });
    world.tick(1_000);
    return id;
  };
  return { mia, max, ws, replica, pull, finish, note, look };
}

type Stage = Awaited<ReturnType<typeof stage>>;

/** A row that came into sight after the cut and left it again, met by a backfill that ran ahead of the changes. */
async function rowPassesThroughBacklog({ mia, ws, pull, finish, note }: Stage): Promise<void> {
  const [home, team] = [newId('space'), newId('space')];
  const space = { at: world.at(), name: 'S' };
  await world.mutate(mia, ws, 'space.create', { ...space, id: home, slug: 'home', visibility: 'private' });
  await world.mutate(mia, ws, 'space.create', { ...space, id: team, slug: 'team', visibility: 'workspace' });
  const hidden = await note(home);
  for (let n = 0; n < 4; n++) await note();
  await pull({ firstPageRows: 1 });
  for (let n = 0; n < 4; n++) await note();
  const link = { spaceId: team, memoryId: hidden, at: world.at() };
  await world.mutate(mia, ws, 'space_memory.create', link);
  await pull({ deltaLimit: 1, pageRows: 100 });
  await world.mutate(mia, ws, 'space_memory.remove', link);
  await finish();
}

/** Messages that were written after a reader lost the thread. */
async function threadCloses({ mia, max, ws, finish, look }: Stage): Promise<void> {
  const thread = newId('thread');
  const say = () =>
    world.mutate(mia, ws, 'message.create', {
      id: newId('message'),
      threadId: thread,
      content: 'hi',
      at: world.at(),
    });
  await world.mutate(mia, ws, 'thread.create', {
    id: thread,
    at: world.at(),
    name: 'T',
    visibility: 'workspace',
  });
  await world.mutate(max, ws, 'thread.open', { id: thread, at: world.at() });
  await say();
  await finish();
  await world.mutate(mia, ws, 'thread.update', { id: thread, at: world.at(), visibility: 'private' });
  await look();
  await say();
  await finish();
}

/** A private space with a memory in it, and ways to open and close it. */
async function vaultOf({ mia, ws, note }: Stage) {
  const id = newId('space');
  const args = { id, at: world.at(), name: 'Vault', slug: 'vault', visibility: 'private' as const };
  await world.mutate(mia, ws, 'space.create', args);
  const memoryId = await note(id);
  const set = (visibility: 'private' | 'workspace') => ({
    name: 'space.update',
    args: {
      id,
      at: world.at(),
      visibility,
    },
  });
  /** All in one transaction, as one push is. */
  const together = (list: readonly { name: string; args: unknown }[]) =>
    writeInRealm(world.host, ws, asPerson(mia), async (tx) => {
      for (const mutation of list) await applyMutation({}, tx, mia, mutation);
    });
  const entries = async (): Promise<unknown[]> => {
    const { rows } = await sql`select "key" from "sync_entry"
      where "audienceId" = ${`w:${ws}`} and "entityId" like any(array[${`%${id}%`}, ${memoryId}])`.execute(
      world.database.db,
    );
    return rows;
  };
  return { id, memoryId, set, together, entries };
}

describe('deletions', () => {
  it('name nothing that was opened and closed in one transaction, however often', async () => {
    const place = await stage(PULL_STEPS);
    const { set, together, entries } = await vaultOf(place);
    await place.finish();
    for (let n = 0; n < 3; n++) {
      await together([set('workspace'), set('private'), set('workspace'), set('private')]);
      await place.finish();
    }
    expect(await entries()).toEqual([]);
    expect(place.replica.named).toEqual([]);
  });

  it('name nothing that was linked and unlinked, or made and removed, in one transaction', async () => {
    const place = await stage(PULL_STEPS);
    const { memoryId, together, entries } = await vaultOf(place);
    const team = newId('space');
    const space = { id: team, at: world.at(), name: 'Team', slug: 'team', visibility: 'workspace' as const };
    await world.mutate(place.mia, place.ws, 'space.create', space);
    await place.finish();
    const link = { args: { spaceId: team, memoryId, at: world.at() } };
    const pair = [
      { ...link, name: 'space_memory.create' },
      { ...link, name: 'space_memory.remove' },
    ];
    for (let n = 0; n < 3; n++) {
      await together([...pair, ...pair]);
      await place.finish();
    }
    expect(await entries()).toEqual([]);
    expect(place.replica.named).toEqual([]);
  });

  it('name no more after a time in which the thing was shown, and miss nothing of that time', async () => {
    const place = await stage(PULL_STEPS);
    const { set, together } = await vaultOf(place);
    await together([set('workspace')]);
    await place.finish();
    const shown = place.replica.rows.size;
    // Closed while the replica is away, and in the next transaction opened and closed again.
    await together([set('private')]);
    await together([set('workspace'), set('private')]);
    await place.finish();
    expect(place.replica.rows.size).toBeLessThan(shown);
    const named = place.replica.named.length;
    expect(named).toBeGreaterThan(0);
    for (let n = 0; n < 2; n++) {
      await together([set('workspace'), set('private')]);
      await place.finish();
    }
    expect(place.replica.named.length).toBe(named);
  });

  it('reach a replica that saw a thing whose closing was undone and done again in one transaction', async () => {
    const place = await stage(PULL_STEPS);
    const { set, together } = await vaultOf(place);
    await together([set('workspace')]);
    await place.finish();
    await together([set('private'), set('workspace'), set('private')]);
    await place.finish();
    expect(place.replica.named.length).toBeGreaterThan(0);
    await together([set('workspace')]);
    await place.finish();
    await together([set('private'), set('workspace')]);
    await place.finish();
  });

  it('name to a member who left nothing that was shown before the joining and after the leaving', async () => {
    const place = await stage(PULL_STEPS);
    const { set, together } = await vaultOf(place);
    const { mia, max, ws, replica } = place;
    await writeInRealm(world.host, ws, systemActor, (tx) =>
      removeMember(tx, { userId: max, position: 'owner' }, max),
    );
    await together([set('workspace')]);
    await together([set('private')]);
    await world.join(ws, max, 'member');
    const thread = newId('thread');
    const talk = { id: thread, at: world.at(), name: 'T', visibility: 'workspace' as const };
    await world.mutate(mia, ws, 'thread.create', talk);
    await place.finish();
    await writeInRealm(world.host, ws, systemActor, (tx) =>
      removeMember(tx, { userId: max, position: 'owner' }, max),
    );
    await together([set('workspace')]);
    await place.pull();
    expect(replica.named).toEqual([]);
  });
});

describe('a pull', () => {
  it('backfills only what is up to date with the changes', async () => {
    await rowPassesThroughBacklog(await stage(PULL_STEPS));
    const hasty = await stage({ ...PULL_STEPS, backfill: backfillWhen(() => true) });
    await expect(rowPassesThroughBacklog(hasty)).rejects.toThrow(Mismatch);
  });

  it('names no message that was written after its reader had lost the thread', async () => {
    FuzzReplica.startCounting();
    await threadCloses(await stage(PULL_STEPS));
    expect(FuzzReplica.foreignDeletes).toBe(0);
    await threadCloses(await stage({ ...PULL_STEPS, forgetLost: forgetLostWithoutBorn }));
    expect(FuzzReplica.foreignDeletes).toBeGreaterThan(0);
  });

  it('pages an audience again when one version changed more rows than fit into a response', async () => {
    const set = await stage(PULL_STEPS);
    const home = newId('space');
    await world.mutate(set.mia, set.ws, 'space.create', {
      id: home,
      slug: 'home',
      at: world.at(),
      name: 'Home',
      visibility: 'workspace' as const,
    });
    for (let n = 0; n < 12; n++) await set.note(home);
    await set.finish();
    await world.mutate(set.mia, set.ws, 'space.update', { id: home, at: world.at(), visibility: 'private' });
    await set.finish({ deltaLimit: 3, pageRows: 4 });
    await world.mutate(set.mia, set.ws, 'space.update', { id: home, at: world.at(), visibility: 'public' });
    await set.finish({ deltaLimit: 3, pageRows: 4 });
    expect(set.replica.rows.size).toBeGreaterThan(24);
  });

  it('limits a response to its byte budget, but always has at least one row', async () => {
    const set = await stage(PULL_STEPS);
    for (let n = 0; n < 5; n++) await set.note();
    let rounds = 0;
    while (!(await set.pull({ pageBytes: 1 }))) rounds += 1;
    // Workspace, two members and five memories, one per response; the response with the last row may complete it.
    expect(rounds).toBeGreaterThanOrEqual(7);
  });

  it('sends a fresh cookie to a replica without changes, before its old one expires', async () => {
    const set = await stage(PULL_STEPS);
    await set.finish();
    const before = set.replica.cookie;
    const secret = async (count: number) => {
      const id = newId('thread');
      await world.mutate(set.mia, set.ws, 'thread.create', { id, at: world.at(), name: 'private' });
      for (let n = 0; n < count; n++) {
        await world.mutate(set.mia, set.ws, 'thread.update', { id, at: world.at(), name: `private ${n}` });
      }
    };
    await secret(3);
    await set.pull({ cookieMaxLagVersions: 10 });
    expect(set.replica.cookie).toEqual(before);
    await secret(8);
    await set.pull({ cookieMaxLagVersions: 10 });
    expect(set.replica.cookie).not.toEqual(before);
    await secret(1);
    const second = set.replica.cookie;
    await set.pull();
    expect(set.replica.cookie).toEqual(second);
    await sql`update "sync_realm" set "updated" = "updated" + interval '25 hours' where "realmId" = ${set.ws}`.execute(
      world.database.db,
    );
    await set.pull();
    expect(set.replica.cookie).not.toEqual(second);
  });

  it('misses rows when versions come from a sequence instead of the lock', async () => {
    // The design forbids this; the test shows what the lock is for: a later version may commit first.
    const set = await stage(PULL_STEPS);
    await set.finish();
    const gate = Promise.withResolvers<void>();
    const versionRead = Promise.withResolvers<void>();
    const slow = world.database.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ version: number }>`
        select "version" + 1 as "version" from "sync_realm" where "realmId" = ${set.ws}`.execute(trx);
      versionRead.resolve();
      await gate.promise;
      await sql`select set_config('app.sync_version', '1', true)`.execute(trx);
      await sql`
        insert into "sync_entry" ("audienceId", "key", "realmId", "kind", "entityId", "ver", "live", "born")
        select 'w:' || ${set.ws}, '1/mb/ghost', ${set.ws}, 'workspace_member', ${set.max}, ${rows[0]?.version}, true,
          ${rows[0]?.version}`.execute(trx);
    });
    await versionRead.promise;
    await set.note();
    await set.finish();
    gate.resolve();
    await slow;
    await set.finish();
    expect([...set.replica.rows.keys()]).not.toContain('1/mb/ghost');
  });

  it('drops a key whose row is gone, and reports it', async () => {
    const set = await stage(PULL_STEPS);
    const id = await set.note();
    await writeInRealm(world.host, set.ws, systemActor, (tx) =>
      sql`delete from "memory" where "id" = ${id}`.execute(tx.trx),
    );
    await expect(set.finish()).rejects.toThrow(`drift: memory ${id}`);
  });
});
