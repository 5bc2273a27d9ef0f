// Links of the notes of an archive to its other files, as Markdown and Obsidian write them.
import { outsideCode } from './outside-code.ts';
import type { UploadFile } from './upload.ts';

export interface LinkTarget {
  /** As it is written. */
  path: string;
  /** Markdown; empty for a link that shows its path. */
  words: string;
  /** Shown inline, not only linked. */
  isShown: boolean;
  isWiki: boolean;
  /** An address outside of the archive. */
  isElsewhere: boolean;
  /** In the row of a table, whose cells end at a bar. */
  isInRow: boolean;
}

const LINK =
  /(?<mark>!?)\[(?<label>(?:[^[\]\\\n]|\\.){0,500})\]\([ \t]{0,3}(?:<(?<quoted>[^<>\n]{1,1000})>|(?<bare>[^\s()<>]{1,1000}(?:\([^\s()<>]{0,300}\)[^\s()<>]{0,300})?))(?:[ \t]{1,3}(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'))?[ \t]{0,3}\)/;
const WIKI_LINK = /(?<wiki>!?)\[\[(?<target>[^[\]\n|]{1,500})(?:\|(?<alias>[^[\]\n]{0,500}))?\]\]/;
const LINKS = new RegExp(LINK, 'g');
const ALL_LINKS = new RegExp(`${LINK.source}|${WIKI_LINK.source}`, 'g');
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i;
const ROW = /(?:^|\n)[ \t]*\|[^\n]*$/;
/** Characters before a link that show whether it is in a row. */
const ROW_MAX = 1_000;
/** Folders at the end of a path by which a file can be found. */
const FOLDERS_MAX = 8;

/** Replaces each link outside of code; one for which it returns undefined stays unchanged. */
export function replaceLinks(
  text: string,
  { withWiki }: { withWiki: boolean },
  replace: (target: LinkTarget) => string | undefined,
): string {
  if (!text.includes('[')) return text;
  return outsideCode(text, (words) =>
    words.replace(withWiki ? ALL_LINKS : LINKS, (whole, ...rest) => {
      // Offset, text and groups follow the captures.
      const [offset, , groups] = rest.slice(-3) as [number, string, Record<string, string | undefined>];
      const { mark, label = '', quoted, bare, wiki, target = '', alias = '' } = groups;
      const isInRow = ROW.test(words.slice(Math.max(0, offset - ROW_MAX), offset));
      const place = { isShown: (mark ?? wiki) !== '', isInRow };
      if (wiki === undefined) {
        const path = quoted ?? bare ?? '';
        const isElsewhere = ELSEWHERE.test(path);
        return replace({ ...place, path, words: label, isWiki: false, isElsewhere }) ?? whole;
      }
      // In a table, the bar before the words is escaped.
      const path = alias === '' ? target : target.replace(/\\$/, '');
      return (
        replace({ ...place, path: path.trim(), words: alias.trim(), isWiki: true, isElsewhere: false }) ??
        whole
      );
    }),
  );
}

export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** The same path however it is written; undefined where it leads out of the archive. */
function normalised(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/').normalize('NFC').toLowerCase();
}

export interface FileFinder {
  /** The file at a path, as a note at another path writes it. */
  at(from: string, target: Pick<LinkTarget, 'path' | 'isWiki'>): UploadFile | undefined;
  /** The file whose path ends so, in any folder. */
  endingIn(path: string): UploadFile | undefined;
}

export function createFinder(files: readonly UploadFile[]): FileFinder {
  const byPath = new Map<string, UploadFile>();
  const byEnd = new Map<string, UploadFile>();
  // Of equal names the one nearest to the root counts.
  for (const file of files.toSorted((a, b) => a.path.length - b.path.length)) {
    const path = normalised(file.path);
    if (path === undefined) continue;
    if (!byPath.has(path)) byPath.set(path, file);
    const parts = path.split('/').slice(-FOLDERS_MAX);
    for (let length = 1; length <= parts.length; length += 1) {
      const end = parts.slice(-length).join('/');
      if (!byEnd.has(end)) byEnd.set(end, file);
    }
  }
  return {
    at(from, { path, isWiki }) {
      const [bare = ''] = path.split('#', 1);
      const candidates = isWiki ? [bare] : [bare, decoded(bare), decoded(bare.split('?', 1)[0] ?? '')];
      for (const candidate of candidates) {
        for (const place of [`${folderOf(from)}${candidate}`, candidate]) {
          const found = byPath.get(normalised(place) ?? '');
          if (found) return found;
        }
      }
      return undefined;
    },
    endingIn: (path) => byEnd.get(normalised(path) ?? ''),
  };
}
