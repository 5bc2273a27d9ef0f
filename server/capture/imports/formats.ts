// The table of formats, and which of them an upload is.
import { formatOfText, type ImportFormatId, IMPORT_FORMATS } from '#shared/capture/import-formats.ts';
import { AppError } from '#shared/errors.ts';
import { requireUnpackable } from '../archive.ts';
import { UnreadableFile } from '../unreadable-file.ts';
import { bookmarks } from './bookmarks.ts';
import { chatgpt } from './chatgpt.ts';
import { claude } from './claude.ts';
import { evernote } from './evernote.ts';
import type { ImportFormat } from './format.ts';
import { instapaper } from './instapaper.ts';
import { karakeep } from './karakeep.ts';
import { linkwarden } from './linkwarden.ts';
import { loci } from './loci.ts';
import { isNote, markdown } from './markdown.ts';
import { notion } from './notion.ts';
import { obsidian } from './obsidian.ts';
import { omnivore } from './omnivore.ts';
import { pocket } from './pocket.ts';
import { raindrop } from './raindrop.ts';
import { readwiseReader } from './readwise-reader.ts';
import { readwise } from './readwise.ts';
import { wallabag } from './wallabag.ts';
import { headOf, type Upload, type UploadFile } from './upload.ts';

const FORMATS: { readonly [I in ImportFormatId]: ImportFormat } = {
  loci,
  bookmarks,
  pocket,
  raindrop,
  instapaper,
  readwise,
  'readwise-reader': readwiseReader,
  omnivore,
  karakeep,
  linkwarden,
  chatgpt,
  claude,
  wallabag,
  evernote,
  obsidian,
  notion,
  markdown,
};

const IDS = Object.keys(FORMATS) as ImportFormatId[];

/** Files of a zip that may hold a whole collection. */
const COLLECTION = /\.(?:html?|csv|json|enex)$/i;
/** Those that products name themselves, which may be beside notes that the person attached. */
const NAMED = /(?:^|\/)(?:conversations(?:-\d+)?\.json|part_\d+\.csv|[^/]+\.enex)$/i;

interface Recognised {
  format: ImportFormat;
  /** Files that start like its exports. */
  files: readonly UploadFile[];
}

/** @throws invalid when it is of no product that is known */
export async function recogniseUpload(upload: Upload): Promise<Recognised> {
  const byNames = IDS.find((id) => id !== 'markdown' && FORMATS[id].recognises?.(upload) === true);
  if (byNames !== undefined) return { format: FORMATS[byNames], files: [] };
  const found = await collectionsOf(upload);
  const id = IDS.find((each) => found.some(({ format }) => format === each));
  if (id !== undefined) {
    return { format: FORMATS[id], files: found.flatMap(({ file, format }) => (format === id ? [file] : [])) };
  }
  if (markdown.recognises?.(upload) !== true) throw unknownExport();
  return { format: markdown, files: [] };
}

async function collectionsOf(upload: Upload) {
  const hasNotes = upload.isZip && upload.files.some(({ path }) => isNote(path));
  const names = hasNotes ? NAMED : COLLECTION;
  const candidates = upload.files.filter(
    ({ path, refusal }) => refusal === null && (!upload.isZip || names.test(path)),
  );
  requireUnpackable(candidates);
  const found: { file: UploadFile; format: ImportFormatId }[] = [];
  for (const file of candidates) {
    const head = headOf(await file.unpack().catch(nothingOf));
    const format = formatOfText(head);
    if (format !== undefined) found.push({ file, format });
  }
  return found;
}

/** A damaged file of a zip is of no format; its siblings are still looked at. */
function nothingOf(error: unknown): Buffer {
  if (error instanceof UnreadableFile) return Buffer.alloc(0);
  throw error;
}

/** The one answer for what cannot be imported. */
export function unknownExport(): AppError {
  const products = Object.values(IMPORT_FORMATS).map(({ label }) => label);
  return new AppError(
    'invalid',
    `file: This file cannot be imported. Exports of these can: ${products.slice(0, -1).join(', ')} and ${products.at(-1)}`,
  );
}
