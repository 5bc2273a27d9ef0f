// The files of an archive that its notes show or link to. These files are found before the import begins, so that they are
// imported first and notes can name the memories that they became.
import { createHash } from 'node:crypto';
import { FILE_HEAD_BYTES, fileKindOf, kindOfName } from '#shared/capture/file-kinds.ts';
import { readFileText } from '#shared/capture/file-text.ts';
import { FILES, LIMITS } from '#shared/constants.ts';
import { addressOf } from '#shared/hash.ts';
import { noteRefusal, requireUnpackable } from '../archive.ts';
import { UnreadableFile } from '../unreadable-file.ts';
import type { AttachedFile, FileLink } from './attached-file.ts';
import { itemKey, storable, type ItemSource } from './format.ts';
import { outsideCode } from './outside-code.ts';
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

const MARKDOWN_LINK =
  /(!?)\[((?:[^[\]\\\n]|\\.){0,500})\]\([ \t]{0,3}(?:<([^<>\n]{1,1000})>|([^\s()<>]{1,1000}(?:\([^\s()<>]{0,300}\)[^\s()<>]{0,300})?))(?:[ \t]{1,3}(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'))?[ \t]{0,3}\)/g;
const WIKI_LINK = /(!?)\[\[([^[\]\n|]{1,500})(?:\|([^[\]\n]{0,500}))?\]\]/g;
/** Addresses of other places than the archive. */
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i;
/** Pictures and films that are attachments, though they cannot be saved. */
const UNSUPPORTED = /\.(?:svg|bmp|tiff?|heic|mp4|mov|webm|mkv)$/i;
/** How obsidian writes the width of a picture in place of words. */
const SIZE = /^\d+(?:x\d+)?$/;

interface Target {
  path: string;
  label: string;
  isShown: boolean;
  isWiki: boolean;
}

/** Replaces each link to a file; a link for which it returns undefined stays unchanged. */
function replaceLinks(text: string, byName: boolean, replace: (target: Target) => string | undefined) {
  return outsideCode(text, (words) => {
    const linked = words.replace(
      MARKDOWN_LINK,
      (whole, mark: string, label: string, quoted?: string, bare?: string) => {
        const target = { path: quoted ?? bare ?? '', label, isShown: mark !== '', isWiki: false };
        return ELSEWHERE.test(target.path) ? whole : (replace(target) ?? whole);
      },
    );
    if (!byName) return linked;
    return linked.replace(WIKI_LINK, (whole, mark: string, path: string, alias = '') => {
      const label = SIZE.test(alias.trim()) ? '' : escaped(alias.trim());
      return replace({ path: path.trim(), label, isShown: mark !== '', isWiki: true }) ?? whole;
    });
  });
}

const escaped = (words: string) => words.replace(/[\\[\]]/g, String.raw`\$&`);

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

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

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

function createFinder(files: readonly UploadFile[], byName: boolean) {
  const byPath = new Map<string, UploadFile>();
  const byFileName = new Map<string, UploadFile>();
  // Of equal names the one nearest to the root counts.
  for (const file of files.toSorted((a, b) => a.path.length - b.path.length)) {
    const path = normalised(file.path);
    if (path === undefined) continue;
    if (!byPath.has(path)) byPath.set(path, file);
    if (!byFileName.has(nameOf(path))) byFileName.set(nameOf(path), file);
  }
  return (from: string, { path, isWiki }: Pick<Target, 'path' | 'isWiki'>): UploadFile | undefined => {
    const [bare = ''] = path.split('#', 1);
    const candidates = isWiki ? [bare] : [bare, decoded(bare), decoded(bare.split('?', 1)[0] ?? '')];
    for (const candidate of candidates) {
      for (const place of [`${folderOf(from)}${candidate}`, candidate]) {
        const found = byPath.get(normalised(place) ?? '');
        if (found) return found;
      }
    }
    return byName ? byFileName.get(normalised(nameOf(decoded(bare))) ?? '') : undefined;
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
  const find = createFinder(files, byName);
  const isAttachable = ({ path }: UploadFile) => !isNote(path) && kindOfName(path) !== undefined;
  const wanted = new Set<UploadFile>();
  if (files.some(isAttachable)) {
    for (const file of files) {
      if (!isNote(file.path)) continue;
      replaceLinks(await textOf(file), byName, (target) => {
        const found = find(file.path, target);
        if (found && isAttachable(found)) wanted.add(found);
        return undefined;
      });
    }
  }
  const attached = files.filter((file) => wanted.has(file));
  requireUnpackable(attached.filter((file) => refusalOf(file) === null));
  return {
    sources: attached.map((file) => ({
      path: pathOf(file),
      read: () => readAttached(file, pathOf(file)),
    })),
    has: (file) => wanted.has(file),
    link(path, text) {
      const links = new Map<string, FileLink>();
      const missing = new Set<string>();
      const linked = replaceLinks(text, byName, (target) => {
        const found = find(path, target);
        if (found && wanted.has(found)) {
          const link = linkTo(found, target);
          links.set(link.written, link);
          return link.written;
        }
        if (!found && target.isShown && isFileName(target.path)) missing.add(nameOf(decoded(target.path)));
        return undefined;
      });
      const remarks = [...missing].map((name) => `The file “${name.slice(0, 200)}” is not in the archive`);
      return { text: linked, files: [...links.values()], remarks };
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

function linkTo(file: UploadFile, { label, isShown }: Target): FileLink {
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
