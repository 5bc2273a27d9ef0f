// Reads a file in a process of its own.
import { FILES } from '#shared/constants.ts';
import type { ThreadLimits } from '../jobs/run-in-thread.ts';
import { runInProcess } from '../jobs/run-in-process.ts';
import { TIMEOUTS } from '../limits.ts';
import type { FileReading, FileSource } from './file-source.ts';

const WORKER = new URL('./file-reader-worker.ts', import.meta.url);

/** Undefined when the process for the file crashed or took too long. */
export function readFileInProcess(
  source: FileSource,
  limits: ThreadLimits = { memoryMb: FILES.readerMemoryMb, limitMs: TIMEOUTS.fileReader },
): Promise<FileReading | undefined> {
  return runInProcess(WORKER, source, limits);
}
