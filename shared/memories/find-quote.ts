/**
 * Finds a passage in a text that may be formatted differently: only letters and digits are compared, ignoring case, so that a
 * passage of a page is found in its readable text too, whatever its spaces, marks and lines.
 */
import type { TextQuote } from './quotes.ts';

/** A piece of a text in UTF-16 units, from the beginning of the text. */
export interface Passage {
  start: number;
  end: number;
}

/** A longer piece of text is read in steps, so that a caller can pause between them. */
const STEP = 50_000;
/** Searched is the beginning of a passage; what follows is compared at each place that has it. */
const EDGE = 32;
/** In a text of one repeated word, every place would have to be compared. */
const CANDIDATES_MAX = 200;
/** Number of candidates up to which a passage that was changed inside is searched. */
const CHANGED_MAX = 10;
/** A window of the search: repeated text costs its length times EDGE. */
const WINDOW = 200_000;
/** A passage that was changed inside is still it when it has about its length. */
const LENGTHS = { min: 0.8, max: 1.25 } as const;

const WORDS = /[\p{L}\p{N}]+/gu;

/** The same for all ways to write a text. */
function fold(text: string): string {
  return (text.match(WORDS) ?? []).map(lowerCase).join('');
}

/** Of the same length, so that places stay places: a few letters become two in lower case. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : Array.from(text, (letter) =>
        letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
      ).join('');
}

/** A text to be searched, read piece by piece. */
export class SearchedText {
  #folded = '';
  /** Of each character of the folded text, its place in the text. */
  #places = new Uint32Array(4_096);
  #length = 0;

  /** Adds a piece of the text; after each step control returns to the caller. */
  *add(text: string): Generator<void> {
    for (let from = 0; from < text.length;) {
      let to = Math.min(from + STEP, text.length);
      if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to -= 1;
      this.#addStep(text.slice(from, to));
      from = to;
      yield;
    }
  }

  #addStep(text: string): void {
    const parts: string[] = [];
    let at = this.#folded.length;
    if (at + text.length > this.#places.length) {
      const larger = new Uint32Array(2 * (at + text.length));
      larger.set(this.#places);
      this.#places = larger;
    }
    for (const { 0: word, index } of text.matchAll(WORDS)) {
      parts.push(lowerCase(word));
      for (let unit = 0; unit < word.length; unit += 1) this.#places[at + unit] = this.#length + index + unit;
      at += word.length;
    }
    this.#folded += parts.join('');
    this.#length += text.length;
  }

  /** The position of a passage, by the surrounding text when it occurs several times; undefined when it does not occur. */
  find({ exact, prefix, suffix }: TextQuote): Passage | undefined {
    const passage = fold(exact);
    if (passage === '') return undefined;
    const [before, after] = [fold(prefix), fold(suffix)];
    let best: { at: number; length: number; score: number } | undefined;
    let others = 0;
    for (const at of this.#occurrences(passage.slice(0, EDGE))) {
      const isExact = this.#folded.startsWith(passage, at);
      if (!isExact) others += 1;
      if (others > CHANGED_MAX && !isExact) continue;
      const length = isExact ? passage.length : this.#changedLength(at, passage);
      if (length === undefined) continue;
      const score = (isExact ? 1_000 : 0) + this.#likeness({ at, length, before, after });
      if (best === undefined || score > best.score) best = { at, length, score };
    }
    return best && this.#passage(best.at, best.length);
  }

  #passage(at: number, length: number): Passage {
    return { start: this.#places[at] ?? 0, end: (this.#places[at + length - 1] ?? 0) + 1 };
  }

  *#occurrences(edge: string): Generator<number> {
    let count = 0;
    for (let from = 0; from < this.#folded.length; from += WINDOW) {
      const part = this.#folded.slice(from, from + WINDOW + edge.length - 1);
      for (let at = part.indexOf(edge); at >= 0; at = part.indexOf(edge, at + 1)) {
        yield from + at;
        count += 1;
        if (count >= CANDIDATES_MAX) return;
      }
    }
  }

  /** How long the passage is that begins here and was changed inside; undefined when another one begins here. */
  #changedLength(at: number, passage: string): number | undefined {
    if (passage.length < 2 * EDGE) return undefined;
    const first = at + Math.floor(passage.length * LENGTHS.min) - EDGE;
    const near = this.#folded.slice(first, at + Math.ceil(passage.length * LENGTHS.max));
    const end = near.indexOf(passage.slice(-EDGE));
    return end < 0 ? undefined : first + end + EDGE - at;
  }

  /** How many characters around a place are those that should be there. */
  #likeness({
    at,
    length,
    before,
    after,
  }: {
    at: number;
    length: number;
    before: string;
    after: string;
  }): number {
    let score = 0;
    for (let n = 1; n <= before.length && this.#folded[at - n] === before.at(-n); n += 1) score += 1;
    for (let n = 0; n < after.length && this.#folded[at + length + n] === after[n]; n += 1) score += 1;
    return score;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd8_00 && code <= 0xdb_ff;
}
