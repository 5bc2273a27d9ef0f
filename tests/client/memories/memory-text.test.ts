/** What a memory is called and what its card says. */
import { expect, it } from 'vitest';
import { domainOf, memoryExcerpt, memoryTitle, shortAddress } from '#client/memories/memory-text.ts';

const bare = { title: null, description: null, summary: null, notes: null, url: null, filename: null };

it('calls a memory by its title, else its first words, its file or its address', () => {
  expect(memoryTitle({ ...bare, title: 'T', notes: 'n' })).toBe('T');
  expect(memoryTitle({ ...bare, notes: '\n## **Plan** for [May](https://a.example)\nmore' })).toBe(
    'Plan for May',
  );
  expect(memoryTitle({ ...bare, filename: 'scan.pdf' })).toBe('scan.pdf');
  expect(memoryTitle({ ...bare, url: 'https://www.a.example/x/' })).toBe('a.example/x');
  expect(memoryTitle(bare)).toBe('Untitled');
});

it('does not repeat in the excerpt what the title already says', () => {
  expect(memoryExcerpt({ ...bare, notes: 'first\nsecond' })).toBe('second');
  expect(memoryExcerpt({ ...bare, title: 'first', notes: 'first\n- [ ] second' })).toBe('second');
});

it('prefers a description over the notes', () => {
  expect(memoryExcerpt({ ...bare, title: 'T', description: 'D', notes: 'N' })).toBe('D');
});

it('cuts long text with an ellipsis', () => {
  expect(memoryExcerpt({ ...bare, title: 'T', notes: 'word '.repeat(400) })).toMatch(/^word .*…$/);
});

it('names the site of an address', () => {
  expect(domainOf('https://www.a.example:8080/x')).toBe('a.example:8080');
  expect(domainOf(null)).toBeUndefined();
  expect(shortAddress('not an address')).toBe('not an address');
});

it('reads a table as words', () => {
  expect(
    memoryExcerpt({ ...bare, title: 'T', notes: '| When | What |\n|---|---|\n| 8:00 | **fold** |' }),
  ).toBe('When · What\n8:00 · fold');
});
