/**
 * Numbers terms by their first appearance, straight from the source texts: a hash table with open addressing that
 * compares letters in place, so that only a new term becomes a string.
 */

/** FNV-1a over UTF-16 units, http://www.isthe.com/chongo/tech/comp/fnv/. */
const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
const FIRST_CAPACITY = 1024;

/** Terms in the order of their numbers, which begin at 0. */
export interface TermNumbers {
  readonly terms: readonly string[];
  /** The number of the term that `source` has from `start` to before `end`. */
  numberOf(source: string, start: number, end: number): number;
}

/** An empty table. */
export function createTermNumbers(): TermNumbers {
  const terms: string[] = [];
  let hashes = new Int32Array(FIRST_CAPACITY);
  /** Number of the term plus one; 0 is an empty place. At most half of the places are used. */
  let places = new Int32Array(FIRST_CAPACITY * 2);

  function grow(): void {
    const larger = new Int32Array(hashes.length * 2);
    larger.set(hashes);
    hashes = larger;
    places = new Int32Array(hashes.length * 2);
    const mask = places.length - 1;
    for (let number = 0; number < terms.length; number += 1) {
      let place = (hashes[number] ?? 0) & mask;
      while (places[place] !== 0) place = (place + 1) & mask;
      places[place] = number + 1;
    }
  }

  return {
    terms,
    numberOf(source, start, end) {
      const hash = hashOf(source, start, end);
      const mask = places.length - 1;
      let place = hash & mask;
      for (let taken = places[place] ?? 0; taken !== 0; taken = places[place] ?? 0) {
        if (hashes[taken - 1] === hash && isSame(terms[taken - 1] ?? '', source, start, end))
          return taken - 1;
        place = (place + 1) & mask;
      }
      const number = terms.length;
      if (number === hashes.length) {
        grow();
        place = hash & (places.length - 1);
        while (places[place] !== 0) place = (place + 1) & (places.length - 1);
      }
      hashes[number] = hash;
      places[place] = number + 1;
      terms.push(source.slice(start, end));
      return number;
    },
  };
}

function hashOf(source: string, start: number, end: number): number {
  let hash = OFFSET_BASIS;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ source.charCodeAt(at), PRIME);
  // The lowest bits of a product depend on the lowest bits only.
  return hash ^ (hash >>> 15);
}

function isSame(term: string, source: string, start: number, end: number): boolean {
  if (term.length !== end - start) return false;
  for (let at = 0; at < term.length; at += 1)
    if (term.charCodeAt(at) !== source.charCodeAt(start + at)) return false;
  return true;
}
