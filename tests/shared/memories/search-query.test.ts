/** The query language: what each form means, and that hostile input can neither throw nor change on a round trip. */
import { fc } from '#tests/support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/constants.ts';
import {
  dateClauseTime,
  formatSearchQuery,
  parseSearchQuery,
  SEARCH_OPERATORS,
} from '#shared/memories/search-query.ts';

describe('parseSearchQuery', () => {
  it('reads words, phrases and negation in order', () => {
    expect(parseSearchQuery('  rust "borrow checker" -java -"null pointer" ')).toEqual([
      { kind: 'word', text: 'rust', negated: false },
      { kind: 'phrase', text: 'borrow checker', negated: false, open: false },
      { kind: 'word', text: 'java', negated: true },
      { kind: 'phrase', text: 'null pointer', negated: true, open: false },
    ]);
  });

  it.each(SEARCH_OPERATORS)('reads %s: with a bare and with a quoted value', (name) => {
    expect(parseSearchQuery(`${name}:one -${name.toUpperCase()}:"two  words"`)).toEqual([
      { kind: name, value: 'one', negated: false },
      { kind: name, value: 'two words', negated: true },
    ]);
  });

  it('reads is:archived and dates of three precisions', () => {
    expect(parseSearchQuery('is:archived before:2024 after:2023-02 -after:2023-02-28')).toEqual([
      { kind: 'archived', negated: false },
      { kind: 'before', value: '2024', negated: false },
      { kind: 'after', value: '2023-02', negated: false },
      { kind: 'after', value: '2023-02-28', negated: true },
    ]);
  });

  it('takes unknown operators, impossible dates and empty values as plain text', () => {
    const texts = parseSearchQuery('color:red is:open before:2023-02-30 after:soon tag: http://x.y/z').map(
      (clause) => clause.kind === 'word' && clause.text,
    );
    expect(texts).toEqual([
      'color:red',
      'is:open',
      'before:2023-02-30',
      'after:soon',
      'tag:',
      'http://x.y/z',
    ]);
    expect(parseSearchQuery('after:"next week"')).toEqual([
      { kind: 'phrase', text: 'after:next week', negated: false, open: false },
    ]);
  });

  it('drops quotes around nothing', () => {
    expect(parseSearchQuery('"" "  " tag:"" -space:" "')).toEqual([]);
  });

  it('keeps a phrase open while its closing quote is missing, and understands curly quotes', () => {
    expect(parseSearchQuery('“deep work” "slow burn')).toEqual([
      { kind: 'phrase', text: 'deep work', negated: false, open: false },
      { kind: 'phrase', text: 'slow burn', negated: false, open: true },
    ]);
  });

  it('takes a lone dash and an inner dash as text', () => {
    expect(parseSearchQuery('- well-known')).toEqual([
      { kind: 'word', text: '-', negated: false },
      { kind: 'word', text: 'well-known', negated: false },
    ]);
  });

  it('replaces control characters by spaces and lone surrogates by the replacement character', () => {
    expect(parseSearchQuery('a\u0000b\u2028c \ud800')).toEqual(
      ['a', 'b', 'c', '\ufffd'].map((text) => ({ kind: 'word', text, negated: false })),
    );
  });
});

describe('dateClauseTime', () => {
  it('is the first moment of the period in UTC', () => {
    expect(dateClauseTime('2024')).toBe(Date.UTC(2024, 0, 1));
    expect(dateClauseTime('2024-02')).toBe(Date.UTC(2024, 1, 1));
    expect(dateClauseTime('2024-02-29')).toBe(Date.UTC(2024, 1, 29));
    expect(dateClauseTime('0050-01-01')).toBeLessThan(Date.UTC(1900, 0, 1));
  });

  it('refuses days that do not exist', () => {
    const impossible = ['2023-02-29', '2024-13', '2024-00', '2024-01-00', '24', '2024-1-1', ''];
    expect(impossible.filter((value) => dateClauseTime(value) !== undefined)).toEqual([]);
  });
});

/** Text that looks like queries: operators, quotes, dashes, white space of many kinds and arbitrary code units. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        '-',
        ' ',
        ':',
        '\t',
        '\u00a0',
        '“',
        '”',
        '\u0000',
        '\u2028',
        '\ufeff',
        '\ud800',
        '\udc00',
      ),
      fc.constantFrom(
        'tag:',
        'SPACE:',
        'is:archived',
        'is:',
        'before:2024-02-30',
        'after:2024',
        'title:"a b"',
        'x:y',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({ maxLength: 8 }),
      fc.constantFrom('word', '東京', 'é', 'e\u0301', '👩‍💻', 'x'.repeat(500)),
    ),
    { maxLength: 120 },
  )
  .map((parts) => parts.join(''));

describe('any input', () => {
  it('parses, and reads back into the same clauses once written', () => {
    fc.assert(
      fc.property(hostile, (input) => {
        const clauses = parseSearchQuery(input);
        const written = formatSearchQuery(clauses);
        expect(parseSearchQuery(written)).toEqual(clauses);
        expect(formatSearchQuery(parseSearchQuery(written))).toBe(written);
      }),
      { numRuns: 2000 },
    );
  });

  it('yields well-formed text of bounded length without control characters', () => {
    fc.assert(
      fc.property(hostile, (input) => {
        const written = formatSearchQuery(parseSearchQuery(input));
        expect(written.isWellFormed()).toBe(true);
        expect(written).not.toMatch(/\p{Cc}/u);
        expect(written.length).toBeLessThan(LIMITS.searchQuery + 64);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['"', '-', 'tag:"', 'a ', ' ', '-"', '\u0000'])(
    'reads no more of a megabyte of %j than its beginning',
    (unit) => {
      const whole = unit.repeat(1_000_000);
      expect(parseSearchQuery(whole)).toEqual(parseSearchQuery(whole.slice(0, 4 * LIMITS.searchQuery)));
    },
  );
});
