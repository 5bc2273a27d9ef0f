/**
 * Reads an archive in a thread of its own, chunk by chunk. A file that takes too long or crashes the thread is left out with
 * its reason, and reading continues after it.
 */
import { IMPORT } from '#shared/constants.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { AppError, type ErrorCode } from '#shared/errors.ts';
import { callThread, startThread } from '../jobs/run-in-thread.ts';
import { TIMEOUTS } from '../limits.ts';
import type { ImportChunk } from './import-reading.ts';

export interface ReaderData {
  archive: Uint8Array;
  name: string;
  /** One number: the position of the file that is being read. */
  position: Int32Array;
  folders: ImportJob['folders'];
  skip: number;
  without: number | undefined;
}

export type ReaderReply =
  | { chunk: ImportChunk }
  | { done: true }
  | { refusal: { code: ErrorCode; detail: string } };

const WORKER = new URL('./import-reader-worker.ts', import.meta.url);

interface Reading {
  /** Name of the upload. */
  name: string;
  folders: ImportJob['folders'];
  /** Files that an earlier run has dealt with. */
  skip: number;
}

/** @throws invalid when the upload is no zip; too_large past a limit */
export async function* readInThread(
  archive: Buffer,
  { name, folders, skip }: Reading,
): AsyncGenerator<ImportChunk> {
  let done = skip;
  let without: number | undefined;
  for (;;) {
    const position = new Int32Array(new SharedArrayBuffer(4));
    const data: ReaderData = { archive, name, position, folders, skip: done, without };
    const worker = await startThread(WORKER, IMPORT.readerMemoryMb, data);
    try {
      for (;;) {
        const reply = worker && (await callThread<ReaderReply>(worker, 'next', TIMEOUTS.importChunk));
        if (reply === undefined) break;
        if ('done' in reply) return;
        if ('refusal' in reply) throw new AppError(reply.refusal.code, reply.refusal.detail);
        done += reply.chunk.files;
        yield reply.chunk;
      }
    } finally {
      await worker?.terminate();
    }
    const hung = Math.max(Atomics.load(position, 0), done + 1);
    // The same file twice: not even leaving it out helps.
    if (hung === without) throw new AppError('invalid', 'file: The archive could not be read');
    without = hung;
  }
}
