// The thread that extracts the passages for one answer.
import { parentPort, workerData } from 'node:worker_threads';
import { extractAnswer, type AnswerSource, type PassageChoice } from '#shared/threads/extractive-answer.ts';

/** What the thread is started with. */
export interface PassageSearch {
  question: string;
  sources: AnswerSource[];
  choice?: PassageChoice | undefined;
}

const { question, sources, choice }: PassageSearch = workerData;
parentPort?.postMessage(extractAnswer(question, sources, choice));
