/** How notes refer to other memories, and by which names they are found. */
import { expect, it } from 'vitest';
import { splitReferences } from '#shared/markdown/references.ts';
import { namesOf, referencesIn } from '#shared/memories/references.ts';
import { cpuMs } from '#tests/support/cpu-time.ts';

it('splits a text at its references, with other words where they are given', () => {
  expect(splitReferences('See [[ Winter  Garden ]] and [[Beds|the beds]].')).toEqual([
    'See ',
    { name: 'winter garden', label: 'Winter  Garden' },
    ' and ',
    { name: 'beds', label: 'the beds' },
    '.',
  ]);
});

it('takes no reference that is empty, open or over several lines', () => {
  for (const text of ['[[]]', '[[ ]]', '[[|x]]', '[[open', '[[two\nlines]]', '[ [spaced]]'])
    expect(splitReferences(text)).toEqual([text]);
});

it('finds titles and addresses under the names of the memory that is meant', () => {
  const found = referencesIn('[[Winter garden]] is at https://www.example.com/beds?utm_source=x.');
  expect(found).toEqual([
    ...namesOf({ title: 'WINTER  garden', url: null }),
    ...namesOf({ title: null, url: 'http://example.com/beds/' }),
  ]);
  expect(namesOf({ title: null, url: null })).toEqual([]);
});

it('reads hostile texts in no time and keeps to a limit', () => {
  for (const text of ['['.repeat(1_000_000), '[[a'.repeat(300_000), 'https://'.repeat(100_000)]) {
    expect(cpuMs(() => referencesIn(text))).toBeLessThan(2_000);
  }
  const many = Array.from({ length: 1_000 }, (_unused, n) => `[[t${n}]] https://a.example/${n}`).join(' ');
  expect(referencesIn(many)).toHaveLength(200);
});
