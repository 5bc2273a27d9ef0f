// The thread in which one archive is read. It reads a chunk on request, and writes the number of the current file to shared
// memory, so that a file on which it hangs can be named.
import { once } from 'node:events';
import { workerData } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import { serveParent } from '../jobs/serve-parent.ts';
import { readChunks, type ImportChunk } from './import-reading.ts';
import type { ArchiveRequest, FolderChunk, ReaderData, ReaderReply } from './import-reader.ts';

const { archive, size, name, position, folders, skip, without, foldersOnly }: ReaderData = workerData;

/** One after the other: an answer does not say which question it is for. */
let last: Promise<unknown> = Promise.resolve();
function read(start: number, end: number): Promise<Buffer> {
  const answer = last.then(async () => {
    archive.postMessage({ start, end } satisfies ArchiveRequest);
    const [bytes]: Uint8Array[] = await once(archive, 'message');
    if (bytes === undefined) throw new Error('The archive sent nothing');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  });
  last = answer;
  return answer;
}

const chunks = readChunks(
  { size, read },
  {
    name,
    folders,
    skip,
    without,
    onFile: (at) => Atomics.store(position, 0, at),
  },
);

function foldersOf({ files, notes }: ImportChunk): FolderChunk {
  const filed = notes.filter((note) => note.folders.length > 0);
  return {
    files,
    notes: filed.map((note) => {
      const { key, path, part, contentHash } = note;
      return { key, path, part, contentHash, folders: note.folders };
    }),
  };
}

async function nextReply(): Promise<ReaderReply<ImportChunk | FolderChunk>> {
  try {
    const { done, value } = await chunks.next();
    if (done === true) return { done: true };
    if (!foldersOnly) return { chunk: value };
    // Rows of an archive of Loci, which brings spaces of its own.
    return value.items.length > 0 ? { done: true } : { chunk: foldersOf(value) };
  } catch (error) {
    // Class instances do not survive the way between threads.
    if (error instanceof AppError) return { refusal: { code: error.code, detail: error.detail } };
    throw error;
  }
}

serveParent(nextReply);
