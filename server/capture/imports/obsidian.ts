// Vaults of Obsidian: Markdown with links between notes, tags in the text, and attachments.
import { noteItem, readNote, isNote, requireNotesRoom } from './markdown.ts';
import type { ImportFormat } from './format.ts';
import type { UploadFile } from './upload.ts';

const SETTINGS = /(?:^|\/)\.obsidian\//;
const HIDDEN = /(?:^|\/)\.(?:obsidian|trash)\//;
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
const EMBED = /!\[\[([^\]\n|]{1,500})(?:\|[^\]\n]{0,500})?\]\]/g;
const WIKI_LINK = /\[\[([^\]\n|]{1,500})(?:\|([^\]\n]{1,500}))?\]\]/g;
const TAG = /(?<=^|[\s(])#([\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*)/gu;

/** Applies a change to the text outside of code. */
function outsideCode(text: string, change: (words: string) => string): string {
  let at = 0;
  const parts: string[] = [];
  for (const { index, 0: code } of text.matchAll(CODE)) {
    parts.push(change(text.slice(at, index)), code);
    at = index + code.length;
  }
  parts.push(change(text.slice(at)));
  return parts.join('');
}

/** `Note#Heading` as it is read: the heading alone when it is in the same note. */
function nameOf(target: string): string {
  const [note = '', heading = ''] = target.split('#', 2);
  const name = note.slice(note.lastIndexOf('/') + 1).trim();
  return [name, heading.replace(/^\^/, '').trim()].filter((part) => part !== '').join(' › ');
}

/** Links between notes as words, since a memory has another address; what they were called is kept. */
export function withoutWikiLinks(text: string): string {
  return outsideCode(text, (words) =>
    words
      .replace(EMBED, (_, target: string) => `*${nameOf(target)}*`)
      .replace(WIKI_LINK, (_, target: string, alias?: string) => alias?.trim() || nameOf(target)),
  );
}

/** Tags in the text; those of the front matter are read with it. */
export function tagsIn(text: string): string[] {
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
    return files
      .filter(({ path }) => !HIDDEN.test(path))
      .map((file) => {
        const path = file.path.slice(root.length);
        return {
          path,
          read: async () => {
            const read = await readNote(file);
            const item = noteItem(path, read);
            const text = read.note.notes;
            return { ...item, text: withoutWikiLinks(text), tags: [...item.tags, ...tagsIn(text)] };
          },
        };
      })
      .toSorted((a, b) => Number(!isNote(a.path)) - Number(!isNote(b.path)));
  },
};
