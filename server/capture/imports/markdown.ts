// Markdown and text files of any origin: front matter, the first heading, folders.
import { readFileText } from '#shared/capture/file-text.ts';
import { noteRefusal, requireUnpackable } from '../archive.ts';
import { readMarkdownNote, type MarkdownNote } from '../markdown-note.ts';
import { UnreadableFile } from '../unreadable-file.ts';
import { findAttachments, type Attachments } from './attachments.ts';
import type { ImportFormat, ImportItem } from './format.ts';
import type { UploadFile } from './upload.ts';

const MARKDOWN = /\.(?:md|markdown|mdown|txt)$/i;

/** Whether a file of this name is a note. */
export function isNote(path: string): boolean {
  return MARKDOWN.test(path);
}

/** The files that are read. @throws too_large when they unpack to too much */
export function requireNotesRoom(files: readonly UploadFile[]): void {
  requireUnpackable(files.filter((file) => noteRefusal(file) === null && isNote(file.path)));
}

/** The note of a file. @throws UnreadableFile */
async function readNote(file: UploadFile): Promise<{ note: MarkdownNote; remarks: readonly string[] }> {
  const refusal = noteRefusal(file);
  if (refusal !== null) throw new UnreadableFile(refusal);
  if (!isNote(file.path)) throw new UnreadableFile('Not a Markdown or text file');
  const read = readFileText(await file.unpack());
  if (read === undefined) throw new UnreadableFile('Its bytes are no text');
  const { path, modified } = file;
  const note = readMarkdownNote({ path, text: read.text, modified }, false);
  return { note, remarks: [...(read.remark === undefined ? [] : [read.remark]), ...note.warnings] };
}

/** The title of the note in a file; null where it cannot be read. */
export async function noteTitle(file: UploadFile): Promise<string | null> {
  if (!isNote(file.path)) return null;
  try {
    return (await readNote(file)).note.title;
  } catch (error) {
    if (error instanceof UnreadableFile) return null;
    throw error;
  }
}

/** The note of a file with the files of the archive that its text shows. @throws UnreadableFile */
export async function readNoteWithFiles(file: UploadFile, attachments: Attachments) {
  const { note, remarks } = await readNote(file);
  const { text, files, remarks: missing } = attachments.link(file.path, note.notes);
  return { note: { ...note, notes: text }, files, remarks: [...remarks, ...missing] };
}

/** An item of a note in a file; its address is part of the note, and its page is not fetched. */
export function noteItem(
  path: string,
  { note, files, remarks }: Awaited<ReturnType<typeof readNoteWithFiles>>,
): ImportItem {
  const { title, url, description, notes, tags, created, updated } = note;
  const folders = path.split('/').slice(0, -1);
  const filename = path.slice(path.lastIndexOf('/') + 1);
  return {
    title,
    url,
    description,
    text: notes,
    tags,
    created,
    updated,
    remarks,
    files,
    filename,
    folders: folders.length === 0 ? [] : [folders],
  };
}

export const markdown: ImportFormat = {
  id: 'markdown',
  recognises: ({ files, isZip }) => isZip || files.every(({ path }) => isNote(path)),
  async sources({ files }) {
    requireNotesRoom(files);
    const attachments = await findAttachments(files, { isNote });
    const others = files.filter((file) => !attachments.has(file));
    const notes = others.map((file) => ({
      path: file.path,
      read: async () => noteItem(file.path, await readNoteWithFiles(file, attachments)),
    }));
    return [...attachments.sources, ...notes];
  },
};
