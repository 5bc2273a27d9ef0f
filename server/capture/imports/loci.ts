// Exports of a workspace of Loci itself: rows of data in the order in which they are to be written, each with its file.
import { IMPORT } from '#shared/capture/limits.ts';
import { AppError } from '#shared/errors.ts';
import { noteRefusal, requireUnpackable } from '../archive.ts';
import { UnreadableFile } from '../unreadable-file.ts';
import {
  archiveManifest,
  archiveRow,
  ARCHIVE_VERSION,
  MANIFEST_NAME,
  type ArchiveManifest,
  type ArchiveRow,
  type ArchiveRowOf,
} from '../workspace-archive.ts';
import type { ArchiveItem } from './archive-item.ts';
import { readAttached } from './attachments.ts';
import { itemPath, type ImportFormat, type ItemSource } from './format.ts';
import { isNote } from './markdown.ts';
import { requireShape } from './nested-folders.ts';
import { jsonOf, type UploadFile } from './upload.ts';

/** Also where the folder of an unpacked export was zipped again. */
const MANIFEST = new RegExp(`^(?:[^/]+/)?${MANIFEST_NAME.replace('.', '\\.')}$`);
/** Of a hundred thousand files of data, with room. */
const MANIFEST_MAX_BYTES = 10 * 1024 * 1024;

function nameOf(row: ArchiveRow): string {
  if (row.kind === 'space' || row.kind === 'thread') return row.name;
  if (row.kind === 'message') return `Message of ${row.createdAt}`;
  return row.title ?? row.filename ?? row.url ?? 'Untitled';
}

/** The lines of one file at a time: rows are read in their order. */
function createLines() {
  let open: { file: UploadFile; lines: Promise<readonly string[]> } | undefined;
  const unpack = async (file: UploadFile) => {
    const refusal = noteRefusal(file);
    if (refusal !== null) throw new UnreadableFile(refusal);
    return String(await file.unpack()).split('\n');
  };
  return (file: UploadFile): Promise<readonly string[]> => {
    if (open?.file !== file) open = { file, lines: unpack(file) };
    return open.lines;
  };
}

function rowOf(line: string | undefined): ArchiveRow {
  if (line === undefined || line === '') throw new UnreadableFile('It is not in the archive');
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new UnreadableFile('It is damaged');
  }
  return archiveRow.parse(value);
}

interface Reading {
  manifest: ArchiveManifest;
  /** Folder of the archive. */
  root: string;
  files: ReadonlyMap<string, UploadFile>;
}

/** The row with its file; without it where the file cannot be read, without further effect. */
async function itemOf({ manifest, root, files }: Reading, row: ArchiveRow): Promise<ArchiveItem> {
  const item = { path: itemPath(nameOf(row)), exportedBy: manifest.exportedBy, row };
  if (row.kind !== 'memory') return item;
  if (row.type === 'link') return withSavedPage(item, row, (path) => files.get(`${root}${path}`));
  if (row.type !== 'file') return item;
  const without = (reason: string): ArchiveItem => ({ ...item, remark: `Became a note: ${reason}` });
  if (row.file === null) return without('its file is not in the export');
  const file = files.get(`${root}${row.file}`);
  if (file === undefined) return without('its file is not in the archive');
  try {
    return { ...item, attached: (await readAttached(file, itemPath(row.file))).file };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return without(error.message);
  }
}

/** A saved page that cannot be read does not affect the rest of the link. */
async function withSavedPage(
  item: ArchiveItem,
  { savedPage }: ArchiveRowOf<'memory'>,
  fileAt: (path: string) => UploadFile | undefined,
): Promise<ArchiveItem> {
  if (savedPage === null) return item;
  const file = fileAt(savedPage.file);
  const shown = savedPage.picture === null ? undefined : fileAt(savedPage.picture);
  const without = (reason: string): ArchiveItem => ({
    ...item,
    remark: `Without its saved page: ${reason}`,
  });
  if (file === undefined) return without('it is not in the archive');
  try {
    const read = (await readAttached(file, itemPath(savedPage.file))).file;
    if (read.kind !== 'html') return without('it is no page');
    const picture = shown && (await pictureIn(shown));
    return { ...item, savedPage: { ...read, ...(picture && { picture }) } };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return without(error.message);
  }
}

/** Undefined where it cannot be read: the page is as good without it. */
async function pictureIn(file: UploadFile): Promise<ArchiveItem['attached']> {
  try {
    return (await readAttached(file, file.path)).file;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return undefined;
  }
}

async function manifestOf(file: UploadFile): Promise<ArchiveManifest> {
  if (file.size > MANIFEST_MAX_BYTES) throw new AppError('too_large', `file: ${file.path} is too large`);
  const manifest = requireShape(archiveManifest, await jsonOf(file), file.path);
  if (manifest.version > ARCHIVE_VERSION) {
    throw new AppError('invalid', 'file: A newer version of Loci made this export. Update this server.');
  }
  // Checked before that many are listed.
  if (manifest.data.reduce((sum, { rows }) => sum + rows, 0) > IMPORT.maxItems) {
    throw new AppError(
      'too_large',
      `file: The export has more than ${IMPORT.maxItems.toLocaleString('en')} items`,
    );
  }
  return manifest;
}

export const loci: ImportFormat = {
  id: 'loci',
  recognises: ({ files }) => files.some(({ path }) => MANIFEST.test(path)),
  async sources({ files }) {
    const found = files.find(({ path }) => MANIFEST.test(path));
    if (found === undefined) return [];
    // The Markdown files repeat the data.
    requireUnpackable(
      files.filter(({ path, refusal }) => refusal === null && !isNote(path)),
      IMPORT.maxFilesBytes,
    );
    const reading = {
      manifest: await manifestOf(found),
      root: found.path.slice(0, -MANIFEST_NAME.length),
      files: new Map(files.map((file) => [file.path, file])),
    };
    const linesOf = createLines();
    return reading.manifest.data.flatMap(({ path, rows }) => {
      const file = reading.files.get(`${reading.root}${path}`);
      return Array.from({ length: rows }, (_, index): ItemSource => {
        const source: ItemSource = {
          path: itemPath(`${path}, line ${index + 1}`),
          async read() {
            if (file === undefined) throw new UnreadableFile('It is not in the archive');
            const item = await itemOf(reading, rowOf((await linesOf(file))[index]));
            source.path = item.path;
            return { item };
          },
        };
        return source;
      });
    });
  },
};
