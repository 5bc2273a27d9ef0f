// What the capsule brings back: the same all day, nothing unfinished, young items only to fill up.
import { describe, expect, test } from 'vitest';
import { capsuleSeed, pickCapsule, pickOnThisDay } from '#shared/memories/capsule.ts';
import { memoryRow } from '#tests/support/rows.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const old = () => memoryRow({ created: '2025-01-01T00:00:00.000Z' });
const request = { seed: capsuleSeed('u', 'w', '2026-11-21'), now: NOW };

describe('the capsule', () => {
  test('has the same twenty in the same order whatever the order of storage', () => {
    const memories = Array.from({ length: 200 }, old);
    const first = pickCapsule(memories, request);
    expect(first).toHaveLength(20);
    expect(pickCapsule([...memories].reverse(), request)).toEqual(first);
    expect(pickCapsule(memories, { ...request, seed: 'another' })).not.toEqual(first);
  });

  test('leaves out what is archived, deleted or unfinished', () => {
    const memories = [
      memoryRow({ created: old().created, archived: true }),
      memoryRow({ created: old().created, deletedAt: NOW.toISOString() }),
      memoryRow({ created: old().created, contentStatus: 'pending' }),
    ];
    expect(pickCapsule(memories, request)).toEqual([]);
  });

  test('takes items of the last week only when older ones run out', () => {
    const young = Array.from({ length: 30 }, () => memoryRow({ created: '2026-11-20T00:00:00.000Z' }));
    const few = Array.from({ length: 5 }, old);
    const picked = pickCapsule([...young, ...few], request);
    expect(picked.slice(0, 5).every((memory) => few.includes(memory))).toBe(true);
    expect(picked).toHaveLength(20);
    const many = Array.from({ length: 25 }, old);
    expect(pickCapsule([...young, ...many], request).every((memory) => many.includes(memory))).toBe(true);
  });

  test('leaves out what is not wanted, and keeps the order of the others', () => {
    const memories = Array.from({ length: 200 }, old);
    const isWanted = ({ id }: { id: string }) => id.charCodeAt(id.length - 1) % 2 === 0;
    const all = pickCapsule(memories, { ...request, limit: 200 });
    const wanted = all.filter(isWanted).slice(0, 20);
    expect(pickCapsule(memories, { ...request, isWanted })).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(10);
  });

  test('puts five that are tied to recent saves first, each once', () => {
    const memories = Array.from({ length: 200 }, (_, n) => ({ ...old(), tags: n % 4 ? [] : ['tied'] }));
    const young = { ...memoryRow({ created: '2026-11-20T00:00:00.000Z' }), tags: ['tied'] };
    const isTied = ({ tags }: { tags: readonly string[] }) => tags.length > 0;
    const all = pickCapsule(memories, { ...request, limit: 200 });
    const tied = all.filter(isTied).slice(0, 5);
    const others = all.filter((memory) => !tied.includes(memory)).slice(0, 15);
    expect(pickCapsule([young, ...memories], { ...request, isTied })).toEqual([...tied, ...others]);
  });

  test('shows fewer of a tag the person wants less of', () => {
    const memories = Array.from({ length: 400 }, (_, n) => ({ ...old(), tags: n % 2 ? ['loud'] : [] }));
    const loud = (weight: number) =>
      pickCapsule(memories, { ...request, limit: 400, tagWeights: new Map([['loud', weight]]) }).filter(
        (memory) => memory.tags.length > 0,
      ).length;
    expect(loud(1)).toBe(200);
    expect(loud(0)).toBe(0);
    expect(loud(0.5)).toBeGreaterThan(60);
    expect(loud(0.5)).toBeLessThan(140);
  });

  test('remembers this day of earlier years, newest first', () => {
    const [a, b, c] = ['2024-11-21', '2020-11-21', '2026-11-21'].map((day) =>
      memoryRow({ created: `${day}T08:00:00.000Z` }),
    );
    expect(
      pickOnThisDay(
        [b, c, a].filter((row) => row !== undefined),
        '2026-11-21',
      ),
    ).toEqual([a, b]);
  });
});
