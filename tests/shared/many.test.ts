/** One mutation for many memories: the rules of the mutation of one, for each id alone. */
import { beforeEach, describe, expect, test } from 'vitest';
import { MANY_MAX } from '#shared/constants.ts';
import { runGathered } from '#shared/define/gathered-tx.ts';
import type { MutationContext } from '#shared/define/mutator.ts';
import { AppError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { MUTATORS } from '#shared/mutators.ts';
import { contextOf, MapTx, run } from '#tests/support/map-tx.ts';
import { memoryRow, spaceRow } from '#tests/support/rows.ts';

const AT = '2026-11-21T10:00:00.000Z';
let tx: MapTx;
let member: MutationContext;

beforeEach(() => {
  tx = new MapTx();
  member = contextOf('member');
});

const own = () => ({ ownerId: member.actor.userId, createdBy: member.actor.userId });

function put(count: number, fields: Partial<ReturnType<typeof memoryRow>> = own()) {
  return Array.from({ length: count }, () => {
    const row = memoryRow(fields);
    tx.rows.memory.set(row.id, row);
    return row.id;
  });
}

const rowOf = (id: string) => tx.rows.memory.get(id);

describe('a mutation of many memories', () => {
  test('deletes and restores each, and an id that stands twice once', async () => {
    const ids = put(3);
    expect(await run(tx, member, 'memory.remove_many', { ids: [...ids, ...ids], at: AT })).toBeUndefined();
    expect(ids.map((id) => rowOf(id)?.deletedAt)).toEqual([AT, AT, AT]);
    await run(tx, member, 'memory.restore_many', { ids, at: AT });
    expect(ids.map((id) => rowOf(id)?.deletedAt)).toEqual([null, null, null]);
  });

  test('gives each its own new tags', async () => {
    const [one = newId('memory')] = put(1, { ...own(), tags: ['a'] });
    const [two = newId('memory')] = put(1, { ...own(), tags: ['b', 'c'] });
    await run(tx, member, 'memory.add_tags_many', { ids: [one, two], at: AT, tags: ['c', 'd'] });
    expect([rowOf(one)?.tags, rowOf(two)?.tags]).toEqual([
      ['a', 'c', 'd'],
      ['b', 'c', 'd'],
    ]);
    await run(tx, member, 'memory.remove_tags_many', { ids: [one, two], at: AT, tags: ['c'] });
    expect([rowOf(one)?.tags, rowOf(two)?.tags]).toEqual([
      ['a', 'd'],
      ['b', 'd'],
    ]);
  });

  test('moves each out of its own home into one', async () => {
    const [from, to] = [spaceRow(own()), spaceRow(own())];
    tx.rows.space.set(from.id, from).set(to.id, to);
    const ids = [...put(2), ...put(1, { ...own(), spaceId: from.id })];
    for (const memoryId of ids)
      await run(tx, member, 'space_memory.create', { memoryId, spaceId: from.id, at: AT });
    await run(tx, member, 'memory.move_many', { ids, at: AT, spaceId: to.id });
    expect(ids.map((id) => rowOf(id)?.spaceId)).toEqual([to.id, to.id, to.id]);
    const listed = (spaceId: string) => ids.map((id) => tx.rows.space_memory.has(`${spaceId}/${id}`));
    // Only a home is left; the others stay where they are filed.
    expect([listed(from.id), listed(to.id)]).toEqual([
      [true, true, false],
      [true, true, true],
    ]);
    await run(tx, member, 'space_memory.remove_many', { memoryIds: ids, spaceId: to.id, at: AT });
    expect(listed(to.id)).toEqual([false, false, false]);
  });

  test('is applied where it is allowed, and names the rest with arguments that repeat it', async () => {
    const [mine, others] = [put(2), put(1, { ownerId: newId('user') })];
    const gone = newId('memory');
    const refused = await run(tx, member, 'memory.remove_many', {
      ids: [...mine, ...others, gone],
      at: AT,
    });
    expect(refused?.args).toEqual({ at: AT, ids: [...others, gone] });
    expect(refused?.error).toMatchObject({ code: 'forbidden' });
    expect(refused?.error.detail).toMatch(/^2 of 4 could not be changed: /);
    expect(mine.map((id) => rowOf(id)?.deletedAt)).toEqual([AT, AT]);
    expect(others.map((id) => rowOf(id)?.deletedAt)).toEqual([null]);
  });

  test('is refused as a whole when nothing of it is allowed', async () => {
    const ids = put(2);
    const reader = contextOf('read-only');
    await expect(
      run(tx, reader, 'memory.archive_many', { ids, at: AT, archived: true }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    expect(ids.map((id) => rowOf(id)?.archived)).toEqual([false, false]);
  });

  test('takes at least one and at most a thousand ids', () => {
    const { args } = MUTATORS['memory.remove_many'];
    const ids = Array.from({ length: MANY_MAX + 1 }, () => newId('memory'));
    expect(args.safeParse({ ids, at: AT }).success).toBe(false);
    expect(args.safeParse({ ids: [], at: AT }).success).toBe(false);
    expect(args.safeParse({ ids: ids.slice(1), at: AT }).success).toBe(true);
  });
});

describe('work that runs for many rows as one', () => {
  class CountingTx extends MapTx {
    readonly reads: number[] = [];
    override readonly getMany: MapTx['getMany'] = async (kind, ids) => {
      this.reads.push(ids.length);
      const rows = await Promise.all(ids.map(async (id) => [id, await this.get(kind, id)] as const));
      return new Map(rows.flatMap(([id, row]) => (row ? [[id, row] as const] : [])));
    };
  }

  test('reads what all parts need at once', async () => {
    const counting = new CountingTx();
    tx = counting;
    const home = spaceRow(own());
    tx.rows.space.set(home.id, home);
    const ids = put(100, { ...own(), spaceId: home.id });
    await run(tx, member, 'memory.remove_many', { ids, at: AT });
    expect(counting.reads).toEqual([100, 1]);
  });

  test('leaves nothing of a part that throws late', async () => {
    const [good = '', bad = ''] = put(2);
    const refusals = await runGathered(tx, [good, bad], async (part, id) => {
      await part.update('memory', id, { title: 'changed' });
      expect(await part.get('memory', id)).toMatchObject({ title: 'changed' });
      if (id === bad) throw new AppError('conflict');
    });
    expect(refusals.map(([id]) => id)).toEqual([bad]);
    expect(rowOf(good)?.title).toBe('changed');
    expect(rowOf(bad)?.title).not.toBe('changed');
  });

  test('writes nothing at all after a fault', async () => {
    const [good = '', bad = ''] = put(2);
    const fault = runGathered(tx, [good, bad], async (part, id) => {
      await part.update('memory', id, { title: 'changed' });
      if (id === bad) throw new TypeError('a fault');
    });
    await expect(fault).rejects.toThrow('a fault');
    expect(rowOf(good)?.title).not.toBe('changed');
  });

  test('sees in a part what the part itself added and removed', async () => {
    const [space, memory] = [spaceRow(own()), memoryRow(own())];
    const link = { workspaceId: space.workspaceId, spaceId: space.id, memoryId: memory.id, created: AT };
    const row = { ...link, createdBy: member.actor.userId };
    const key = `${space.id}/${memory.id}`;
    await runGathered(tx, [key], async (part) => {
      expect(await part.insert('space_memory', row)).toBe(true);
      expect(await part.insert('space_memory', row)).toBe(false);
      await part.remove('space_memory', key);
      expect(await part.get('space_memory', key)).toBeUndefined();
      expect(await part.insert('space_memory', row)).toBe(true);
    });
    expect(tx.rows.space_memory.get(key)).toEqual(row);
  });
});
