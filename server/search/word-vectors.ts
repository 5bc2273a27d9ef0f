/** The vectors of words, for the threads that search and those that answer. */
import { readFileSync } from 'node:fs';
import { WordVectors } from '#shared/search/word-vectors.ts';

const FILE = new URL('../../shared/search/word-vectors.bin', import.meta.url);

/** Read anew by each caller, which keeps them: 1.3 MB. */
export function readWordVectors(): WordVectors {
  return WordVectors.read(readFileSync(FILE));
}
