/**
 * The vectors of words on a device: fetched by a worker for its first question, from what the service worker keeps or from
 * the server. A question that cannot have them soon is searched for by its own words.
 */
import address from '#shared/search/word-vectors.bin?url';
import { WordVectors } from '#shared/search/word-vectors.ts';

/** How long the first question waits for them, in milliseconds; later ones do not wait at all. */
const PATIENCE_MS = 150;

/** Gives the vectors, or undefined while they are not here. */
export type FindWordVectors = () => Promise<WordVectors | undefined>;

/** Begins to fetch them with the first call, and once more with each call after a failure. */
export function createWordVectors(): FindWordVectors {
  let vectors: WordVectors | undefined;
  let wait: Promise<unknown> | undefined;
  const load = async (): Promise<void> => {
    try {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`answered with ${response.status}`);
      vectors = WordVectors.read(new Uint8Array(await response.arrayBuffer()));
    } catch (error) {
      wait = undefined;
      console.warn('search: the vectors of words cannot be read', error);
    }
  };
  return async () => {
    wait ??= Promise.race([load(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
    await wait;
    return vectors;
  };
}
