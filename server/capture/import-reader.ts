/**
 * Reads an archive in a thread of its own, chunk by chunk. A file that takes too long or crashes the thread is left out with
 * its reason, and reading continues after it.
 */
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { IMPORT } from '#shared/constants.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { AppError, type ErrorCode } from '#shared/errors.ts';
import { callThread, startThread } from '../jobs/run-in-thread.ts';
import { TIMEOUTS } from '../limits.ts';
import type { ArchiveBytes } from './archive-bytes.ts';
import type { ImportChunk, ImportNote } from './import-reading.ts';

export interface ReaderData {
  /** Answers an `ArchiveRequest` with its bytes. */
  archive: MessagePort;
  size: number;
  name: string;
  /** One number: the position of the file that is being read. */
  position: Int32Array;
  folders: ImportJob['folders'];
  skip: number;
  without: number | undefined;
  /** Only the folders of the notes are wanted. */
  foldersOnly: boolean;
}

export interface ArchiveRequest {
  start: number;
  end: number;
}

/** Where the notes of some items are filed. */
export interface FolderChunk {
  files: number;
  notes: Pick<ImportNote, 'key' | 'path' | 'part' | 'contentHash' | 'folders'>[];
}

export type ReaderReply<C> = { chunk: C } | { done: true } | { refusal: { code: ErrorCode; detail: string } };

const WORKER = new URL('./import-reader-worker.ts', import.meta.url);

interface Reading {
  /** Name of the upload. */
  name: string;
  folders: ImportJob['folders'];
  /** Files that an earlier run has dealt with. */
  skip: number;
}

/** @throws invalid when the upload is no zip; too_large past a limit */
export function readInThread(archive: ArchiveBytes, reading: Reading): AsyncGenerator<ImportChunk> {
  return chunksOf(archive, { ...reading, foldersOnly: false });
}

/** The same reading for the folders alone; nothing for an archive of Loci. @throws as `readInThread` */
export function readFolders(
  archive: ArchiveBytes,
  reading: Omit<Reading, 'folders'>,
): AsyncGenerator<FolderChunk> {
  return chunksOf(archive, { ...reading, folders: 'spaces', foldersOnly: true });
}

/** The port on which a thread asks for bytes, until `close`. */
function serveArchive(archive: ArchiveBytes, onFailure: (error: unknown) => void) {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', ({ start, end }: ArchiveRequest) => {
    archive.read(start, end).then((bytes) => {
      // Of a part of a buffer, all of it would be copied.
      const own = Uint8Array.from(bytes);
      port1.postMessage(own, [own.buffer]);
    }, onFailure);
  });
  return { port: port2, close: () => port1.close() };
}

async function* chunksOf<C extends { files: number }>(
  archive: ArchiveBytes,
  { skip, ...reading }: Reading & Pick<ReaderData, 'foldersOnly'>,
): AsyncGenerator<C> {
  let done = skip;
  let without: number | undefined;
  for (;;) {
    const position = new Int32Array(new SharedArrayBuffer(4));
    let worker: Worker | undefined;
    let failure: { error: unknown } | undefined;
    const served = serveArchive(archive, (error) => {
      failure = { error };
      void worker?.terminate();
    });
    const data: ReaderData = {
      ...reading,
      ...{ archive: served.port, size: archive.size, position, skip: done, without },
    };
    try {
      worker = await startThread(WORKER, IMPORT.readerMemoryMb, data, [served.port]);
      for (;;) {
        const reply = worker && (await callThread<ReaderReply<C>>(worker, 'next', TIMEOUTS.importChunk));
        if (reply === undefined) break;
        if ('done' in reply) return;
        if ('refusal' in reply) throw new AppError(reply.refusal.code, reply.refusal.detail);
        done += reply.chunk.files;
        yield reply.chunk;
      }
    } finally {
      served.close();
      await worker?.terminate();
    }
    // Not a fault of the file that was being read.
    if (failure) throw failure.error;
    const hung = Math.max(Atomics.load(position, 0), done + 1);
    // The same file twice: not even leaving it out helps.
    if (hung === without) throw new AppError('invalid', 'file: The archive could not be read');
    without = hung;
  }
}
