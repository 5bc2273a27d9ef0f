/** Random choices that a seed repeats exactly, and ids made of them. Knows no product but its id table. */
import { ID_ALPHABET, ID_KINDS, isId, type Id, type IdKind } from '#shared/ids.ts';

/** A stream of random choices. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Mulberry32: a number from 0 to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the list; @throws when it is empty. */
  pick<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.next() * list.length)];
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  }

  /** One of the list, or undefined when it is empty. */
  maybe<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : this.pick(list);
  }
}

/** A different stream for each place of a history. */
export function streamOf(seed: number, place: number): Random {
  return new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(place + 1, 0x85ebca6b));
}

/** An id that the stream decides, made unique in the database by the run's nonce at its end. */
export function randomId<K extends IdKind>(random: Random, kind: K, nonce: string): Id<K> {
  const { prefix, length } = ID_KINDS[kind];
  const symbols = Array.from({ length: length - nonce.length }, () => random.pick([...ID_ALPHABET]));
  const id = `${prefix === null ? '' : `${prefix}_`}${symbols.join('')}${nonce}`;
  if (!isId(kind, id)) throw new Error(`malformed id ${id}`);
  return id;
}
