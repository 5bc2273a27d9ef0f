// Turns the items of an export into notes in chunks, with the problems of each. Runs in import-reader-worker.ts: unpacking,
// parsing and hashing of untrusted input must not run on the server's main thread.
import { ZodError } from 'zod';
import { IMPORT } from '#shared/capture/limits.ts';
import { LIMITS } from '#shared/constants.ts';
import type { ImportJob, ImportProblem } from '#shared/capture/import-job.ts';
import { plainFileName, webUrl } from '#shared/define/fields.ts';
import { AppError } from '#shared/errors.ts';
import { addressOf } from '#shared/hash.ts';
import { bodyFields } from '#shared/memories/body.ts';
import type { ArchiveBytes } from './archive-bytes.ts';
import type { ArchiveItem } from './imports/archive-item.ts';
import type { AttachedFile, FileLink } from './imports/attached-file.ts';
import { quoteBlocks, storable, type ImportItem, type ItemSource } from './imports/format.ts';
import { recogniseUpload } from './imports/formats.ts';
import { openUpload } from './imports/upload.ts';
import { cleanTags, cut, splitLongNotes } from './markdown-note.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** A memory to be: the item it is from, and its part where a long text was split. */
export interface ImportNote {
  /** The same in every export of the same item. */
  key: string;
  /** Where it is in the export. */
  path: string;
  part: number;
  title: string | null;
  description: string | null;
  url: string | null;
  tags: string[];
  /** Each place where it was filed, outermost folder first. */
  folders: readonly (readonly string[])[];
  created: string | null;
  updated: string | null;
  archived: boolean;
  /** How to read the page behind the address; undefined for a note that only mentions one. */
  page: ImportItem['page'];
  filename: string | null;
  /** Positions of the export's files in the text. */
  files: readonly FileLink[];
  /** Hash of all text that a memory stores; dates and places are not part of it. */
  contentHash: string;
  body: ReturnType<typeof bodyFields>;
}

export interface ImportChunk {
  /** Items in the whole export. */
  total: number;
  files: number;
  notes: ImportNote[];
  /** Files that notes further on show or link to. */
  attached: AttachedFile[];
  /** Rows of an archive of Loci. */
  items: ArchiveItem[];
  problems: ImportProblem[];
}

export interface ReadingOptions {
  /** Name of the upload. */
  name: string;
  folders: ImportJob['folders'];
  /** Items that an earlier run has dealt with. */
  skip: number;
  /** Position of an item on which reading hung before. */
  without: number | undefined;
  /** Called before each item with its position. */
  onFile(position: number): void;
}

/** @throws invalid when the upload is of no format or damaged as a whole; too_large past a limit */
export async function* readChunks(
  archive: ArchiveBytes,
  { name, folders, skip, without, onFile }: ReadingOptions,
): AsyncGenerator<ImportChunk> {
  const upload = await openUpload(name, archive);
  const { format, files } = await recogniseUpload(upload);
  const sources = await format.sources(upload, files);
  const total = sources.length;
  if (total > IMPORT.maxItems) {
    throw new AppError(
      'too_large',
      `file: The export has more than ${IMPORT.maxItems.toLocaleString('en')} items`,
    );
  }
  let chunk = emptyChunk(total);
  let characters = 0;
  for (const [index, source] of sources.entries()) {
    const position = index + 1;
    if (position <= skip) continue;
    onFile(position);
    const [from, fromItem] = [chunk.notes.length, chunk.items.length];
    if (position === without) refuse(chunk, source.path, 'Took too long to read');
    else await collect(chunk, source, folders);
    for (const note of chunk.notes.slice(from)) characters += charactersOf(note);
    for (const item of chunk.items.slice(fromItem)) characters += charactersIn(item);
    const attachedBytes = attachedOf(chunk).reduce((sum, { bytes }) => sum + bytes.length, 0);
    const isFull = chunk.files >= IMPORT.chunkRows || chunk.notes.length >= IMPORT.chunkRows;
    if (!isFull && characters < IMPORT.chunkCharacters && attachedBytes < IMPORT.chunkBytes) continue;
    yield chunk;
    chunk = emptyChunk(total);
    characters = 0;
  }
  if (chunk.files > 0) yield chunk;
}

const emptyChunk = (total: number): ImportChunk => ({
  total,
  files: 0,
  notes: [],
  attached: [],
  items: [],
  problems: [],
});

/** All files of a chunk. */
function attachedOf({ attached, items }: Pick<ImportChunk, 'attached' | 'items'>): AttachedFile[] {
  return [...attached, ...items.flatMap((item) => [item.attached ?? [], item.savedPage ?? []].flat())];
}

function charactersIn({ row }: ArchiveItem): number {
  if (row.kind === 'message') return row.content.length;
  return row.kind === 'memory' ? (row.notes?.length ?? 0) + (row.page?.text.length ?? 0) : 0;
}

function charactersOf({ body, page }: ImportNote): number {
  const kept = typeof page === 'object' ? page.text.length : 0;
  return (body.notes?.length ?? 0) + kept;
}

function refuse(chunk: ImportChunk, path: string, reason: string): void {
  chunk.files += 1;
  chunk.problems.push({ path, reason, imported: false });
}

async function collect(chunk: ImportChunk, source: ItemSource, folders: ImportJob['folders']): Promise<void> {
  try {
    const item = await source.read();
    if ('file' in item) chunk.attached.push(item.file);
    else if ('item' in item) chunk.items.push(item.item);
    else addNotes(chunk, source.path, item, folders);
  } catch (error) {
    return refuse(chunk, source.path, reasonOf(error));
  }
  chunk.files += 1;
}

/** Whatever a single item does to a parser, the others are still imported. */
function reasonOf(error: unknown): string {
  if (error instanceof UnreadableFile) return error.message;
  if (error instanceof AppError) return error.detail;
  if (error instanceof ZodError) return 'It is not laid out as expected';
  console.warn('import: an item could not be read', error);
  return 'Could not be read';
}

function addNotes(chunk: ImportChunk, path: string, item: ImportItem, folders: ImportJob['folders']): void {
  const remarks = [...(item.remarks ?? [])];
  const head = headOf(item, remarks);
  const text = [item.text ?? '', quoteBlocks(item.highlights ?? [])]
    .filter((part) => part !== '')
    .join('\n\n');
  const parts = splitLongNotes(storable(text));
  if (parts.length > 1) {
    remarks.push(
      `Longer than ${LIMITS.notes.toLocaleString('en')} characters: imported as ${parts.length} parts`,
    );
  }
  for (const reason of remarks) chunk.problems.push({ path, reason, imported: true });
  const key = item.key ?? path;
  const filed = folders === 'tags' ? item.folders.flat() : [];
  const tags = cleanTags([...filed, ...item.tags].map(storable));
  for (const [index, notes] of parts.entries()) {
    const title = parts.length === 1 ? head.title : partTitle(head.title ?? path, index + 1, parts.length);
    const contentHash = addressOf(JSON.stringify([title, head.description, head.url, notes])).hash;
    const page = index === 0 && head.url !== null ? item.page : undefined;
    const body = bodyFields(notes);
    // Of thousands of files, a part has those that it names: they are looked for where others wait.
    const files = item.files?.filter(({ written }) => notes.includes(written)) ?? [];
    chunk.notes.push({ ...head, title, tags, key, path, part: index, page, files, contentHash, body });
  }
}

function headOf(item: ImportItem, remarks: string[]) {
  const title = cut(storable(item.title ?? '').trim(), LIMITS.title, 'title', remarks);
  const description = cut(
    storable(item.description ?? '').trim(),
    LIMITS.description,
    'description',
    remarks,
  );
  const isWeb = item.url !== null && webUrl.safeParse(item.url).success;
  if (item.url !== null && !isWeb) remarks.push('Its address is no web address and was left out');
  return {
    title: title === '' ? null : title,
    description: description === '' ? null : description,
    url: isWeb ? item.url : null,
    folders: item.folders.map((names) => names.map(storable)),
    created: item.created,
    updated: item.updated ?? item.created,
    archived: item.archived ?? false,
    filename: item.filename === undefined ? null : plainFileName(item.filename),
  };
}

function partTitle(title: string, part: number, parts: number): string {
  const suffix = ` (${part} of ${parts})`;
  return `${title.slice(0, LIMITS.title - suffix.length).toWellFormed()}${suffix}`;
}
