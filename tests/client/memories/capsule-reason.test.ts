/** Why a memory comes back: true words, the best of several reasons, and nothing tied to itself. */
import { expect, test } from 'vitest';
import { newId } from '#shared/ids.ts';
import { capsuleReason, recentSaves, tieToRecent } from '#client/memories/capsule-reason.ts';
import { memoryRow } from '#tests/support/rows.ts';

const ME = newId('user');
const DAY = '2026-11-21';
const at = (day: string) => new Date(`${day}T12:00:00`).toISOString();
const saved = (day: string, fields: Parameters<typeof memoryRow>[0] = {}) =>
  memoryRow({ created: at(day), updated: at(day), createdBy: ME, tags: [], ...fields });
const garden = { id: 'garden', name: 'Garden' };

function reasonOf(
  row: ReturnType<typeof saved>,
  others: ReturnType<typeof saved>[] = [],
  inGarden: string[] = [],
): string {
  const spacesOf = (id: string) => (inGarden.includes(id) ? [garden] : []);
  const newestFirst = [row, ...others].toSorted((a, b) => (a.created < b.created ? 1 : -1));
  const recent = recentSaves(newestFirst, { day: DAY, userId: ME, spacesOf });
  return capsuleReason(row, recent, spacesOf).text;
}

test('an anniversary comes before everything else', () => {
  expect(reasonOf(saved('2025-11-21'))).toBe('A year ago today');
  expect(reasonOf(saved('2022-11-21'))).toBe('4 years ago today');
  expect(reasonOf(saved('2026-10-21'))).toBe('A month ago today');
  expect(reasonOf(saved('2026-05-21'))).toBe('Six months ago today');
  expect(reasonOf(saved('2026-07-21'))).toBe('Not changed since July 2026');
});

test('a space or a tag ties an older memory to what this person saved on the days before', () => {
  const old = saved('2025-03-02', { tags: ['soil'] });
  const yesterday = saved('2026-11-20');
  expect(reasonOf(old, [yesterday], [old.id, yesterday.id])).toBe('In Garden, like what you saved yesterday');
  const wednesday = saved('2026-11-18', { tags: ['soil'] });
  expect(reasonOf(old, [wednesday])).toBe('Tagged #soil, like what you saved on Wednesday');
});

test('saves of today, of last month and of other members tie nothing', () => {
  const old = saved('2025-03-02', { tags: ['soil'] });
  const others = [
    saved(DAY, { tags: ['soil'] }),
    saved('2026-10-19', { tags: ['soil'] }),
    saved('2026-11-20', { tags: ['soil'], createdBy: newId('user') }),
  ];
  expect(reasonOf(old, others)).toBe('Not changed since March 2025');
});

test('what was saved in these days is not tied to itself, and an edit counts as a change', () => {
  expect(reasonOf(saved('2026-11-18', { tags: ['soil'] }))).toBe('Saved on 18 November 2026');
  expect(reasonOf(saved('2024-03-02', { updated: at('2026-11-01') }))).toBe('Saved on 2 March 2024');
});

test('a tag on nearly everything ties nothing', () => {
  const many = Array.from({ length: 60 }, () => saved('2025-03-02', { tags: ['import'] }));
  const all = [saved('2026-11-20', { tags: ['import'] }), ...many];
  const recent = recentSaves(all, { day: DAY, userId: ME, spacesOf: () => [] });
  expect(many.filter((row) => tieToRecent(row, recent, () => []))).toEqual([]);
});
