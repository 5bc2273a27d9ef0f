// Reads a page in a process of its own.
import { CAPTURE } from '#shared/capture/limits.ts';
import { runInProcess } from '../jobs/run-in-process.ts';
import { TIMEOUTS } from '../limits.ts';
import type { PageSource, PageText } from './page-text.ts';

const WORKER = new URL('./page-reader-worker.ts', import.meta.url);

/** Undefined when the process of the page crashed or took too long. */
export function readPageInProcess(
  source: PageSource,
  limitMs: number = TIMEOUTS.pageReader,
): Promise<PageText | undefined> {
  return runInProcess(WORKER, source, { memoryMb: CAPTURE.readerMemoryMb, limitMs });
}
