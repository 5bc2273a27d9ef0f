// What is done with fetched pages in a process of its own.
import { CAPTURE } from '#shared/capture/limits.ts';
import { runInProcess, type AnswerQuestion, type ProcessLimits } from '../jobs/run-in-process.ts';
import { TIMEOUTS } from '../limits.ts';
import type { FeedReading } from './feeds/feed-text.ts';
import type { PageSource, PageText } from './page-text.ts';

/** What each task returns. */
interface Results {
  page: PageText;
  feed: FeedReading;
  snapshot: { html: string | undefined };
}

export interface PageTask {
  task: keyof Results;
  source: PageSource;
}

const WORKER = new URL('./page-worker.ts', import.meta.url);

const READER: ProcessLimits = { memoryMb: CAPTURE.readerMemoryMb, limitMs: TIMEOUTS.pageReader };

/** Undefined when the process crashed or exceeded the limits. @throws what `answer` throws */
export function runPageTask<T extends keyof Results>(
  task: T,
  source: PageSource,
  limits: Partial<ProcessLimits> = {},
  answer?: AnswerQuestion,
): Promise<Results[T] | undefined> {
  return runInProcess(WORKER, { task, source } satisfies PageTask, { ...READER, ...limits }, answer);
}
