/** The titles that are offered for a reference in a note. */
import { expect, it } from 'vitest';
import { splitReferences, referenceName } from '#shared/markdown/references.ts';
import { findTitles } from '#client/memories/note-titles.ts';
import { quickest } from '#tests/support/cpu-time.ts';
import { memoryRow } from '#tests/support/rows.ts';

const FRAME_MS = 16;

const rowsOf = (titles: readonly (string | null)[]) => titles.map((title) => memoryRow({ title }));

it('begin with what is typed, or have a word that does, or hold it', () => {
  const rows = rowsOf(['The tide', 'Eventide', 'Tide tables', null, 'Ebb']);
  expect(findTitles(rows, 'tide')).toEqual(['Tide tables', 'The tide', 'Eventide']);
  expect(findTitles(rows, 'TIDE t')).toEqual(['Tide tables']);
  expect(findTitles(rowsOf(['Käsespätzle']), 'kases')).toEqual(['Käsespätzle']);
  expect(findTitles(rows, 'nothing')).toEqual([]);
});

it('are only those that a reference can name, each once', () => {
  const hostile = ['a]] b', 'a | b', '[[a', 'a\nb', ' A  tide ', 'a tide', '', '   ', 'x'.repeat(400)];
  expect(findTitles(rowsOf(hostile), '')).toEqual(['A  tide']);
  for (const title of findTitles(rowsOf(['Ünï <b>“x”</b>', '**bold**', 'x'.repeat(280)]), '')) {
    const [reference] = splitReferences(`[[${title}]]`);
    expect(reference).toMatchObject({ name: referenceName(title) });
  }
});

it('are found among ten thousand within one frame', () => {
  const rows = rowsOf(Array.from({ length: 10_000 }, (_, count) => `Note ${count} about the harbour`));
  findTitles(rows, '');
  const times = ['9', '99', 'about', 'zzz', 'note 7'].map((typed) =>
    quickest(() => findTitles(rows, typed), FRAME_MS),
  );
  expect(times.toSorted((a, b) => a - b)[2]).toBeLessThan(FRAME_MS);
});
