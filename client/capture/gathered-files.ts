/**
 * Files and folders that a person chooses or drops for an import: one file is taken as it is, several become one archive, made on
 * this device, so that it can wait for a connection like any other.
 */
import { IMPORT } from '#shared/capture/limits.ts';
import { formatCount } from '#shared/english.ts';
import type { PlacedFile } from '#client/shell/import-state.ts';

/** What cannot become an import, in words for the person. */
export class TooMuchError extends Error {
  override readonly name = 'TooMuchError';
}

/** Of other programs: history, rubbish and packages, which can be many times the notes. */
const LEFT_OUT = /^(?:\.git|\.trash|\.svn|\.hg|node_modules|__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini)$/i;
const isLeftOut = (path: string) => path.split('/').some((part) => LEFT_OUT.test(part));

/** Files of a file field; those of a chosen folder name their place in it. */
export function chosenFiles(files: Iterable<File>): PlacedFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The entries of a drop, which must be asked for while it is handled. */
export function entriesOf({ items }: Pick<DataTransfer, 'items'>): FileSystemEntry[] {
  return [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
}

export const hasFolder = (entries: readonly FileSystemEntry[]) =>
  entries.some(({ isDirectory }) => isDirectory);

/** All files below the entries. @throws TooMuchError, and what the browser throws for a file that it may not read */
export async function filesBelow(entries: readonly FileSystemEntry[]): Promise<PlacedFile[]> {
  const files: PlacedFile[] = [];
  const open = [...entries];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (LEFT_OUT.test(entry.name)) continue;
    if (isFolder(entry)) open.push(...(await childrenOf(entry)));
    else if (isFile(entry))
      files.push({ path: entry.fullPath.replace(/^\//, ''), file: await fileOf(entry) });
    requireRoom(files);
  }
  return files;
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject));

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    // At most a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return children;
    children.push(...some);
  }
}

function requireRoom(files: readonly PlacedFile[]): void {
  if (files.length > IMPORT.maxEntries)
    throw new TooMuchError(
      `These are more than ${formatCount(IMPORT.maxEntries)} files. Import them in parts.`,
    );
}

/** One file for the import. @throws TooMuchError */
export async function archiveOf(given: readonly PlacedFile[]): Promise<File> {
  const files = given.filter(({ path }) => !isLeftOut(path));
  const [first] = files;
  if (first === undefined) throw new TooMuchError('There are no files in this folder.');
  if (files.length === 1 && !first.path.includes('/')) return first.file;
  requireRoom(files);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > IMPORT.maxArchiveBytes) {
    const most = IMPORT.maxArchiveBytes / 1024 / 1024;
    throw new TooMuchError(
      `These files have ${formatCount(Math.ceil(bytes / 1024 / 1024))} MB, and an import takes ${formatCount(most)} MB. Import them in parts.`,
    );
  }
  // The name of the one folder would be a tag of every note.
  const [folder = ''] = first.path.split('/');
  const isOne = first.path.includes('/') && files.every(({ path }) => path.startsWith(`${folder}/`));
  const start = isOne ? folder.length + 1 : 0;
  const { makeZip } = await import('client-zip');
  const entries = files.map(({ path, file }) => ({
    name: path.slice(start),
    lastModified: file.lastModified,
    input: file,
  }));
  const blob = await new Response(makeZip(entries)).blob();
  return new File([blob], `${isOne ? folder : 'Files'}.zip`, { type: 'application/zip' });
}
