/** Recognition of an address that a memory already has. */
import { expect, it } from 'vitest';
import { findDuplicate } from '#client/capture/duplicates.ts';
import { sharedText } from '#client/capture/share-page.tsx';
import { memoryRow } from '#tests/support/rows.ts';

const kept = memoryRow({ type: 'link', url: 'https://www.Example.com/a/?utm_source=x&b=1#part' });

it('sees through scheme, www, tracking and fragments', () => {
  expect(findDuplicate([memoryRow(), kept], 'http://example.com/a?b=1')).toBe(kept);
});

it('does not take another page of the same site for the same', () => {
  expect(findDuplicate([kept], 'https://example.com/a?b=2')).toBeUndefined();
  expect(findDuplicate([kept], 'https://example.com/')).toBeUndefined();
});

it('puts a shared address first and repeats nothing', () => {
  expect(sharedText({ title: 'A page', text: 'https://a.example/', url: '' })).toBe(
    'https://a.example/\nA page',
  );
  expect(sharedText({ title: 'T', text: 'T', url: 'https://a.example/' })).toBe('https://a.example/\nT');
  expect(sharedText({ title: '', text: 'only words', url: '' })).toBe('only words');
});

it('takes the address out of a link of its own scheme', () => {
  for (const url of ['web+loci:https://a.example/', 'web+loci://https://a.example/'])
    expect(sharedText({ title: '', text: '', url })).toBe('https://a.example/');
  const other = 'web+loci:javascript:alert(1)';
  expect(sharedText({ title: '', text: '', url: other })).toBe(other);
});
