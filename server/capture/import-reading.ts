// Turns the files of an archive into notes in chunks, with what is wrong with which file. Runs in import-reader-worker.ts:
// unpacking, YAML and hashing of what others wrote have no place on the server's main thread.
import { IMPORT, LIMITS } from '#shared/constants.ts';
import { readFileText } from '#shared/capture/file-text.ts';
import type { ImportJob, ImportProblem } from '#shared/capture/import-job.ts';
import { addressOf } from '#shared/hash.ts';
import { bodyFields } from '#shared/memories/body.ts';
import { readArchive, type ArchiveFile, type ArchiveRefusal } from './archive.ts';
import { readMarkdownNote, splitLongNotes, type MarkdownNote } from './markdown-note.ts';

/** One note of the archive: the file it is from, and its part where a long file was split. */
export interface ImportNote extends MarkdownNote {
  path: string;
  part: number;
  /** Of everything of the file that a memory keeps; the archive's own date is not part of it. */
  contentHash: string;
  body: ReturnType<typeof bodyFields>;
}

/** Some files that were read one after the other. */
export interface ImportChunk {
  files: number;
  notes: ImportNote[];
  problems: ImportProblem[];
}

export interface ReadingOptions {
  folders: ImportJob['folders'];
  /** Files that an earlier run has dealt with. */
  skip: number;
  /** Position of a file on which reading hung before. */
  without: number | undefined;
  /** Called before each file with its position. */
  onFile(position: number): void;
}

const WANTED = /\.(md|markdown|mdown|txt)$/i;

/** @throws invalid when the upload is no zip; too_large past a limit */
export async function* readChunks(
  archive: Buffer,
  { folders, skip, without, onFile }: ReadingOptions,
): AsyncGenerator<ImportChunk> {
  let position = 0;
  let chunk = emptyChunk();
  let characters = 0;
  const isWanted = (path: string) => WANTED.test(path);
  const onEntry = (entry: number) => {
    onFile(entry);
    return entry > skip && entry !== without;
  };
  for await (const file of readArchive(archive, isWanted, onEntry)) {
    position += 1;
    if (position <= skip) continue;
    const from = chunk.notes.length;
    if (position === without) refuse(chunk, file.path, 'Took too long to read');
    else collect(chunk, file, folders);
    for (const { notes } of chunk.notes.slice(from)) characters += notes.length;
    const isFull = chunk.files >= IMPORT.chunkRows || chunk.notes.length >= IMPORT.chunkRows;
    if (!isFull && characters < IMPORT.chunkCharacters) continue;
    yield chunk;
    chunk = emptyChunk();
    characters = 0;
  }
  if (chunk.files > 0) yield chunk;
}

const emptyChunk = (): ImportChunk => ({ files: 0, notes: [], problems: [] });

function refuse(chunk: ImportChunk, path: string, reason: string): void {
  chunk.files += 1;
  chunk.problems.push({ path, reason, imported: false });
}

function collect(
  chunk: ImportChunk,
  file: ArchiveFile | ArchiveRefusal,
  folders: ImportJob['folders'],
): void {
  if ('reason' in file) return refuse(chunk, file.path, file.reason);
  const read = readFileText(file.bytes);
  if (read === undefined) return refuse(chunk, file.path, 'Its bytes are no text');
  try {
    addNotes(chunk, file, read, folders);
  } catch (error) {
    // Whatever a single file does to a parser, the others are still imported.
    console.warn('import: a file could not be read', error);
    return refuse(chunk, file.path, 'Could not be read');
  }
  chunk.files += 1;
}

function addNotes(
  chunk: ImportChunk,
  { path, modified }: ArchiveFile,
  read: { text: string; remark?: string },
  folders: ImportJob['folders'],
): void {
  const note = readMarkdownNote({ path, text: read.text, modified }, folders === 'tags');
  const parts = splitLongNotes(note.notes);
  const remarks = [...(read.remark === undefined ? [] : [read.remark]), ...note.warnings];
  if (parts.length > 1) {
    remarks.push(
      `Longer than ${LIMITS.notes.toLocaleString('en')} characters: came in as ${parts.length} parts`,
    );
  }
  for (const reason of remarks) chunk.problems.push({ path, reason, imported: true });
  for (const [index, notes] of parts.entries()) {
    const title = parts.length === 1 ? note.title : partTitle(note.title, index + 1, parts.length);
    const contentHash = addressOf(JSON.stringify([title, note.description, note.url, notes])).hash;
    chunk.notes.push({ ...note, title, notes, path, part: index, contentHash, body: bodyFields(notes) });
  }
}

function partTitle(title: string, part: number, parts: number): string {
  const suffix = ` (${part} of ${parts})`;
  return `${title.slice(0, LIMITS.title - suffix.length).toWellFormed()}${suffix}`;
}
