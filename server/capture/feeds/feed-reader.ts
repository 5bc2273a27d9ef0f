// Reads a feed in a thread of its own.
import { CAPTURE } from '#shared/constants.ts';
import { runInThread } from '../../jobs/run-in-thread.ts';
import { TIMEOUTS } from '../../limits.ts';
import type { PageSource } from '../page-text.ts';
import type { FeedReading } from './feed-text.ts';

const WORKER = new URL('./feed-reader-worker.ts', import.meta.url);

/** Undefined when the thread of the feed crashed or took too long. */
export function readFeedInThread(source: PageSource): Promise<FeedReading | undefined> {
  return runInThread(WORKER, source, { memoryMb: CAPTURE.readerMemoryMb, limitMs: TIMEOUTS.pageReader });
}
