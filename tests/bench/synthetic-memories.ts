/**
 * Seeded memories for benchmarks: Zipf-distributed text over 60,000 words plus two per cent of rare tokens, about
 * 1.2 KB of JSON each, as the performance plan describes. The same seed yields the same memories on every machine.
 */
import type { SearchDocument } from '#shared/search/search-document.ts';

const VOCABULARY = 60_000;
const RARE_SHARE = 0.02;
const TAGS = 200;
const HOUR = 3_600_000;

/** Endings and beginnings that make prefixes about as selective as in English. */
const onsets = [
  'b',
  'c',
  'd',
  'f',
  'g',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'w',
  'st',
  'tr',
  'pr',
];
const nuclei = ['a', 'e', 'i', 'o', 'u', 'ea', 'io', 'ou'];
const codas = ['', '', '', 'n', 'r', 's', 't', 'l', 'nt', 'ck'];

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}

/** So many memories, newest first. */
export function syntheticMemories(count: number, seed = 1): SearchDocument[] {
  const random = createRandom(seed);
  const word = zipfWords(random);
  const text = (least: number, most: number): string =>
    Array.from({ length: between(random, least, most) }, word).join(' ');
  const newest = Date.UTC(2025, 0, 1);
  return Array.from({ length: count }, (_, index) => ({
    id: `mem_${randomLetters(random, 32)}`,
    title: text(4, 9),
    tags: Array.from({ length: between(random, 0, 4) }, () => `tag${Math.floor(random() ** 2 * TAGS)}`),
    description: text(8, 16),
    summary: text(20, 45),
    notes: text(20, 60),
    url: random() < 0.5 ? `https://${word()}.example.com/${word()}` : '',
    spaceIds: random() < 0.3 ? [`spc_${Math.floor(random() * 40)}`] : [],
    type: random() < 0.5 ? 'note' : 'link',
    origin: random() < 0.5 ? 'web' : 'manual_entry',
    archived: false,
    created: newest - index * HOUR,
    stamp: index,
  }));
}

/** Draws words with probability 1 / rank, and now and then one that hardly occurs elsewhere. */
function zipfWords(random: () => number): () => string {
  const words = vocabulary(random);
  const sums = new Float64Array(words.length);
  let sum = 0;
  words.forEach((_, rank) => (sums[rank] = sum += 1 / (rank + 2)));
  return () => {
    if (random() < RARE_SHARE) return randomLetters(random, between(random, 5, 10));
    const target = random() * sum;
    let low = 0;
    let high = words.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] ?? 0) < target) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? '';
  };
}

function vocabulary(random: () => number): string[] {
  const words = new Set<string>();
  const pick = (parts: readonly string[]): string => parts[Math.floor(random() * parts.length)] ?? '';
  while (words.size < VOCABULARY) {
    // Frequent words are short: the list's order is the order of frequency.
    const syllables = between(random, 1, words.size < 200 ? 2 : 4);
    words.add(Array.from({ length: syllables }, () => pick(onsets) + pick(nuclei) + pick(codas)).join(''));
  }
  return [...words];
}

function randomLetters(random: () => number, length: number): string {
  return Array.from({ length }, () => 'abcdefghijkmnopqrstuvwxyz123456789'[Math.floor(random() * 34)]).join(
    '',
  );
}

function between(random: () => number, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}
