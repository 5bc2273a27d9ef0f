// Vaults of Obsidian: Markdown with links between notes, tags in the text, and attachments.
import { findAttachments } from './attachments.ts';
import type { ImportFormat } from './format.ts';
import { isNote, noteItem, noteTitle, readNoteWithFiles, requireNotesRoom } from './markdown.ts';
import { createNoteLinks } from './note-links.ts';
import { outsideCode } from './outside-code.ts';
import type { UploadFile } from './upload.ts';

const SETTINGS = /(?:^|\/)\.obsidian\//;
const HIDDEN = /(?:^|\/)\.(?:obsidian|trash)\//;
const TAG = /(?<=^|[\s(])#([\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*)/gu;

/** Tags in the text; those of the front matter are read with it. */
function tagsIn(text: string): string[] {
  const found = new Set<string>();
  outsideCode(text, (words) => {
    for (const { 1: tag } of words.matchAll(TAG)) if (tag !== undefined) found.add(tag);
    return words;
  });
  return [...found];
}

/** The folder that holds the vault, where the whole folder was zipped. */
function rootOf(files: readonly UploadFile[]): string {
  const settings = files.find(({ path }) => SETTINGS.test(path))?.path ?? '';
  const root = settings.slice(0, settings.search(/\.obsidian\//));
  return files.every(({ path }) => path.startsWith(root)) ? root : '';
}

export const obsidian: ImportFormat = {
  id: 'obsidian',
  recognises: ({ files }) => files.some(({ path }) => SETTINGS.test(path)),
  async sources({ files }) {
    requireNotesRoom(files);
    const root = rootOf(files);
    const visible = files.filter(({ path }) => !HIDDEN.test(path));
    const pathOf = ({ path }: UploadFile) => path.slice(root.length);
    const attachments = await findAttachments(visible, { isNote, pathOf, byName: true });
    const linked = createNoteLinks(visible, { titleOf: noteTitle, byName: true });
    const others = visible
      .filter((file) => !attachments.has(file))
      .map((file) => ({
        path: pathOf(file),
        read: async () => {
          const read = await readNoteWithFiles(file, attachments);
          const item = noteItem(pathOf(file), read);
          const { notes } = read.note;
          const text = await linked(file.path, notes);
          return { ...item, text, tags: [...item.tags, ...tagsIn(notes)] };
        },
      }))
      .toSorted((a, b) => Number(!isNote(a.path)) - Number(!isNote(b.path)));
    return [...attachments.sources, ...others];
  },
};
