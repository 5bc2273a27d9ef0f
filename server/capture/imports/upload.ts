// An upload as the formats see it: one file, or the files of a zip. A file is unpacked only when a format reads it.
import { FORMAT_HEAD } from '#shared/capture/import-formats.ts';
import { readFileText } from '#shared/capture/file-text.ts';
import { IMPORT } from '#shared/capture/limits.ts';
import { AppError } from '#shared/errors.ts';
import { inMemory, type ArchiveBytes } from '../archive-bytes.ts';
import { openArchive, requireUnpackable, type ArchiveEntry } from '../archive.ts';
import { UnreadableFile } from '../unreadable-file.ts';

export type UploadFile = ArchiveEntry;

export interface Upload {
  /** As the person's device named it. */
  name: string;
  isZip: boolean;
  files: readonly UploadFile[];
}

const ZIP_START = Buffer.from('PK\u0003\u0004', 'latin1');
const ZIP_EMPTY = Buffer.from('PK\u0005\u0006', 'latin1');
const ZIP_NAME = /\.zip$/i;

/** By its first bytes; a name is not reliable. */
export function isZip(start: Buffer): boolean {
  const head = start.subarray(0, ZIP_START.length);
  return head.equals(ZIP_START) || head.equals(ZIP_EMPTY);
}

/** @throws invalid for a damaged archive; too_large past a limit */
export async function openUpload(name: string, archive: ArchiveBytes): Promise<Upload> {
  if (!isZip(await archive.read(0, ZIP_START.length))) {
    const bytes = await archive.read(0, archive.size);
    return { name, isZip: false, files: [wholeFile(name, bytes)] };
  }
  const files = await withoutWrapping(await openArchive(archive));
  return { name, isZip: true, files };
}

function wholeFile(path: string, bytes: Buffer): UploadFile {
  const size = bytes.length;
  return {
    path,
    modified: new Date(0).toISOString(),
    size,
    checksum: 0,
    refusal: null,
    unpack: async () => bytes,
  };
}

/** Some products, for example Notion, deliver a zip of zips; one level of them is opened. */
async function withoutWrapping(entries: ArchiveEntry[]): Promise<ArchiveEntry[]> {
  const isWrapping = entries.length > 0 && entries.every(({ path }) => ZIP_NAME.test(path));
  if (!isWrapping) return entries;
  requireUnpackable(entries);
  const inner: ArchiveEntry[] = [];
  for (const entry of entries) {
    if (entry.refusal === null) inner.push(...(await openArchive(inMemory(await bytesOf(entry)))));
    else inner.push(entry);
    if (inner.length > IMPORT.maxEntries) {
      throw new AppError('too_large', `The archive has more than ${IMPORT.maxEntries} entries`);
    }
  }
  return inner;
}

/** The text of one file, and what to check in it. @throws invalid when it is no text or damaged */
export async function textOf(file: UploadFile): Promise<{ text: string; remark?: string }> {
  const read = readFileText(await bytesOf(file));
  if (read === undefined) throw new AppError('invalid', `file: ${file.path} is not readable as text`);
  return { ...read, text: read.text.replace(/^\uFEFF/, '') };
}

async function bytesOf(file: UploadFile): Promise<Buffer> {
  if (file.refusal !== null) throw new AppError('invalid', `file: ${file.path}: ${file.refusal}`);
  try {
    return await file.unpack();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new AppError('invalid', `file: ${file.path}: ${error.message}`);
  }
}

/** The first characters of a file as text; a character cut at the end does not matter. */
export function headOf(bytes: Buffer): string {
  const [first, second] = bytes;
  const label =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(label).decode(bytes.subarray(0, FORMAT_HEAD));
}

/** The value of a JSON file. @throws invalid when it is damaged */
export async function jsonOf(file: UploadFile): Promise<unknown> {
  const { text } = await textOf(file);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    throw new AppError('invalid', `file: ${file.path} is damaged or was cut off: it is not complete JSON`);
  }
}
