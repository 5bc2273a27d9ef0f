/** Mutations of many memories through the push: rights of each id, refusals of parts, aliases, and what they cost. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MANY_MAX } from '#shared/constants.ts';
import { newId, type Id } from '#shared/ids.ts';
import { bodyFields } from '#shared/memories/body.ts';
import type { PushedMutation } from '#shared/sync/protocol.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { memoryEffects } from '#server/memories/effects.ts';
import { push, type PushAnswer } from '#server/sync/push.ts';
import { removeMember } from '#server/workspaces/membership.ts';
import { createSharedWorkspace, type SyncWorld } from '#tests/support/sync-world.ts';

type MemoryId = Id<'memory'>;

let world: SyncWorld;
let alice: Id<'user'>;
let bob: Id<'user'>;
let ws: Id<'workspace'>;
let client = 0;
beforeAll(async () => {
  ({ world, alice, bob, ws } = await createSharedWorkspace());
  Object.assign(world.host, { effects: memoryEffects });
});
beforeEach(() => {
  client += 1;
});
afterAll(() => world.database.drop());

async function createMany(count: number, ownerId = bob, workspaceId = ws): Promise<MemoryId[]> {
  const ids = Array.from({ length: count }, () => newId('memory'));
  const at = world.at();
  await writeInRealm(world.host, workspaceId, systemActor, (tx) =>
    tx.insertMany(
      'memory',
      ids.map((id, index) => ({
        ...bodyFields(`Note ${index}`),
        id,
        workspaceId,
        ownerId,
        createdBy: ownerId,
        lastEditedBy: ownerId,
        spaceId: null,
        type: 'note' as const,
        origin: 'import' as const,
        contentStatus: 'completed' as const,
        metadata: {},
        title: `Note ${index}`,
        description: null,
        summary: null,
        url: null,
        tags: [`tag-${index}`],
        screenshot: null,
        filename: null,
        uploadId: null,
        archived: false,
        created: at,
        updated: at,
        deletedAt: null,
      })),
    ),
  );
  return ids;
}

const mutation = (name: string, args: object, id = 1): PushedMutation => ({
  clientID: `many${client}`,
  id,
  name,
  args: { at: world.at(), ...args },
  timestamp: 0,
});

function pushed(mutations: readonly PushedMutation[], userId = bob, realmId = ws): Promise<PushAnswer> {
  return push(
    world.host,
    { userId, realmId, clientGroupId: `g${mutations[0]?.clientID}`, schemaVersion: '1' },
    mutations,
  );
}

interface Stored {
  id: string;
  deleted: boolean;
  archived: boolean;
  tags: string[];
  spaceId: string | null;
}

async function stored(ids: readonly string[]): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select "id", "deletedAt" is not null as "deleted", "archived", "tags", "spaceId" from "memory"
    where "id" = any(${ids}::text[]) order by array_position(${ids}::text[], "id")`.execute(
    world.database.db,
  );
  return rows;
}

const deletedOf = async (ids: readonly string[]) => (await stored(ids)).map(({ deleted }) => deleted);

describe('a mutation of a thousand memories', () => {
  it('is one commit, in order with the next ones, and travels to replicas', async () => {
    const ids = await createMany(MANY_MAX);
    const before = world.commits.length;
    const answer = await pushed([mutation('memory.remove_many', { ids })]);
    expect(answer.results).toEqual([]);
    expect(world.commits.length - before).toBe(1);
    expect(new Set(await deletedOf(ids))).toEqual(new Set([true]));
    const { rows } = await sql<{ versions: number; entries: number }>`
      select count(distinct "ver")::int as "versions", count(*)::int as "entries" from "sync_entry"
      where "live" and "entityId" = any(${ids}::text[])`.execute(world.database.db);
    expect(rows).toEqual([{ versions: 1, entries: MANY_MAX }]);
    await pushed([mutation('memory.restore_many', { ids }, 2)]);
    expect(new Set(await deletedOf(ids))).toEqual(new Set([false]));
  });

  it('with another tag list each, a move and filing stay whole', async () => {
    const ids = await createMany(MANY_MAX);
    const spaceId = newId('space');
    const other = newId('space');
    for (const id of [spaceId, other])
      await world.mutate(bob, ws, 'space.create', { id, at: world.at(), name: 'S', slug: id.slice(4) });
    const answer = await pushed([
      mutation('memory.add_tags_many', { ids, tags: ['all'] }),
      mutation('memory.move_many', { ids, spaceId }, 2),
      mutation('space_memory.create_many', { memoryIds: ids, spaceId: other }, 3),
      mutation('memory.move_many', { ids, spaceId: null }, 4),
      mutation('memory.archive_many', { ids, archived: true }, 5),
    ]);
    expect(answer.results).toEqual([]);
    const rows = await stored(ids);
    expect(rows.map(({ tags }) => tags)).toEqual(ids.map((_, index) => [`tag-${index}`, 'all']));
    expect(rows.every((row) => row.archived && row.spaceId === null)).toBe(true);
    const links = await sql<{ spaceId: string; count: number }>`
      select "spaceId", count(*)::int as "count" from "space_memory"
      where "memoryId" = any(${ids}::text[]) group by 1`.execute(world.database.db);
    expect(links.rows).toEqual([{ spaceId: other, count: MANY_MAX }]);
  });

  it('is refused with one id more, and changes nothing', async () => {
    const ids = await createMany(MANY_MAX + 1);
    const answer = await pushed([mutation('memory.remove_many', { ids })]);
    expect(answer.results).toMatchObject([{ code: 'invalid', args: { ids } }]);
    expect(new Set(await deletedOf(ids))).toEqual(new Set([false]));
  });

  it('pushed twice at once is applied once', async () => {
    const ids = await createMany(50);
    const one = mutation('memory.remove_many', { ids });
    const answers = await Promise.all([pushed([one]), pushed([one])]);
    expect(answers.flatMap(({ results }) => results)).toEqual([]);
    expect(new Set(await deletedOf(ids))).toEqual(new Set([true]));
  });
});

describe('ids that the person may not change', () => {
  it('are reported with the arguments to try again, and the others are changed', async () => {
    const elsewhere = await world.workspace(bob);
    const mine = await createMany(3);
    const notMine = await createMany(2, alice);
    const foreign = await createMany(1, bob, elsewhere);
    const unknown = newId('memory');
    const refused = [...notMine, ...foreign, unknown];
    const sent = mutation('memory.remove_many', { ids: [...mine, ...refused, ...mine] });
    const answer = await pushed([sent, mutation('memory.archive_many', { ids: mine, archived: true }, 2)]);
    // The second is refused as a whole, because its memories are deleted by the first.
    expect(answer.results).toMatchObject([
      { mutationID: 1, code: 'forbidden', args: { ids: refused } },
      { mutationID: 2, code: 'not_found', args: { ids: mine } },
    ]);
    expect(answer.results[0]?.message).toMatch(/^4 of 7 could not be changed: /);
    expect(await deletedOf([...mine, ...notMine, ...foreign])).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    const { rows } = await sql<{ args: unknown }>`
      select "args" from "sync_mutation_result" where "clientId" = ${`many${client}`} order by "mutationId"`.execute(
      world.database.db,
    );
    expect(rows[0]).toMatchObject({ args: { ids: refused } });
  });

  it('are all of a read-only member and of a person who was removed', async () => {
    const ids = await createMany(2);
    const rita = await world.user('rita');
    await world.join(ws, rita, 'read-only');
    const first = await pushed([mutation('memory.remove_many', { ids })], rita);
    expect(first.results).toMatchObject([{ code: 'forbidden', args: { ids } }]);
    await writeInRealm(world.host, ws, systemActor, (tx) =>
      removeMember(tx, { userId: alice, position: 'owner' }, rita),
    );
    const second = await pushed([mutation('memory.remove_many', { ids }, 2)], rita);
    expect(second.results).toMatchObject([{ code: 'forbidden', workspaceId: ws }]);
    expect(await deletedOf(ids)).toEqual([false, false]);
  });
});

describe('ids that a device gave to a page which was there already', () => {
  const url = (n: number) => `https://example.com/many/${n}`;
  async function capture(n: number): Promise<MemoryId> {
    const id = newId('memory');
    await world.mutate(bob, ws, 'memory.create', { id, at: world.at(), origin: 'web', url: url(n) });
    return id;
  }

  it('mean the memory behind them, and deleting them takes nothing away', async () => {
    const real = await capture(client);
    const alias = await capture(client);
    const [note = newId('memory')] = await createMany(1);
    const tagged = await pushed([
      mutation('memory.add_tags_many', { ids: [alias, real, note], tags: ['x'] }),
    ]);
    expect(tagged.results).toEqual([]);
    const removed = await pushed([
      mutation('memory.remove_many', { ids: [alias, note] }, 2),
      mutation('memory.remove_many', { ids: [alias] }, 3),
    ]);
    expect(removed.results).toEqual([]);
    const [page, other] = await stored([real, note]);
    expect([page?.tags, page?.deleted, other?.tags.includes('x'), other?.deleted]).toEqual([
      ['x'],
      false,
      true,
      true,
    ]);
  });
});
