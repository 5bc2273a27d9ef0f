// The mirror holds every head of a realm in newest-first lists, whatever the order and size of changes.
import { describe, expect, it } from 'vitest';
import type { Head } from '#shared/entities.ts';
import { keyOf } from '#shared/sync/keys.ts';
import { Mirror, type KeyChange } from '#client/replica/mirror.ts';
import { createQuery } from '#client/replica/query.ts';
import { ReplicaView, type Mirrors } from '#client/replica/view.ts';
import {
  linkRow,
  memoryRow,
  messageRow,
  minute,
  spaceRow,
  USER,
  WORKSPACE,
} from '#tests/support/replica-rows.ts';

const put = (row: Head<'memory'>): KeyChange => [keyOf('memory', row), row];
const titles = (rows: readonly Head<'memory'>[]) => rows.map((row) => row.title);

function mirrors(): Mirrors {
  return { userId: USER, workspaceId: WORKSPACE, account: new Mirror(), workspace: new Mirror() };
}

describe('lists', () => {
  it('are newest first when rows come one by one in any order', () => {
    const mirror = new Mirror();
    for (const at of [3, 1, 4, 0, 2]) mirror.apply([put(memoryRow({ title: `${at}`, created: minute(at) }))]);
    expect(titles(mirror.lists.memory.live)).toEqual(['4', '3', '2', '1', '0']);
  });

  it('are the same for a bulk as for single changes, ties in order of ids', () => {
    const rows = Array.from({ length: 500 }, (_, index) => memoryRow({ created: minute((index * 7) % 90) }));
    const [bulk, single] = [new Mirror(), new Mirror()];
    bulk.apply(rows.slice(0, 200).map(put));
    bulk.apply(rows.slice(200).map(put));
    for (const row of rows) single.apply([put(row)]);
    const ids = (mirror: Mirror) => mirror.lists.memory.live.map((row) => row.id);
    expect(ids(bulk)).toEqual(ids(single));
    expect(ids(bulk)).toEqual(
      [...rows]
        .map(put)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key]) => key.split('/').at(-1)),
    );
  });

  it('keep the order of keys when half of the rows go in one change', () => {
    const rows = Array.from({ length: 400 }, (_, index) => memoryRow({ created: minute(index) }));
    const mirror = new Mirror();
    mirror.apply(rows.map(put));
    mirror.apply(rows.filter((_, index) => index % 2 === 0).map((row) => [keyOf('memory', row), null]));
    const left = rows.filter((_, index) => index % 2 === 1).toReversed();
    expect(mirror.lists.memory.live).toEqual(left);
  });

  it('keep a row whose date the server changed, in whatever order its keys are reported', () => {
    const mine = memoryRow({ title: 'Mine', created: minute(5) });
    const keys: readonly KeyChange[] = [[keyOf('memory', mine), null], put({ ...mine, created: minute(3) })];
    for (const changes of [[keys], [keys.toReversed()], keys.map((key) => [key]), [[keys[1]], [keys[0]]]]) {
      const mirror = new Mirror();
      mirror.apply([put(mine)]);
      for (const batch of changes) mirror.apply(batch.flatMap((change) => (change ? [change] : [])));
      expect(mirror.lists.memory.live.map(({ title, created }) => [title, created])).toEqual([
        ['Mine', minute(3)],
      ]);
      mirror.apply([[keyOf('memory', { ...mine, created: minute(3) }), null]]);
      expect(mirror.lists.memory.live).toEqual([]);
    }
  });

  it('hand out a new array after a change and the old one stays as it was', () => {
    const mirror = new Mirror();
    const row = memoryRow({ title: 'before' });
    mirror.apply([put(row)]);
    const before = mirror.lists.memory.live;
    expect(mirror.lists.memory.live).toBe(before);
    mirror.apply([put({ ...row, title: 'after' })]);
    expect(titles(before)).toEqual(['before']);
    expect(titles(mirror.lists.memory.live)).toEqual(['after']);
  });

  it('put a deleted row aside and bring a restored one back to its place', () => {
    const mirror = new Mirror();
    const rows = [0, 1, 2].map((at) => memoryRow({ title: `${at}`, created: minute(at) }));
    mirror.apply(rows.map(put));
    const middle = rows[1] ?? memoryRow();
    mirror.apply([put({ ...middle, deletedAt: minute(9) })]);
    expect(titles(mirror.lists.memory.live)).toEqual(['2', '0']);
    expect(titles(mirror.lists.memory.deleted)).toEqual(['1']);
    mirror.apply([put(middle)]);
    expect(titles(mirror.lists.memory.live)).toEqual(['2', '1', '0']);
    expect(mirror.lists.memory.deleted).toEqual([]);
  });

  it('take several changes of the same row within one batch', () => {
    const mirror = new Mirror();
    const row = memoryRow({ title: 'first' });
    mirror.apply([
      put(row),
      put({ ...row, title: 'second' }),
      [keyOf('memory', row), null],
      put({ ...row, title: 'third' }),
    ]);
    expect(titles(mirror.lists.memory.live)).toEqual(['third']);
    mirror.apply([[keyOf('memory', row), null], put({ ...row, title: 'fourth' })]);
    expect(titles(mirror.lists.memory.live)).toEqual(['fourth']);
  });
});

describe('views', () => {
  it('follow links in both directions, hide deleted rows and count', () => {
    const pair = mirrors();
    const [space, kept, gone] = [
      spaceRow(),
      memoryRow({ title: 'kept' }),
      memoryRow({ title: 'gone', deletedAt: minute(1) }),
    ];
    const links = [linkRow(space.id, kept.id), linkRow(space.id, gone.id)];
    pair.workspace.apply([
      [keyOf('space', space), space],
      put(kept),
      put(gone),
      ...links.map((link): KeyChange => [keyOf('space_memory', link), link]),
    ]);
    const view = new ReplicaView(pair);
    expect(titles(view.memoriesIn(space.id))).toEqual(['kept']);
    expect(view.countIn(space.id)).toBe(1);
    expect(view.spacesOf(kept.id)).toEqual([space]);
    expect(view.get('memory', gone.id)).toBeUndefined();
    expect(view.peek('memory', gone.id)?.title).toBe('gone');
    pair.workspace.apply([[keyOf('space_memory', links[0] ?? linkRow(space.id, kept.id)), null]]);
    expect(view.memoriesIn(space.id)).toEqual([]);
    expect(view.isIn(kept.id, space.id)).toBe(false);
  });

  it('show the messages of one thread, oldest first', () => {
    const pair = mirrors();
    const first = messageRow({ content: 'first', createdAt: minute(1) });
    const rows = [
      messageRow({ ...first, id: messageRow().id, content: 'second', createdAt: minute(2) }),
      first,
      messageRow(),
    ];
    pair.workspace.apply(rows.map((row): KeyChange => [keyOf('message', row), row]));
    const view = new ReplicaView(pair);
    expect(view.messagesOf(first.threadId).map((row) => row.content)).toEqual(['first', 'second']);
  });
});

describe('queries', () => {
  it('of an empty thread run again when its first message arrives', () => {
    const pair = mirrors();
    const row = messageRow({ content: 'first' });
    const query = createQuery(
      () => pair,
      (view) => view.messagesOf(row.threadId).map(({ content }) => content),
    );
    expect(query.read()).toEqual([]);
    pair.workspace.apply([[keyOf('message', row), row]]);
    expect(query.read()).toEqual(['first']);
  });

  it('run again only when a kind they read has changed', () => {
    const pair = mirrors();
    let runs = 0;
    const query = createQuery(
      () => pair,
      (view) => {
        runs += 1;
        return view.list('space').map((space) => space.name);
      },
    );
    expect(query.read()).toEqual([]);
    pair.workspace.apply([put(memoryRow())]);
    expect(query.read()).toEqual([]);
    expect(runs).toBe(1);
    const space = spaceRow({ name: 'Books' });
    pair.workspace.apply([[keyOf('space', space), space]]);
    expect(query.read()).toEqual(['Books']);
    expect(runs).toBe(2);
  });

  it('return the very same object while the content is the same', () => {
    const pair = mirrors();
    const query = createQuery(
      () => pair,
      (view) => view.list('memory').filter((row) => row.archived),
    );
    const before = query.read();
    pair.workspace.apply([put(memoryRow())]);
    expect(query.read()).toBe(before);
    pair.workspace.apply([put(memoryRow({ archived: true }))]);
    expect(query.read()).not.toBe(before);
  });
});
