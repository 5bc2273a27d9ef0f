/** Folding and tokenizing: equal for what readers take as equal, stable when applied twice, whole for every script. */
import { fc } from '#tests/support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import {
  foldText,
  inflectionsOf,
  isLoneIdeograph,
  queryTermsOf,
  TERM_MAX_LENGTH,
  termsOf,
} from '#shared/memories/text-analysis.ts';

describe('foldText', () => {
  it.each([
    ['Über', 'uber'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['Ærøskøbing', 'aeroskobing'],
    ['Łódź', 'lodz'],
    ['İstanbul', 'istanbul'],
    ['ﬁn', 'fin'],
    ['Ｆｕｌｌ', 'full'],
    ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
    ['한글', '한글'],
    ['が', 'が'],
  ])('folds %s to %s', (given, folded) => {
    expect(foldText(given)).toBe(folded);
    expect(foldText(given.normalize('NFD'))).toBe(folded);
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const once = foldText(text);
        expect(foldText(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('termsOf', () => {
  it('splits at everything that is neither letter, mark nor number', () => {
    expect(termsOf("Node.js v24: it's well-known_OK 3.14 👩‍💻 ❤️ 1️⃣!")).toEqual([
      'node',
      'js',
      'v24',
      'it',
      's',
      'well',
      'known',
      'ok',
      '3',
      '14',
      '1',
    ]);
  });

  it('keeps vowel signs inside words of Indic scripts', () => {
    expect(termsOf('हिन्दी भाषा')).toHaveLength(2);
  });

  it('pairs ideographs, so that each begins a term', () => {
    expect(termsOf('東京都 in 日本')).toEqual(['東京', '京都', '都', 'in', '日本', '本']);
    expect(queryTermsOf('東京都')).toEqual(['東京', '京都']);
    expect(queryTermsOf('都')).toEqual(['都']);
    expect(termsOf('𠮷野家')).toEqual(['𠮷野', '野家', '家']);
    expect(isLoneIdeograph('𠮷') && isLoneIdeograph('都')).toBe(true);
    expect(isLoneIdeograph('東京') || isLoneIdeograph('a')).toBe(false);
  });

  it('finds in the text the terms of any word of the text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 8 }), (words) => {
        const stored = termsOf(words.join(' '));
        for (const term of words.flatMap((word) => queryTermsOf(word))) {
          expect(
            stored.some((each) => each === term || (isLoneIdeograph(term) && each.startsWith(term))),
          ).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('cuts endless words without breaking a surrogate pair', () => {
    const [term = ''] = termsOf(`${'a'.repeat(TERM_MAX_LENGTH - 1)}𝒳𝒳`.replaceAll('𝒳', '\u{1E900}'));
    expect(term.length).toBeLessThanOrEqual(TERM_MAX_LENGTH);
    expect(term.isWellFormed()).toBe(true);
  });
});

describe('inflectionsOf', () => {
  it.each([
    ['container', 'containers'],
    ['query', 'queries'],
    ['index', 'indexes'],
    ['class', 'classes'],
    ['branch', 'branches'],
  ])('relates %s and %s both ways', (singular, plural) => {
    expect(inflectionsOf(singular)).toContain(plural);
    expect(inflectionsOf(plural)).toContain(singular);
  });

  it('leaves short words, other scripts and numbers alone', () => {
    for (const term of ['js', 'css', 'über', '2024', '東京', 'ἀρχή']) expect(inflectionsOf(term)).toEqual([]);
  });
});
