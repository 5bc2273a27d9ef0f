/** Snippets: the ranges point at what matched, the piece is a piece of the text, and nothing in it can become markup. */
import { fc } from '#tests/support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { findHighlights, makeSnippet } from '#shared/memories/search-snippet.ts';

const marked = (text: string, words: string[], prefixes: string[] = []): string[] =>
  findHighlights(text, { words, prefixes }).map(([start, end]) => text.slice(start, end));

describe('findHighlights', () => {
  it('finds words through folding, and completions of prefixes', () => {
    expect(marked('Die Übergänge am Fluß, ubergang', ['ubergange', 'fluss'], ['uberg'])).toEqual([
      'Übergänge',
      'Fluß',
      'ubergang',
    ]);
  });

  it('marks the matching part of a run of ideographs', () => {
    expect(marked('新しい東京都の図書館', ['東京', '京都'])).toEqual(['東京都']);
  });

  it('marks nothing for no words', () => {
    expect(marked('some text', [], [])).toEqual([]);
    expect(marked('', ['a'], ['b'])).toEqual([]);
  });
});

describe('makeSnippet', () => {
  const filler = 'quiet garden paths between old walls '.repeat(20);

  it('shows the place with the most different matches', () => {
    const text = `${filler} needle ${filler} needle near thread ${filler}`;
    const snippet = makeSnippet(text, { words: ['needle', 'thread'], prefixes: [] });
    expect(snippet.ranges.map(([start, end]) => snippet.text.slice(start, end))).toEqual([
      'needle',
      'thread',
    ]);
    expect(snippet.cut).toEqual({ before: true, after: true });
  });

  it('shows the beginning when nothing matches', () => {
    const snippet = makeSnippet(filler, { words: ['absent'], prefixes: [] });
    expect(filler.startsWith(snippet.text)).toBe(true);
    expect(snippet.cut).toEqual({ before: false, after: true });
  });

  it('is a well-formed piece of the text with ordered ranges inside, whatever the text', () => {
    const text = fc
      .array(
        fc.oneof(
          fc.constantFrom('word', 'wörd', '東京都', '<b>', '&amp;', '👩‍💻'),
          fc.string({ unit: 'grapheme' }),
        ),
        {
          maxLength: 80,
        },
      )
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(text, fc.integer({ min: 10, max: 200 }), (given, length) => {
        const snippet = makeSnippet(given, { words: ['word', '東京'], prefixes: ['wor'] }, length);
        expect(given.replace(/\s/g, ' ')).toContain(snippet.text);
        expect(snippet.text.isWellFormed()).toBe(true);
        expect(snippet.text.length).toBeLessThanOrEqual(length + 1);
        let last = 0;
        for (const [start, end] of snippet.ranges) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(snippet.text.length);
      }),
      { numRuns: 1000 },
    );
  });
});
