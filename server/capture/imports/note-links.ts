// Links between the notes of an archive as the references of Loci, which name a memory by its title.
import { NAME_MAX } from '#shared/markdown/references.ts';
import { createFinder, replaceLinks, type LinkTarget } from './archive-links.ts';
import { isNote } from './markdown.ts';
import type { UploadFile } from './upload.ts';

export interface NoteLinkRules {
  /** The title that a file gets when it is imported; null for one that is not. */
  titleOf(file: UploadFile): Promise<string | null>;
  /** `[[name]]` finds a note by its name in any folder. */
  byName?: boolean;
  /** For addresses that no path leads to. */
  fileAt?(address: string): UploadFile | undefined;
}

/** What ends a reference or its title. */
const UNWRITABLE = /[[\]|\n\r]/;
const REFERENCE_MAX = 300;

/** Writes the links of a note at a path; those that lead to no note of the archive stay as they are. */
export function createNoteLinks(
  files: readonly UploadFile[],
  { titleOf, byName = false, fileAt = () => undefined }: NoteLinkRules,
): (path: string, text: string) => Promise<string> {
  const finder = createFinder(files);
  const titles = new Map<UploadFile, string | null>();
  const find = (from: string, target: LinkTarget): UploadFile | undefined => {
    const { path, isWiki } = target;
    if (!isWiki) return target.isElsewhere ? fileAt(path) : finder.at(from, target);
    const [bare = ''] = path.split('#', 1);
    if (bare.trim() === '') return undefined;
    for (const name of isNote(bare) ? [bare, `${bare}.md`] : [`${bare}.md`]) {
      const found = finder.at(from, { path: name, isWiki }) ?? finder.endingIn(name);
      if (found) return found;
    }
    return undefined;
  };
  return async (from, text) => {
    const wanted = new Set<UploadFile>();
    replaceLinks(text, { withWiki: byName }, (target) => {
      const file = find(from, target);
      if (file && !titles.has(file)) wanted.add(file);
      return undefined;
    });
    // Only titles that are linked to: reading all of them would take longer than one turn of a large import.
    for (const file of wanted) titles.set(file, await titleOf(file));
    return replaceLinks(text, { withWiki: byName }, (target) => {
      const file = find(from, target);
      const title = file && titles.get(file);
      if (typeof title === 'string') return reference(title, target);
      // A heading of the same note.
      return target.isWiki && target.path.startsWith('#')
        ? target.words || shownName(target.path)
        : undefined;
    });
  };
}

function reference(title: string, { words, path, isWiki, isInRow }: LinkTarget): string {
  const label = words.replaceAll(/\\([[\]|])/g, '$1') || (isWiki ? shownName(path) : title);
  const name = title.slice(0, NAME_MAX);
  const written = label === name ? name : `${name}${isInRow ? '\\' : ''}|${label}`;
  const isWritable = !UNWRITABLE.test(name) && !/[[\]\n]/.test(label) && written.length <= REFERENCE_MAX;
  return isWritable ? `[[${written}]]` : label;
}

/** `Note#Heading` as displayed: the heading alone when it is in the same note. */
export function shownName(target: string): string {
  const [note = '', heading = ''] = target.split('#', 2);
  const name = note.slice(note.lastIndexOf('/') + 1).trim();
  return [name, heading.replace(/^\^/, '').trim()].filter((part) => part !== '').join(' › ');
}
