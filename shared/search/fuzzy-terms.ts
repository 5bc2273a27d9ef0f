/**
 * Finds the terms of a segment within a small edit distance of a word. Terms are bucketed by length and carry a
 * 32-bit picture of their letters, so that nearly all are dismissed by two machine operations.
 */
import type { TermData } from './segment.ts';
import { termAt } from './term-table.ts';

/** A term and how many edits (insert, drop, replace, swap neighbours) separate it from the word. */
export interface FuzzyTerm {
  term: number;
  distance: number;
}

/** More terms than this would drown the likely ones; the closest and then the most frequent are selected. */
const FUZZY_TERMS_MAX = 64;
const LENGTH_MAX = 64;
const digit = /\p{N}/u;

interface Buckets {
  /** Bucket of terms with n characters spans `starts[n]` to `starts[n + 1]`. */
  starts: Uint32Array;
  terms: Uint32Array;
  letters: Uint32Array;
}

// Built at the first fuzzy search of a segment and dropped with it; never stored.
const bucketsOf = new WeakMap<TermData, Buckets>();

/** Edits allowed for a word: none below 4 letters or with digits in it, two from 8 letters on. */
export function fuzzyDistance(word: string): number {
  const length = Array.from(word).length;
  if (length < 4 || length > LENGTH_MAX - 2 || digit.test(word)) return 0;
  return length < 8 ? 1 : 2;
}

/** Terms near the word, closest first, then those in most documents; the word itself is not among them. */
export function findFuzzyTerms(data: TermData, word: string): FuzzyTerm[] {
  const limit = fuzzyDistance(word);
  if (limit === 0) return [];
  const buckets = bucketsOf.get(data) ?? buildBuckets(data);
  const target = Array.from(word, (character) => character.codePointAt(0) ?? 0);
  const letters = lettersOf(new TextEncoder().encode(word));
  const found: FuzzyTerm[] = [];
  for (let length = target.length - limit; length <= target.length + limit; length += 1) {
    scanBucket({ data, buckets, length, limit, target, letters }, found);
  }
  const used = (each: FuzzyTerm): number => data.frequencies[each.term] ?? 0;
  found.sort((one, other) => one.distance - other.distance || used(other) - used(one));
  return found.slice(0, FUZZY_TERMS_MAX);
}

export function findPartTerms(data: TermData, part: string): number[] {
  const buckets = bucketsOf.get(data) ?? buildBuckets(data);
  const letters = lettersOf(new TextEncoder().encode(part));
  const found: number[] = [];
  // The first bucket holds terms that are not words.
  for (let at = buckets.starts[1] ?? 0; at < buckets.terms.length; at += 1) {
    if ((letters & ~(buckets.letters[at] ?? 0)) !== 0) continue;
    const term = buckets.terms[at] ?? 0;
    if (termAt(data, term).includes(part)) found.push(term);
  }
  return found;
}

interface BucketScan {
  data: TermData;
  buckets: Buckets;
  length: number;
  limit: number;
  target: number[];
  letters: number;
}

function scanBucket({ data, buckets, length, limit, target, letters }: BucketScan, found: FuzzyTerm[]): void {
  const shift = Math.abs(length - target.length);
  // A replaced letter changes two bits of the picture, a dropped or added one changes one.
  const bits = 2 * (limit - shift) + shift;
  const end = buckets.starts[length + 1] ?? 0;
  for (let at = buckets.starts[length] ?? 0; at < end; at += 1) {
    let differing = (buckets.letters[at] ?? 0) ^ letters;
    for (let left = bits; left > 0; left -= 1) differing &= differing - 1;
    if (differing !== 0) continue;
    const term = buckets.terms[at] ?? 0;
    const candidate = charactersOf(data, term);
    const distance = editDistance(target, candidate, limit);
    if (distance > 0 && distance <= limit) found.push({ term, distance });
  }
}

function buildBuckets(data: TermData): Buckets {
  const count = data.frequencies.length;
  const lengths = new Uint8Array(count);
  const starts = new Uint32Array(LENGTH_MAX + 3);
  for (let term = 0; term < count; term += 1) {
    const start = data.termStarts[term] ?? 0;
    const isFacet = data.termBytes[start] === 1;
    const length = isFacet ? 0 : Math.min(LENGTH_MAX + 1, countCharacters(data, term));
    lengths[term] = length;
    starts[length + 1] = (starts[length + 1] ?? 0) + 1;
  }
  for (let length = 1; length < starts.length; length += 1) {
    starts[length] = (starts[length] ?? 0) + (starts[length - 1] ?? 0);
  }
  const buckets = { starts, terms: new Uint32Array(count), letters: new Uint32Array(count) };
  const next = starts.slice();
  for (let term = 0; term < count; term += 1) {
    const length = lengths[term] ?? 0;
    const place = next[length] ?? 0;
    next[length] = place + 1;
    buckets.terms[place] = term;
    buckets.letters[place] = lettersOf(termBytesOf(data, term));
  }
  bucketsOf.set(data, buckets);
  return buckets;
}

function termBytesOf(data: TermData, term: number): Uint8Array {
  return data.termBytes.subarray(data.termStarts[term] ?? 0, data.termStarts[term + 1] ?? 0);
}

function countCharacters(data: TermData, term: number): number {
  let count = 0;
  const end = data.termStarts[term + 1] ?? 0;
  for (let at = data.termStarts[term] ?? 0; at < end; at += 1) {
    if (((data.termBytes[at] ?? 0) & 0xc0) !== 0x80) count += 1;
  }
  return count;
}

/** One bit for each of a to z, and six for all other characters by their last byte. */
function lettersOf(bytes: Uint8Array): number {
  let letters = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (((bytes[at + 1] ?? 0) & 0xc0) === 0x80) continue;
    letters |= 1 << (byte > 96 && byte < 123 ? byte - 97 : 26 + (byte % 6));
  }
  return letters >>> 0;
}

function charactersOf(data: TermData, term: number): number[] {
  const bytes = termBytesOf(data, term);
  const characters: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at++] ?? 0;
    const more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    let character = more === 0 ? first : first & (0x3f >> more);
    for (let left = more; left > 0; left -= 1) character = (character << 6) | ((bytes[at++] ?? 0) & 0x3f);
    characters.push(character);
  }
  return characters;
}

/** Edits between two words, or more than `limit` as soon as that is certain (Damerau's optimal string alignment). */
export function editDistance(one: readonly number[], other: readonly number[], limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (swapped) cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return previous[other.length] ?? 0;
}
