// Runs the worker that finds passages; it is terminated when a text takes too long.
import { ANSWERS } from '#shared/threads/limits.ts';
import { citationsIn, titlesAlone } from '#shared/threads/answer-sources.ts';
import { writeExtractiveAnswer, type AnswerSource } from '#shared/threads/extractive-answer.ts';
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
  const late = AbortSignal.timeout(ANSWERS.deviceLimitMs);
  try {
    return await new Promise<DeviceAnswer>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<DeviceAnswer>) => resolve(data));
      worker.addEventListener('error', (event) => reject(new Error(event.message)));
      late.addEventListener('abort', () => reject(new Error('The texts could not be read in time')));
      worker.postMessage({ question, sources } satisfies PassageSearch);
    });
  } catch (failure) {
    console.info('threads: an answer on this device names titles alone', failure);
    const found = titlesAlone(sources);
    return { content: writeExtractiveAnswer(found, 'person'), citations: citationsIn(found) };
  } finally {
    worker.terminate();
  }
}
