/**
 * Which English words are used alike: for each of some thousand words a vector, from how it is used in a large body of text
 * (GloVe: Pennington, Socher and Manning, 2014) and what it means for a sentence (Universal Sentence Encoder: Cer et al., 2018).
 * A question finds by it what was written in other words. Pure.
 */
import { stemOf } from './stem.ts';

/** A word that is used like another one, by its stem. */
export interface SimilarWord {
  stem: string;
  /** How much it says of the other, 0 to 1: the third power of the cosine, since moderate ones mean little. */
  likeness: number;
}

/** Most similar words of one word, and the least cosine of the two. */
const MOST = 40;
const LEAST = 0.4;
/** From here on a reader sees why one word stands for the other, and it is marked; less like ones only support. */
export const CLEAR_LIKENESS = 0.25;
/** Words of one question that are compared, which takes about a millisecond each; a long text has enough words of its own. */
export const COMPARED_MAX = 16;
/** Two values share a byte, each from -7 to 7 with this added. */
const ZERO = 8;
const HEAD_BYTES = 8;

/** Read from `word-vectors.bin`, which `server/search/make-word-vectors.ts` makes. */
export class WordVectors {
  #stems: readonly string[];
  #places: ReadonlyMap<string, number>;
  #dimensions: number;
  #values: Int8Array;
  #lengths: Float32Array;

  private constructor(stems: readonly string[], values: Int8Array) {
    this.#stems = stems;
    this.#places = new Map(stems.map((stem, place) => [stem, place]));
    this.#dimensions = values.length / stems.length;
    this.#values = values;
    this.#lengths = Float32Array.from(stems, (_, place) => {
      const own = values.subarray(place * this.#dimensions, (place + 1) * this.#dimensions);
      return Math.sqrt(own.reduce((sum, value) => sum + value * value, 0));
    });
  }

  /** @param bytes how many words and dimensions (32 bits each, little-endian), the vectors, and the words, one a line */
  static read(bytes: Uint8Array): WordVectors {
    const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES);
    const values = new Int8Array(head.getUint32(0, true) * head.getUint32(4, true));
    const end = HEAD_BYTES + values.length / 2;
    for (let at = 0; at < values.length; at += 2) {
      const pair = bytes[HEAD_BYTES + at / 2] ?? 0;
      values[at] = (pair >> 4) - ZERO;
      values[at + 1] = (pair & 15) - ZERO;
    }
    return new WordVectors(new TextDecoder().decode(bytes.subarray(end)).split('\n').map(stemOf), values);
  }

  /** The bytes that `read` reads. @param values of all words, each from -7 to 7; an even number for each word */
  static write(words: readonly string[], values: Int8Array): Uint8Array {
    const text = new TextEncoder().encode(words.join('\n'));
    const bytes = new Uint8Array(HEAD_BYTES + values.length / 2 + text.length);
    const head = new DataView(bytes.buffer);
    head.setUint32(0, words.length, true);
    head.setUint32(4, values.length / words.length, true);
    for (let at = 0; at < values.length; at += 2)
      bytes[HEAD_BYTES + at / 2] = (((values[at] ?? 0) + ZERO) << 4) | ((values[at + 1] ?? 0) + ZERO);
    bytes.set(text, HEAD_BYTES + values.length / 2);
    return bytes;
  }

  /** Whether a word, by its stem, has a vector. */
  has(stem: string): boolean {
    return this.#places.has(stem);
  }

  /** The words used most like one, the likest first, without itself; none for a word that has no vector. */
  similarTo(stem: string): SimilarWord[] {
    const place = this.#places.get(stem);
    if (place === undefined) return [];
    const similar: SimilarWord[] = [];
    this.#cosines(place).forEach((cosine, other) => {
      if (cosine >= LEAST && other !== place)
        similar.push({ stem: this.#stems[other] ?? '', likeness: cosine ** 3 });
    });
    return similar.sort((one, other) => other.likeness - one.likeness).slice(0, MOST);
  }

  /** Of one word and each of them. Plain loops: a search compares some hundred thousand pairs. */
  #cosines(place: number): Float32Array {
    const [values, dimensions] = [this.#values, this.#dimensions];
    const own = values.subarray(place * dimensions, (place + 1) * dimensions);
    const cosines = new Float32Array(this.#stems.length);
    for (let other = 0, at = 0; other < cosines.length; other += 1) {
      let product = 0;
      for (let dimension = 0; dimension < dimensions; dimension += 1)
        product += (own[dimension] ?? 0) * (values[at++] ?? 0);
      cosines[other] = product;
    }
    const length = Math.sqrt(cosines[place] ?? 0);
    return cosines.map((product, other) => product / (length * (this.#lengths[other] ?? 0)));
  }
}
