// The thread that extracts the passages for one answer.
import { parentPort, workerData } from 'node:worker_threads';
import { extractAnswer, type AnswerSource } from '#shared/threads/extractive-answer.ts';

/** What the thread is started with. */
export interface PassageSearch {
  question: string;
  sources: AnswerSource[];
}

const { question, sources }: PassageSearch = workerData;
parentPort?.postMessage(extractAnswer(question, sources));
