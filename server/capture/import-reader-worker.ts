// The process in which one archive is read. It reads a chunk on request, and tells the number of the current file, so that a
// file on which it hangs can be named.
import { AppError } from '#shared/errors.ts';
import { serveInBackground, type Ask } from '../jobs/serve-parent.ts';
import { readChunks, type ImportChunk } from './import-reading.ts';
import type { FolderChunk, ReaderData, ReaderInput, ReaderQuestion, ReaderReply } from './import-reader.ts';

let chunks: AsyncGenerator<ImportChunk> | undefined;
let foldersOnly = false;

function open({ size, ...reading }: ReaderData, ask: Ask): AsyncGenerator<ImportChunk> {
  const tell = (question: ReaderQuestion) => ask(question);
  const read = async (start: number, end: number) => {
    const bytes = (await tell({ start, end })) as Uint8Array;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  return readChunks({ size, read }, { ...reading, onFile: (file) => void tell({ file }) });
}

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

async function nextReply(input: ReaderInput, ask: Ask): Promise<ReaderReply<ImportChunk | FolderChunk>> {
  try {
    if ('name' in input) {
      foldersOnly = input.foldersOnly;
      chunks = open(input, ask);
    }
    if (chunks === undefined) throw new Error('There is nothing to read');
    const { done, value } = await chunks.next();
    if (done === true) return { done: true };
    if (!foldersOnly) return { chunk: value };
    // Rows of an archive of Loci, which brings spaces of its own.
    return value.items.length > 0 ? { done: true } : { chunk: foldersOf(value) };
  } catch (error) {
    // Class instances do not survive the way between processes.
    if (error instanceof AppError) return { refusal: { code: error.code, detail: error.detail } };
    throw error;
  }
}

serveInBackground(nextReply);
