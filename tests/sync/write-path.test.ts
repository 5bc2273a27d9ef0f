/** The one door to synced tables: versions, the feed that follows each write, and what a stranger cannot do. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRASH_DAYS } from '#shared/memories/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm, writeInRealms } from '#server/db/transaction.ts';
import { purgeTrash } from '#server/sync/retention.ts';
import { changePosition, removeMember } from '#server/workspaces/membership.ts';
import { createSharedWorkspace, type SyncWorld } from '#tests/support/sync-world.ts';
import { asPerson } from '#server/sync/readable.ts';

let world: SyncWorld;
let alice: Id<'user'>;
let bob: Id<'user'>;
let ws: Id<'workspace'>;
beforeAll(async () => {
  ({ world, alice, bob, ws } = await createSharedWorkspace());
});
afterAll(() => world.database.drop());

/** Audiences with a live edge to an entity, with realm prefix stripped of ids. */
async function readersOf(audienceId: string): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select "userId" from "sync_audience_member" where "audienceId" = ${audienceId}`.execute(
    world.database.db,
  );
  return rows.map(({ userId }) => userId);
}

async function audiences(entityId: string): Promise<string[]> {
  const { rows } = await sql<{ audienceId: string }>`
    select "audienceId" from "sync_entry" where "entityId" = ${entityId} and "live" order by 1`.execute(
    world.database.db,
  );
  const names = new Map<string, string>([
    [ws, 'ws'],
    [alice, 'alice'],
    [bob, 'bob'],
  ]);
  const readable = rows.map(({ audienceId }) =>
    audienceId.replaceAll(/(ws|usr)_\w+/g, (id) => names.get(id) ?? id),
  );
  return readable.sort();
}

const memory = (id: Id<'memory'>, spaceId: Id<'space'> | null = null) =>
  ({ id, at: world.at(), origin: 'manual_entry', title: 'Note', spaceId }) as const;
const space = (id: Id<'space'>, visibility: 'private' | 'workspace') =>
  ({ id, at: world.at(), name: 'Space', slug: id.slice(4).toLowerCase(), visibility }) as const;

const thread = (id: Id<'thread'>) =>
  ({ id, at: world.at(), name: 'Thread', visibility: 'workspace' }) as const;
const question = (id: Id<'message'>, threadId: Id<'thread'>) => ({ id, threadId, content: 'When?' });

describe('a write in a realm', () => {
  it('raises the version by one and announces it after the commit', async () => {
    const before = await world.mutate(bob, ws, 'memory.create', memory(newId('memory')));
    const after = await world.mutate(bob, ws, 'memory.create', memory(newId('memory')));
    expect(after.version).toBe(before.version + 1);
    expect(world.commits.at(-1)?.get(ws)).toBe(after.version);
  });

  it('leaves neither rows nor a version when it fails', async () => {
    const id = newId('memory');
    const { version } = await world.mutate(bob, ws, 'memory.create', memory(newId('memory')));
    const failing = writeInRealm(world.host, ws, asPerson(bob), async (tx) => {
      await tx.trx.selectFrom('memory').select('id').execute();
      await tx.update('workspace', ws, { name: 'Other' });
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await audiences(id)).toEqual([]);
    const next = await world.mutate(bob, ws, 'memory.create', memory(id));
    expect(next.version).toBe(version + 1);
  });

  it('is the only way to change a synced table', async () => {
    await expect(sql`update "memory" set "title" = 'x'`.execute(world.database.db)).rejects.toThrow(
      /outside writeInRealm/,
    );
    await expect(sql`delete from "workspace_member"`.execute(world.database.db)).rejects.toThrow(
      /outside writeInRealm/,
    );
  });

  it('gives concurrent writers distinct versions without errors', async () => {
    const runs = await Promise.all(
      Array.from({ length: 20 }, () => world.mutate(alice, ws, 'memory.create', memory(newId('memory')))),
    );
    expect(new Set(runs.map(({ version }) => version)).size).toBe(20);
  });

  it('in two realms that are locked in opposite orders does not deadlock', async () => {
    const other = await world.workspace(alice);
    const both = (first: string, second: string) =>
      writeInRealms(world.host, [first, second], systemActor, (tx) => tx.versions.lock([alice]));
    await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 ? both(ws, other) : both(other, ws))));
  });

  it('stores no time of the future and none older than the product allows', async () => {
    const [early, late] = [newId('memory'), newId('memory')];
    await world.mutate(bob, ws, 'memory.create', { ...memory(late), at: '2099-01-01T00:00:00.000Z' });
    await world.mutate(bob, ws, 'memory.create', { ...memory(early), at: '1900-01-01T00:00:00.000Z' });
    const rows = await world.database.db
      .selectFrom('memory')
      .select(['id', 'created'])
      .where('id', 'in', [early, late])
      .execute();
    const created = new Map<string, string>(rows.map((row) => [row.id, row.created]));
    expect(created.get(late)).toBe(world.at());
    expect(created.get(early)).toBe('1990-01-01T00:00:00.000Z');
  });
});

describe('a device whose clock is a month behind', () => {
  const late = () => new Date(Date.parse(world.at()) - (TRASH_DAYS + 1) * 86_400_000).toISOString();

  it('deletes into the trash, where things stay for their days', async () => {
    const [memoryId, spaceId, threadId] = [newId('memory'), newId('space'), newId('thread')];
    await world.mutate(bob, ws, 'memory.create', memory(memoryId));
    await world.mutate(bob, ws, 'space.create', space(spaceId, 'workspace'));
    await world.mutate(bob, ws, 'thread.create', thread(threadId));
    await world.mutate(bob, ws, 'memory.remove', { id: memoryId, at: late() });
    await world.mutate(bob, ws, 'space.remove', { id: spaceId, at: late() });
    await world.mutate(bob, ws, 'thread.remove', { id: threadId, at: late() });
    await purgeTrash(world.host, new Date(world.at()));
    for (const [kind, id] of [
      ['memory', memoryId],
      ['space', spaceId],
      ['thread', threadId],
    ] as const) {
      const row = await world.database.db
        .selectFrom(kind)
        .select('deletedAt')
        .where('workspaceId', '=', ws)
        .where('id', '=', id)
        .executeTakeFirst();
      expect(row).toEqual({ deletedAt: world.at() });
    }
  });

  it('neither sets back when a memory was changed, nor asks before the questions that are there', async () => {
    const [id, threadId] = [newId('memory'), newId('thread')];
    await world.mutate(bob, ws, 'memory.create', memory(id));
    await world.mutate(bob, ws, 'thread.create', thread(threadId));
    const asked = [newId('message'), newId('message'), newId('message')] as const;
    await world.mutate(alice, ws, 'message.create', { ...question(asked[0], threadId), at: world.at() });
    await world.mutate(bob, ws, 'message.create', { ...question(asked[1], threadId), at: late() });
    await world.mutate(bob, ws, 'message.create', { ...question(asked[2], threadId), at: late() });
    world.tick(1_000);
    await world.mutate(bob, ws, 'memory.update', { id, title: 'Edited long ago', at: late() });
    const { db } = world.database;
    const row = await db
      .selectFrom('memory')
      .select('updated')
      .where('workspaceId', '=', ws)
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row).toEqual({ updated: world.at() });
    const messages = await db
      .selectFrom('message')
      .select('id')
      .where('workspaceId', '=', ws)
      .where('threadId', '=', threadId)
      .orderBy('createdAt')
      .execute();
    expect(messages.map((message) => message.id)).toEqual([...asked]);
  });
});

describe('the audience of', () => {
  it('a memory is the workspace, until its home is private', async () => {
    const [open, hidden] = [newId('memory'), newId('memory')];
    const home = newId('space');
    await world.mutate(bob, ws, 'space.create', space(home, 'private'));
    await world.mutate(bob, ws, 'memory.create', memory(open));
    await world.mutate(bob, ws, 'memory.create', memory(hidden, home));
    expect(await audiences(open)).toEqual(['w:ws']);
    expect(await audiences(hidden)).toEqual(['u:bob@ws']);
    expect(await audiences(`${home}/${hidden}`)).toEqual(['u:bob@ws']);
  });

  it('a captured memory follows its home through visibility, deletion and the links it gets', async () => {
    const id = newId('memory');
    const [home, team] = [newId('space'), newId('space')];
    await world.mutate(bob, ws, 'space.create', space(home, 'private'));
    await world.mutate(bob, ws, 'memory.create', memory(id, home));
    await world.mutate(bob, ws, 'space.update', { id: home, at: world.at(), visibility: 'workspace' });
    expect(await audiences(id)).toEqual(['w:ws']);
    await world.mutate(bob, ws, 'space.update', { id: home, at: world.at(), visibility: 'custom' });
    await world.mutate(bob, ws, 'space.remove', { id: home, at: world.at() });
    // The audience of those who were named for the place stays, and is empty while the place is deleted.
    expect(await audiences(id)).toEqual([`r:${home}`, 'u:bob@ws']);
    expect(await readersOf(`r:${home}`)).toEqual([]);
    await world.mutate(bob, ws, 'space.create', space(team, 'workspace'));
    await world.mutate(bob, ws, 'space_memory.create', { spaceId: team, memoryId: id, at: world.at() });
    expect(await audiences(id)).toEqual([`r:${home}`, 'w:ws']);
    await world.mutate(bob, ws, 'space.remove', { id: team, at: world.at() });
    expect(await audiences(id)).toEqual([`r:${home}`, 'u:bob@ws']);
    // Who reads it now depends on its home, so no audience has the link until the space is restored.
    expect(await audiences(`${team}/${id}`)).toEqual([]);
    await world.mutate(bob, ws, 'space.restore', { id: team, at: world.at() });
    expect(await audiences(`${team}/${id}`)).toEqual(['w:ws']);
    await world.mutate(bob, ws, 'space_memory.remove', { spaceId: team, memoryId: id, at: world.at() });
    expect(await audiences(id)).toEqual([`r:${home}`, 'u:bob@ws']);
  });

  it('a private thread is its owner, and no other person can write there', async () => {
    const id = newId('thread');
    await world.mutate(bob, ws, 'thread.create', { id, at: world.at(), name: 'Secret' });
    expect(await audiences(id)).toEqual(['u:bob@ws']);
    const message = { id: newId('message'), threadId: id, content: 'hi', at: world.at() } as const;
    await expect(world.mutate(alice, ws, 'message.create', message)).rejects.toThrow(/not_found/);
    await world.mutate(bob, ws, 'message.create', message);
    expect(await audiences(message.id)).toEqual([`m:${id}`]);
  });

  it('a workspace is its members, each in the account realm too', async () => {
    await world.mutate(alice, ws, 'workspace.update', { at: world.at(), name: 'Renamed' });
    expect(await audiences(ws)).toEqual(['u:alice@alice', 'u:bob@bob', 'w:ws'].sort());
  });
});

describe('an insert', () => {
  it('of the same row again does nothing', async () => {
    const id = newId('memory');
    await world.mutate(bob, ws, 'memory.create', memory(id));
    await world.mutate(bob, ws, 'memory.create', { ...memory(id), title: 'Other' });
    const row = await world.database.db.selectFrom('memory').select('title').where('id', '=', id).execute();
    expect(row).toEqual([{ title: 'Note' }]);
  });

  it('with the id of a row that the actor cannot read is a conflict', async () => {
    const home = newId('space');
    const id = newId('memory');
    await world.mutate(bob, ws, 'space.create', space(home, 'private'));
    await world.mutate(bob, ws, 'memory.create', memory(id, home));
    await expect(world.mutate(alice, ws, 'memory.create', memory(id))).rejects.toThrow(/conflict/);
  });
});

describe('membership', () => {
  it('ends with private things passing to the owner, who is notified', async () => {
    const carol = await world.user('carol');
    await world.join(ws, carol, 'member');
    const [home, note, thread] = [newId('space'), newId('memory'), newId('thread')];
    await world.mutate(carol, ws, 'space.create', space(home, 'private'));
    await world.mutate(carol, ws, 'memory.create', memory(note, home));
    await world.mutate(carol, ws, 'thread.create', { id: thread, at: world.at(), name: 'Hers' });
    await writeInRealm(world.host, ws, asPerson(alice), (tx) =>
      removeMember(tx, { userId: alice, position: 'owner' }, carol),
    );
    expect(await audiences(home)).toEqual(['u:alice@ws']);
    expect(await audiences(thread)).toEqual(['u:alice@ws']);
    expect(await audiences(note)).toContain('u:alice@ws');
    expect(await audiences(carol)).toEqual([]);
    await expect(world.mutate(carol, ws, 'memory.create', memory(newId('memory')))).rejects.toThrow(
      /forbidden/,
    );
    const told = await world.database.db
      .selectFrom('notification')
      .select(['userId', 'triggerId'])
      .where('triggerId', 'like', 'member.%')
      .orderBy('triggerId')
      .execute();
    expect(told).toEqual([
      { userId: alice, triggerId: 'member.inherited' },
      { userId: carol, triggerId: 'member.removed' },
    ]);
  });

  it('always has one owner', async () => {
    const demote = writeInRealm(world.host, ws, asPerson(alice), (tx) =>
      changePosition(tx, { userId: alice, position: 'owner' }, { userId: alice, position: 'member' }),
    );
    await expect(demote).rejects.toThrow(/conflict/);
  });

  it('lets no member raise their own position', async () => {
    const raise = writeInRealm(world.host, ws, asPerson(bob), (tx) =>
      changePosition(tx, { userId: bob, position: 'member' }, { userId: bob, position: 'admin' }),
    );
    await expect(raise).rejects.toThrow(/forbidden/);
  });
});
