/**
 * Preview of a chosen file before the upload: detects the format from the first characters by the same rule as the
 * server. Zip files are inspected on the server only.
 */
import {
  countBookmarks,
  FORMAT_HEAD,
  formatOfText,
  importFormat,
  type ImportFormatId,
} from '#shared/capture/import-formats.ts';
import { countOf } from '#shared/english.ts';

/** Description of the file, or the reason it cannot be imported. */
export interface ImportPreview {
  words?: string;
  problem?: string;
}

const ZIP = /\.zip$/i;
const NOTE = /\.(?:md|markdown|mdown|txt)$/i;
/** Larger pages are not counted: reading them would hold up the page. */
const COUNTED_BYTES = 20 * 1024 * 1024;

async function startOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, FORMAT_HEAD).arrayBuffer());
  const [first, second] = bytes;
  const label =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(label).decode(bytes);
}

/** The product whose export a file is, by its content; undefined for a zip and for everything else. */
export async function formatOfFile(file: File): Promise<ImportFormatId | undefined> {
  return formatOfText(await startOf(file));
}

/** @throws when the file cannot be read from the device */
export async function previewOf(file: File): Promise<ImportPreview> {
  const format = await formatOfFile(file);
  if (format === 'bookmarks' && file.size <= COUNTED_BYTES) {
    const { bookmarks, folders } = countBookmarks(await file.text());
    const found = countOf(bookmarks, 'bookmark');
    return { words: folders === 0 ? found : `${found} in ${countOf(folders, 'folder')}` };
  }
  if (format !== undefined) return { words: `${importFormat(format).label} export` };
  if (ZIP.test(file.name)) return { words: 'Zip archive' };
  if (NOTE.test(file.name)) return { words: 'One note' };
  return {
    problem:
      'This file cannot be imported. Choose notes, a folder, a zip or an export of one of the products below.',
  };
}
