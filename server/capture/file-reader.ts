// Reads a file in a process of its own.
import { FILES } from '#shared/capture/limits.ts';
import { runInProcess, type ProcessLimits } from '../jobs/run-in-process.ts';
import { TIMEOUTS } from '../limits.ts';
import type { FileReading, FileSource } from './file-source.ts';

const WORKER = new URL('./file-reader-worker.ts', import.meta.url);

/** What a process may have that opens one file. */
export const FILE_READER: ProcessLimits = {
  memoryMb: FILES.readerMemoryMb,
  limitMs: TIMEOUTS.fileReader,
  elapsedMs: TIMEOUTS.fileElapsed,
};

/** Undefined when the process for the file crashed or took too long. */
export function readFileInProcess(
  source: FileSource,
  limits = FILE_READER,
): Promise<FileReading | undefined> {
  return runInProcess(WORKER, source, limits);
}
