/** Hostile texts cost time in proportion to their length, and what is drawn of them stays within the limits. */
import { describe, expect, it } from 'vitest';
import { isParsedAtOnce, AT_ONCE_LENGTH } from '#shared/markdown/parsed-at-once.ts';
import { countElements } from '#shared/markdown/count-elements.ts';
import { MARKDOWN } from '#shared/markdown/limits.ts';
import { parseMarkdown } from '#shared/markdown/parse-markdown.ts';
import { safeSource } from '#shared/markdown/safe-source.ts';
import { quickest } from '#tests/support/cpu-time.ts';
import { HOSTILE_MARKDOWN } from '#tests/support/hostile-markdown.ts';

/** Below it nothing is measured again, and no growth is computed: the clock of a thread ticks every 4 ms. */
const ENOUGH_MS = 8;
/** Four times the length costs 4 times as much where cost is in proportion, and 16 times where every part meets every other. */
const MOST_GROWTH = 8;

const patterns = Object.entries(HOSTILE_MARKDOWN);
/** A message of the greatest length; the former parser needed 34 s for the first of these. */
const MESSAGE = 16_000;

/**
 * How many times as much the whole length costs as a quarter of it; machines differ in speed, not in this. Measured again
 * up to twice where it seems too much: the collection of garbage falls into one round, cost out of proportion into each.
 */
function growth(length: number, run: (length: number) => unknown): number {
  let least = Infinity;
  for (let round = 0; round < 3 && least >= MOST_GROWTH; round += 1) {
    const whole = quickest(() => run(length), ENOUGH_MS);
    const quarter = quickest(() => run(length / 4), ENOUGH_MS);
    least = Math.min(least, whole / Math.max(quarter, ENOUGH_MS));
  }
  return least;
}

describe('a hostile text', () => {
  it.each(patterns)('of %s is parsed in proportion to its length', (_name, make) => {
    expect(growth(MESSAGE, (length) => parseMarkdown(make(length)))).toBeLessThan(MOST_GROWTH);
  });

  it.each(patterns)('of %s is made safe to pass on in proportion to its length', (_name, make) => {
    expect(growth(MESSAGE, (length) => safeSource(make(length)))).toBeLessThan(MOST_GROWTH);
  });

  it.each(patterns)('of %s is parsed on the page itself only in proportion to its length', (_name, make) => {
    const text = make(AT_ONCE_LENGTH).slice(0, AT_ONCE_LENGTH);
    if (!isParsedAtOnce(text)) return expect(text).toContain('|');
    const parse = (length: number) => parseMarkdown(text.slice(0, length));
    expect(growth(AT_ONCE_LENGTH, parse)).toBeLessThan(MOST_GROWTH);
  });

  // Far longer than any message: how long it takes is no matter here, and a busy machine needs half a minute.
  it.each(patterns)('of %s neither overflows the stack nor exceeds what is drawn', (_name, make) => {
    const tree = parseMarkdown(make(100_000));
    if (tree === null) return;
    expect(countElements(tree)).toBeLessThanOrEqual(MARKDOWN.maxElements);
    for (const block of tree) expect(countElements([block])).toBeLessThanOrEqual(MARKDOWN.maxBlockElements);
  });
});

describe('a text past a limit', () => {
  it.each([
    ['length', 'a'.repeat(MARKDOWN.maxSource + 1)],
    ['depth of quotes', '> '.repeat(MARKDOWN.maxDepth + 1)],
    ['depth of lists', `${'- '.repeat(MARKDOWN.maxDepth)}a`],
    ['number of elements', 'a\n\n'.repeat(MARKDOWN.maxElements + 1)],
  ])('of %s is not formatted', (_name, text) => {
    expect(parseMarkdown(text)).toBeNull();
  });

  it('of elements in one block shows that block as it was written, and formats the others', () => {
    const words = '*a* '.repeat(MARKDOWN.maxBlockElements + 1);
    expect(parseMarkdown(`# Title\n\n${words}\n\n**end**`)).toEqual([
      ['h1', {}, 'Title'],
      ['pre', {}, words],
      ['p', {}, ['strong', {}, 'end']],
    ]);
  });

  it('just below the limits is formatted', () => {
    const quotes = parseMarkdown(`${'> '.repeat(40)}a`);
    expect(JSON.stringify(quotes)).toContain('["p",{},"a"]');
  });
});
