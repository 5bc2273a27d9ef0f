// The thread that extracts the passages for one answer.
import { extractAnswer, type AnswerSource, type PassageChoice } from '#shared/threads/extractive-answer.ts';
import { serveParent } from '../jobs/serve-parent.ts';
import { readWordVectors } from '../search/word-vectors.ts';

export interface PassageSearch {
  question: string;
  sources: AnswerSource[];
  choice?: PassageChoice | undefined;
}

const wordVectors = readWordVectors();

serveParent(({ question, sources, choice }: PassageSearch) =>
  extractAnswer(question, sources, { choice, wordVectors }),
);
