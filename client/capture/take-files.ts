/**
 * Handles files from outside (chosen, dropped, pasted, shared). Text becomes notes, a zip or an export of another product
 * starts an import, other supported files are uploaded, and every file that cannot be saved is listed with the reason.
 */
import {
  FILE_HEAD_BYTES,
  fileKind,
  fileKindOf,
  kindOfName,
  readableForm,
} from '#shared/capture/file-kinds.ts';
import { readFileText } from '#shared/capture/file-text.ts';
import { titleOfFilename } from '#shared/capture/file-title.ts';
import { FILES } from '#shared/capture/limits.ts';
import { LIMITS } from '#shared/constants.ts';
import { formatOfFile } from '#client/capture/import-preview.ts';
import { readCapture, type Captured } from '#client/capture/capture-text.ts';
import { createStore } from '#client/shell/external-store.ts';
import { formatCount } from '#shared/english.ts';

interface TextFile {
  file: File;
  captured: Captured;
  /** Why the extracted text should be checked. */
  remark?: string;
}

interface UploadFile {
  file: File;
  title: string;
}

export interface RefusedFile {
  name: string;
  reason: string;
}

export interface SortedFiles {
  /** A zip or an export of another product, for the import. */
  zip: File | undefined;
  texts: readonly TextFile[];
  uploads: readonly UploadFile[];
  refused: RefusedFile[];
}

const TEXT_NAME = /\.(?:md|markdown|mdown|txt|text)$/i;
const ZIP_NAME = /\.zip$/i;
const EXPORT_NAME = /\.(?:html?|csv|json|enex)$/i;
/** A character is at most four bytes in UTF-8; a larger file cannot fit and is not read. */
const MAX_BYTES = 4 * LIMITS.notes;

/**
 * Incremented when files arrive among the shared items; the dashboard checks for them at its start and on every change.
 */
export const fileSelections = createStore(0);

/** Call when files are waiting on this device. */
export function detectFiles(): void {
  fileSelections.set(fileSelections.get() + 1);
}

const MAX_MB = FILES.maxBytes / 1024 / 1024;
/** Shown before a file is sent. */
export const SIZE_HINT = `Up to ${MAX_MB} MB each`;
const TOO_LARGE = `it is larger than ${MAX_MB} MB`;

const isText = ({ name, type }: File) =>
  TEXT_NAME.test(name) || type.startsWith('text/plain') || type === 'text/markdown';

const tooLong = () =>
  `it is longer than the ${formatCount(LIMITS.notes)} characters a memory holds; in a zip, the import splits it`;

const UNREADABLE = 'it could not be read';

/** The server applies the same rule; here it is applied before sending. */
async function readUpload(file: File): Promise<UploadFile | RefusedFile> {
  const { name } = file;
  const kind = kindOfName(name);
  if (kind === undefined) return { name, reason: `files of this kind cannot be saved${readableForm(name)}` };
  if (file.size === 0) return { name, reason: 'it is empty' };
  if (file.size > FILES.maxBytes) return { name, reason: TOO_LARGE };
  const head = await bytesOf(file.slice(0, FILE_HEAD_BYTES));
  if (head === undefined) return { name, reason: UNREADABLE };
  if (fileKindOf(name, head) === undefined)
    return { name, reason: `its content is not what its name says (${fileKind(kind).label})` };
  return { file, title: titleOfFilename(name) };
}

async function bytesOf(file: Blob): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (failure) {
    console.info('capture: a file could not be read', failure);
    return undefined;
  }
}

/** The first heading is the title, else the name of the file. */
async function readText(file: File): Promise<TextFile | UploadFile | RefusedFile> {
  const { name } = file;
  if (file.size === 0) return { name, reason: 'it is empty' };
  if (file.size > MAX_BYTES) return tooLongForNote(file);
  const read = await bytesOf(file);
  const { text, remark } = (read && readFileText(read)) ?? { text: '\0' };
  if (text.includes('\0')) return { name, reason: 'it is not readable as text' };
  if (text.trim() === '') return { name, reason: 'it is empty' };
  if (text.trim().length > LIMITS.notes) return tooLongForNote(file);
  const given = readCapture(text);
  const title = name.replace(TEXT_NAME, '').slice(0, LIMITS.title);
  // A file is saved as it is, even if it only contains addresses.
  const captured: Captured =
    given.kind === 'note' && given.title !== null ? given : { kind: 'note', title, notes: text.trim() };
  return { file, captured, ...(remark === undefined ? {} : { remark }) };
}

/** Texts too long for a note are uploaded as files, and the server extracts their text. */
async function tooLongForNote(file: File): Promise<UploadFile | RefusedFile> {
  return kindOfName(file.name) === undefined ? { name: file.name, reason: tooLong() } : readUpload(file);
}

/** A zip, or an export of another product by its content. */
async function isExport(file: File): Promise<boolean> {
  if (ZIP_NAME.test(file.name)) return true;
  return EXPORT_NAME.test(file.name) && (await formatOfFile(file).catch(unreadable)) !== undefined;
}

/** The file is then refused with a reason, like every other that cannot be read. */
function unreadable(failure: unknown): undefined {
  console.info('capture: a file could not be read', failure);
}

/** Reads all readable files; reports all others. */
export async function sortFiles(files: readonly File[]): Promise<SortedFiles> {
  const areExports = await Promise.all(files.map(isExport));
  const zips = files.filter((_, index) => areExports[index]);
  const [zip, ...moreZips] = zips;
  const texts: TextFile[] = [];
  const uploads: UploadFile[] = [];
  const refused: RefusedFile[] = moreZips.map(({ name }) => ({
    name,
    reason: 'one export is imported at a time',
  }));
  for (const file of files.filter((each) => !zips.includes(each))) {
    const read = await (isText(file) ? readText(file) : readUpload(file));
    if ('reason' in read) refused.push(read);
    else if ('captured' in read) texts.push(read);
    else uploads.push(read);
  }
  return { zip, texts, uploads, refused };
}

/** The refused files in one sentence each, the first five by name. */
export function refusedMessage(refused: readonly RefusedFile[]): string {
  const named = refused.slice(0, 5).map(({ name, reason }) => `${name}: ${reason}.`);
  const more = refused.length - named.length;
  return [...named, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}
