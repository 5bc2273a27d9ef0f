/** What both sides do with people's text besides Markdown costs time in proportion to its length. */
import { describe, expect, it } from 'vitest';
import { memoryExcerpt, memoryTitle, plainNotes } from '#shared/memories/memory-text.ts';
import { makeSnippet } from '#shared/memories/search-snippet.ts';
import { urlKey } from '#shared/capture/url-key.ts';
import { LIMITS } from '#shared/constants.ts';
import { quickest } from '#tests/support/cpu-time.ts';
import { HOSTILE_MARKDOWN } from '#tests/support/hostile-markdown.ts';

const repeated = (text: string): string => text.repeat(Math.ceil(LIMITS.notes / text.length));

const TEXTS: [string, string][] = [
  ...Object.entries(HOSTILE_MARKDOWN).map(([name, make]): [string, string] => [name, make(LIMITS.notes)]),
  ...[
    '| ',
    '|-',
    '\t \t',
    '** ',
    '`',
    '~~__',
    '[](',
    'a ',
    '1.',
    '\u4e00',
    '\u{1F600}',
    'a\u0301',
    '#',
    '> ',
    '- ',
    '<!--',
    '<!-- a -->',
    '<a',
    '<b>',
    '<https://',
    '<a@',
    '&amp',
    '&#x26;',
    '==a ',
    ' ==a',
    '[a][',
    '[](()',
    '[](a(b)',
    '[^',
    '[1]: ',
    '\\',
    '\\`',
    '``a`',
    '`a``',
  ].map((piece): [string, string] => [`repeated ${JSON.stringify(piece)}`, repeated(piece)]),
];

describe('a text of the greatest length', () => {
  it.each(TEXTS)('of %s becomes plain notes in time', (_name, text) => {
    expect(quickest(() => plainNotes(text), 250)).toBeLessThan(250);
  });

  it.each(TEXTS)('of %s becomes a title and an excerpt in time', (_name, text) => {
    const row = { title: null, description: null, summary: null, notes: text, url: null, filename: null };
    expect(quickest(() => [memoryTitle(row), memoryExcerpt(row)], 50)).toBeLessThan(50);
  });

  it.each(TEXTS)('of %s becomes a snippet in time', (_name, text) => {
    const words = { words: ['a', 'b', '\u4e00\u4e00'], prefixes: ['a', 'x'] };
    expect(quickest(() => makeSnippet(text, words), 500)).toBeLessThan(500);
  });
});

describe('a snippet', () => {
  it('shows the most different matches, whatever comes more often', () => {
    const text = `${'one '.repeat(200)}${'filler '.repeat(50)}one two three ${'one '.repeat(200)}`;
    const { text: shown } = makeSnippet(text, { words: ['one', 'two', 'three'], prefixes: [] });
    expect(shown).toContain('one two three');
  });
});

describe('an address of the greatest length', () => {
  it.each(['a', '%', '/', '?a&', '#', '&utm_a=1', './', '../', '%2e/'])(
    'of %j has a key in time',
    (piece) => {
      const url = `https://a.example/${piece.repeat(LIMITS.url)}`.slice(0, LIMITS.url);
      expect(quickest(() => urlKey(url), 50)).toBeLessThan(50);
    },
  );
});
