/**
 * Reads an archive in a process of its own, chunk by chunk. A file that takes too long or crashes the process is left out with
 * its reason, and reading continues after it.
 */
import type { ChildProcess } from 'node:child_process';
import { IMPORT } from '#shared/capture/limits.ts';
import type { ImportJob } from '#shared/capture/import-job.ts';
import { AppError, type ErrorCode } from '#shared/errors.ts';
import { callProcess, startProcess } from '../jobs/run-in-process.ts';
import { TIMEOUTS } from '../limits.ts';
import type { ArchiveBytes } from './archive-bytes.ts';
import type { ImportChunk, ImportNote } from './import-reading.ts';

export interface ReaderData {
  /** Bytes of the archive. */
  size: number;
  name: string;
  folders: ImportJob['folders'];
  skip: number;
  without: number | undefined;
  /** Only the folders of the notes are wanted. */
  foldersOnly: boolean;
}

/** The first input has the data, each further one asks for the next chunk. */
export type ReaderInput = ReaderData | { next: true };

/** Says which file is being read, or asks for bytes of the archive. */
export type ReaderQuestion =
  | { file: number; start?: undefined; end?: undefined }
  | { file?: undefined; start: number; end: number };

/** Where the notes of some items are filed. */
export interface FolderChunk {
  files: number;
  notes: Pick<ImportNote, 'key' | 'path' | 'part' | 'contentHash' | 'folders'>[];
}

export type ReaderReply<C> = { chunk: C } | { done: true } | { refusal: { code: ErrorCode; detail: string } };

const WORKER = new URL('./import-reader-worker.ts', import.meta.url);
const LIMITS = { memoryMb: IMPORT.readerMemoryMb, limitMs: TIMEOUTS.importChunk };

interface Reading {
  /** Name of the upload. */
  name: string;
  folders: ImportJob['folders'];
  /** Files that an earlier run has dealt with. */
  skip: number;
}

/** @throws invalid when the upload is no zip; too_large past a limit */
export function readInProcess(archive: ArchiveBytes, reading: Reading): AsyncGenerator<ImportChunk> {
  return chunksOf(archive, { ...reading, foldersOnly: false });
}

/** The same reading for the folders alone; nothing for an archive of Loci. @throws as `readInProcess` */
export function readFolders(
  archive: ArchiveBytes,
  reading: Omit<Reading, 'folders'>,
): AsyncGenerator<FolderChunk> {
  return chunksOf(archive, { ...reading, folders: 'spaces', foldersOnly: true });
}

async function* chunksOf<C extends { files: number }>(
  archive: ArchiveBytes,
  { skip, ...reading }: Reading & Pick<ReaderData, 'foldersOnly'>,
): AsyncGenerator<C> {
  let done = skip;
  let without: number | undefined;
  for (;;) {
    let position = 0;
    const answer = (asked: unknown) => {
      const { file, start, end } = asked as ReaderQuestion;
      if (file !== undefined) position = file;
      return start === undefined ? undefined : archive.read(start, end);
    };
    const next = (child: ChildProcess, input: ReaderInput) =>
      callProcess<ReaderReply<C>>(child, input, LIMITS, answer);
    const child = await startProcess(WORKER, LIMITS.memoryMb);
    try {
      const data: ReaderData = { ...reading, size: archive.size, skip: done, without };
      for (let input: ReaderInput = data; child; input = { next: true }) {
        const reply = await next(child, input);
        if (reply === undefined) break;
        if ('done' in reply) return;
        if ('refusal' in reply) throw new AppError(reply.refusal.code, reply.refusal.detail);
        done += reply.chunk.files;
        yield reply.chunk;
      }
    } finally {
      child?.kill('SIGKILL');
    }
    const hung = Math.max(position, done + 1);
    // The same file twice: not even leaving it out helps.
    if (hung === without) throw new AppError('invalid', 'file: The archive could not be read');
    without = hung;
  }
}
