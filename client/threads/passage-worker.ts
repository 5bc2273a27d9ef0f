// The worker that extracts the passages for one answer, so that no text can block the page.
import {
  extractAnswer,
  writeExtractiveAnswer,
  type AnswerSource,
} from '#shared/threads/extractive-answer.ts';
import { citationsIn } from '#shared/threads/answer-sources.ts';

/** Message to the worker, sent once. */
export interface PassageSearch {
  question: string;
  sources: readonly AnswerSource[];
}

globalThis.addEventListener('message', ({ data }: MessageEvent<PassageSearch>) => {
  const found = extractAnswer(data.question, data.sources);
  globalThis.postMessage({ content: writeExtractiveAnswer(found, 'person'), citations: citationsIn(found) });
});
