// The thread in which one archive is read. It reads a chunk on request, and writes the number of the current file to shared
// memory, so that a file on which it hangs can be named.
import { workerData } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import { serveParent } from '../jobs/serve-parent.ts';
import { readChunks } from './import-reading.ts';
import type { ReaderData, ReaderReply } from './import-reader.ts';

const { archive, name, position, folders, skip, without }: ReaderData = workerData;
const chunks = readChunks(Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength), {
  name,
  folders,
  skip,
  without,
  onFile: (at) => Atomics.store(position, 0, at),
});

async function nextReply(): Promise<ReaderReply> {
  try {
    const { done, value } = await chunks.next();
    return done === true ? { done: true } : { chunk: value };
  } catch (error) {
    // Class instances do not survive the way between threads.
    if (error instanceof AppError) return { refusal: { code: error.code, detail: error.detail } };
    throw error;
  }
}

serveParent(nextReply);
