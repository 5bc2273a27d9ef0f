// Runs the worker that finds passages; it is terminated when a text takes too long.
import { ANSWERS } from '#shared/threads/limits.ts';
import { citationsIn, titlesAlone } from '#shared/threads/answer-sources.ts';
import { writeExtractiveAnswer, type AnswerSource } from '#shared/threads/extractive-answer.ts';
import { runWorker } from '#client/run-worker.ts';
import type { DeviceAnswer } from '#client/threads/device-answer.ts';
import type { PassageSearch } from '#client/threads/passage-worker.ts';

/** The answer; of texts that cannot be read in time it names the titles alone. */
export async function writeDeviceAnswer(
  question: string,
  sources: readonly AnswerSource[],
): Promise<DeviceAnswer> {
  const worker = new Worker(new URL('./passage-worker.ts', import.meta.url), {
    type: 'module',
    name: 'passages',
  });
  try {
    return await runWorker(worker, { question, sources } satisfies PassageSearch, ANSWERS.deviceLimitMs);
  } catch (failure) {
    console.info('threads: an answer on this device names titles alone', failure);
    const found = titlesAlone(sources);
    return { content: writeExtractiveAnswer(found, 'person'), citations: citationsIn(found) };
  }
}
