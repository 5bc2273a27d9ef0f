// The worker that extracts the passages for one answer, so that no text can block the page.
import {
  extractAnswer,
  writeExtractiveAnswer,
  type AnswerSource,
} from '#shared/threads/extractive-answer.ts';
import { citationsIn } from '#shared/threads/answer-sources.ts';
import { createWordVectors } from '#client/search/word-vectors.ts';

/** Message to the worker, sent once. */
export interface PassageSearch {
  question: string;
  sources: readonly AnswerSource[];
}

const findWordVectors = createWordVectors();

async function answer({ question, sources }: PassageSearch): Promise<void> {
  const found = extractAnswer(question, sources, { wordVectors: await findWordVectors() });
  globalThis.postMessage({ content: writeExtractiveAnswer(found, 'person'), citations: citationsIn(found) });
}

// A failure reaches the page as the worker's error event.
globalThis.addEventListener('message', ({ data }: MessageEvent<PassageSearch>) => {
  answer(data).catch(reportError);
});
