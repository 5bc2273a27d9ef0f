/**
 * A file that comes with a new memory: a text that fits becomes the notes, its heading or name the title. Every other
 * supported file is stored as it is. With a link it can be the page behind it.
 */
import { FILE_HEAD_BYTES, fileKindOf, readableForm, type FileKind } from '#shared/capture/file-kinds.ts';
import { titleOfFilename } from '#shared/capture/file-title.ts';
import { CAPTURE } from '#shared/capture/limits.ts';
import { LIMITS } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import { readNoteFile } from '../capture/service.ts';
import type { UploadedFile } from '../http/multipart.ts';
import type { NewMemory } from './save-memory.ts';

const TEXT_NAME = /\.(?:md|markdown|mdown|txt|text)$/i;

interface Upload {
  /** The header X-Upload. */
  announced: string | undefined;
  file: UploadedFile | undefined;
}

export interface FileToStore {
  kind: FileKind;
  filename: string;
  bytes: Buffer;
}

/** The HTML of a page as a person saw it. */
export interface SeenHtml {
  url: string;
  html: Buffer;
}

interface Uploaded {
  memory: NewMemory;
  stored?: FileToStore;
  seen?: SeenHtml;
}

/**
 * Memory to save, and the file or page that belongs to it.
 * @param isPage the file is the page behind the address
 * @throws invalid, unsupported_media, too_large
 */
export function withUpload(given: NewMemory, { announced, file }: Upload, isPage: boolean): Uploaded {
  if (announced !== 'file' && file === undefined) {
    if (isPage) throw new AppError('invalid', 'page: Send the HTML of the page as a file');
    if (given.url === null && given.notes === null && given.title === null) {
      throw new AppError('invalid', 'url: Send a url, notes or a file');
    }
    return { memory: given };
  }
  if (announced !== 'file')
    throw new AppError('invalid', 'file: Announce a file with the header X-Upload: file');
  if (file === undefined) {
    throw new AppError('invalid', 'file: Send multipart/form-data with the parts "payload" and "file"');
  }
  if (isPage) return { memory: given, seen: seenOf(given, file) };
  const text = textOf(file);
  return text === undefined ? fileOf(given, file) : { memory: { ...given, ...noteOf(given, file, text) } };
}

function seenOf({ url }: NewMemory, { mediaType, bytes }: UploadedFile): SeenHtml {
  if (url === null) throw new AppError('invalid', 'url: A page has an address');
  if (mediaType !== 'text/html')
    throw new AppError('unsupported_media', 'file: Send the page as text/html in UTF-8');
  if (bytes.length > CAPTURE.pageBytesMax) {
    throw new AppError('too_large', `file: larger than ${CAPTURE.pageBytesMax / 1024 / 1024} MB`);
  }
  return { url, html: bytes };
}

function noteOf(given: NewMemory, { filename }: UploadedFile, text: string): Partial<NewMemory> {
  if (given.notes !== null) throw new AppError('invalid', 'notes: The file is the text; send one of both');
  const note = readNoteFile(filename, text);
  return {
    origin: given.origin ?? 'upload',
    title: given.title ?? note.title,
    description: given.description ?? note.description,
    url: given.url ?? note.url,
    notes: note.notes === '' ? null : note.notes,
    tags: [...new Set([...given.tags, ...note.tags])].slice(0, LIMITS.tagCount),
  };
}

/** The text of a file that fits into notes; undefined for other files. */
function textOf({ filename, mediaType, bytes }: UploadedFile): string | undefined {
  const isNamedText = TEXT_NAME.test(filename) || /^text\/(?:plain|markdown)$/.test(mediaType);
  if (!isNamedText || bytes.length > LIMITS.textFileBytes || bytes.includes(0)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.length <= LIMITS.notes ? text : undefined;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function fileOf(
  given: NewMemory,
  { filename, bytes }: UploadedFile,
): { memory: NewMemory; stored: FileToStore } {
  if (given.url !== null)
    throw new AppError('invalid', 'url: A file has no address; save the link separately');
  if (bytes.length === 0) throw new AppError('invalid', 'file: The file is empty');
  const kind = fileKindOf(filename, bytes.subarray(0, FILE_HEAD_BYTES));
  if (kind === undefined) {
    throw new AppError(
      'unsupported_media',
      `file: This kind of file is not supported, or its content does not match its name${readableForm(filename)}`,
    );
  }
  const title = given.title ?? titleOfFilename(filename);
  return {
    memory: { ...given, origin: given.origin ?? 'upload', title },
    stored: { kind, filename, bytes },
  };
}
