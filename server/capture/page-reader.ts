// Reads a page in a thread of its own.
import { CAPTURE } from '#shared/constants.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import { TIMEOUTS } from '../limits.ts';
import type { PageSource, PageText } from './page-text.ts';

const WORKER = new URL('./page-reader-worker.ts', import.meta.url);

/** Undefined when the thread of the page crashed or took too long. */
export function readPageInThread(
  source: PageSource,
  limitMs: number = TIMEOUTS.pageReader,
): Promise<PageText | undefined> {
  return runInThread(WORKER, source, { memoryMb: CAPTURE.readerMemoryMb, limitMs });
}
