// The files of an archive that its notes show or link to. These files are found before the import begins, so that they are
// imported first and notes can name the memories that they became.
import { createHash } from 'node:crypto';
import { FILE_HEAD_BYTES, fileKindOf, kindOfName } from '#shared/capture/file-kinds.ts';
import { readFileText } from '#shared/capture/file-text.ts';
import { FILES, IMPORT } from '#shared/capture/limits.ts';
import { LIMITS } from '#shared/constants.ts';
import { addressOf } from '#shared/hash.ts';
import { noteRefusal, requireUnpackable } from '../archive.ts';
import { UnreadableFile } from '../unreadable-file.ts';
import type { AttachedFile, FileLink } from './attached-file.ts';
import { createFinder, decoded, nameOf, replaceLinks, type LinkTarget } from './archive-links.ts';
import { itemKey, storable, type ItemSource } from './format.ts';
import type { UploadFile } from './upload.ts';

interface LinkedText {
  text: string;
  files: FileLink[];
  remarks: string[];
}

export interface Attachments {
  sources: ItemSource[];
  has(file: UploadFile): boolean;
  /** A note's text with its files, as far as the archive has them. */
  link(path: string, text: string): LinkedText;
}

export interface AttachmentRules {
  isNote(path: string): boolean;
  /** The name for the person; the path by default. */
  pathOf?(file: UploadFile): string;
  /** `![[name]]` finds a file by its name in any folder. */
  byName?: boolean;
}

/** Pictures and films that are attachments, though they cannot be saved. */
const UNSUPPORTED = /\.(?:svg|bmp|tiff?|heic|mp4|mov|webm|mkv)$/i;
/** How obsidian writes the width of a picture in place of words. */
const SIZE = /^\d+(?:x\d+)?$/;

const escaped = (words: string) => words.replace(/[\\[\]]/g, String.raw`\$&`);

/** The file that a link means; a bare name finds one in any folder. */
function createFileFinder(files: readonly UploadFile[], byName: boolean) {
  const finder = createFinder(files);
  return (from: string, target: LinkTarget): UploadFile | undefined => {
    if (target.isElsewhere) return undefined;
    const found = finder.at(from, target);
    if (found || !byName) return found;
    const name = decoded(target.path.split('#', 1)[0] ?? '');
    return finder.endingIn(name) ?? finder.endingIn(nameOf(name));
  };
}

/**
 * The files of supported kinds that the notes of an archive show or link to.
 * @throws too_large when they unpack to too much
 */
export async function findAttachments(
  files: readonly UploadFile[],
  { isNote, byName = false, pathOf = (file) => file.path }: AttachmentRules,
): Promise<Attachments> {
  const find = createFileFinder(files, byName);
  const links = { withWiki: byName };
  const isAttachable = ({ path }: UploadFile) => !isNote(path) && kindOfName(path) !== undefined;
  const wanted = new Set<UploadFile>();
  if (files.some(isAttachable)) {
    for (const file of files) {
      if (!isNote(file.path)) continue;
      replaceLinks(await textOf(file), links, (target) => {
        const found = find(file.path, target);
        if (found && isAttachable(found)) wanted.add(found);
        return undefined;
      });
    }
  }
  const attached = files.filter((file) => wanted.has(file));
  requireUnpackable(
    attached.filter((file) => refusalOf(file) === null),
    IMPORT.maxFilesBytes,
  );
  return {
    sources: attached.map((file) => ({
      path: pathOf(file),
      read: () => readAttached(file, pathOf(file)),
    })),
    has: (file) => wanted.has(file),
    link(path, text) {
      const placed = new Map<string, FileLink>();
      const missing = new Set<string>();
      const linked = replaceLinks(text, links, (target) => {
        const found = find(path, target);
        if (found && wanted.has(found)) {
          const link = linkTo(found, target);
          placed.set(link.written, link);
          return link.written;
        }
        const { path: written, isShown, isElsewhere } = target;
        if (!found && isShown && !isElsewhere && isFileName(written)) missing.add(nameOf(decoded(written)));
        return undefined;
      });
      const remarks = [...missing].map((name) => `The file “${name.slice(0, 200)}” is not in the archive`);
      return { text: linked, files: [...placed.values()], remarks };
    },
  };
}

/** Whether a person would expect a file under this name, and not another note. */
function isFileName(path: string): boolean {
  const [bare = ''] = path.split(/[#?]/, 1);
  const isText = /\.(?:md|markdown|mdown|txt|html?|csv|tsv)$/i.test(bare);
  return !isText && (kindOfName(bare) !== undefined || UNSUPPORTED.test(bare));
}

const keyOf = ({ path }: UploadFile) => itemKey('file', path);

function linkTo(file: UploadFile, { words, isShown, isWiki }: LinkTarget): FileLink {
  const label = isWiki ? (SIZE.test(words) ? '' : escaped(words)) : words;
  const identity = JSON.stringify([file.path, file.size, file.checksum]);
  return placeOf({
    key: keyOf(file),
    identity,
    label: label.trim() === '' ? escaped(nameOf(file.path)) : label,
    isShown,
  });
}

interface Place {
  key: string;
  /** Different for different files. */
  identity: string;
  /** Markdown. */
  label: string;
  isShown: boolean;
}

function placeOf({ key, identity, label: words, isShown }: Place): FileLink {
  const label = storable(words);
  const written = `${isShown ? '!' : ''}[${label}](import-file:${addressOf(identity).hash})`;
  return { key, written, label, isShown };
}

/** A position for a file in a text; `label` is plain words. */
export function fileLink({ label, ...place }: Place): FileLink {
  return placeOf({ ...place, label: escaped(label) });
}

/** Empty for a note that cannot be read; it is refused later. */
async function textOf(file: UploadFile): Promise<string> {
  if (noteRefusal(file) !== null) return '';
  try {
    const text = readFileText(await file.unpack())?.text ?? '';
    return text.includes('[') ? text : '';
  } catch (error) {
    if (error instanceof UnreadableFile) return '';
    throw error;
  }
}

function refusalOf({ refusal, size }: UploadFile): string | null {
  if (refusal !== null) return refusal;
  return size > FILES.maxBytes ? `Larger than ${FILES.maxBytes / 1024 ** 2} MB` : null;
}

/** The bytes of a file of an archive, if they match its extension. @throws UnreadableFile */
export async function readAttached(
  file: UploadFile,
  path: string,
  key = keyOf(file),
): Promise<{ file: AttachedFile }> {
  const refusal = refusalOf(file);
  if (refusal !== null) throw new UnreadableFile(refusal);
  const bytes = await file.unpack();
  if (bytes.length === 0) throw new UnreadableFile('The file is empty');
  const filename = storable(nameOf(file.path)).slice(-LIMITS.filename).toWellFormed();
  const kind = fileKindOf(filename, bytes.subarray(0, FILE_HEAD_BYTES));
  if (kind === undefined) throw new UnreadableFile('Its content does not match its name');
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { file: { key, path, filename, kind, created: file.modified, hash, bytes } };
}
