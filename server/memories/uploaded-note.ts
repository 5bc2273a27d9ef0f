/**
 * A file that comes with a new memory (PRODUCT 5.2): a text becomes the notes, its heading or name the title. Files of
 * other kinds are refused in words, because nothing here could show or search them.
 */
import { LIMITS } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import { readNoteFile } from '../capture/service.ts';
import type { UploadedFile } from '../http/multipart.ts';
import type { NewMemory } from './service.ts';

const TEXT_NAME = /\.(?:md|markdown|mdown|txt|text)$/i;

interface Upload {
  /** The header X-Upload. */
  announced: string | undefined;
  file: UploadedFile | undefined;
}

/** What is to be saved, the file's text included. @throws invalid, unsupported_media */
export function withUpload(given: NewMemory, { announced, file }: Upload): NewMemory {
  if (announced === 'file' || file !== undefined) return { ...given, ...textOf(given, { announced, file }) };
  if (given.url === null && given.notes === null && given.title === null) {
    throw new AppError('invalid', 'url: Send a url, notes or a file');
  }
  return given;
}

function textOf(given: NewMemory, { announced, file }: Upload): Partial<NewMemory> {
  if (announced !== 'file')
    throw new AppError('invalid', 'file: Announce a file with the header X-Upload: file');
  if (file === undefined) {
    throw new AppError('invalid', 'file: Send multipart/form-data with the parts "payload" and "file"');
  }
  if (given.notes !== null) throw new AppError('invalid', 'notes: The file is the text; send one of both');
  const note = readNoteFile(file.filename, decode(file));
  if (note.notes.length > LIMITS.notes) {
    throw new AppError('invalid', `file: At most ${LIMITS.notes} characters; an import splits longer texts`);
  }
  return {
    origin: given.origin ?? 'upload',
    title: given.title ?? note.title,
    description: given.description ?? note.description,
    url: given.url ?? note.url,
    notes: note.notes === '' ? null : note.notes,
    tags: [...new Set([...given.tags, ...note.tags])].slice(0, LIMITS.tagCount),
  };
}

function decode({ filename, mediaType, bytes }: UploadedFile): string {
  const isNamedText = TEXT_NAME.test(filename) || /^text\/(?:plain|markdown)$/.test(mediaType);
  try {
    if (isNamedText && !bytes.includes(0)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new AppError('unsupported_media', 'file: Only text and Markdown files in UTF-8 can be saved');
}
