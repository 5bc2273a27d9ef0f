// Attachments of Evernote. Their bytes are part of the notebook's file, and the text names each by its MD5.
import { createHash } from 'node:crypto';
import {
  FILE_HEAD_BYTES,
  fileKind,
  fileKindOf,
  kindOfMediaType,
  kindOfName,
  readableForm,
} from '#shared/capture/file-kinds.ts';
import { LIMITS } from '#shared/constants.ts';
import type { FileLink } from './attached-file.ts';
import { fileLink, readAttached } from './attachments.ts';
import { itemKey, itemPath, storable, type ItemSource } from './format.ts';
import { markdownOf } from './html-text.ts';

/** An attachment as the notebook has it. */
export interface Resource {
  /** Base64. */
  data: string;
  mime: string;
  filename: string;
}

export interface EvernoteFile {
  md5: string;
  link: FileLink;
  source: ItemSource;
}

interface Owner {
  /** Where the note is in the export. */
  path: string;
  title: string;
  /** ISO 8601. */
  created: string;
}

/** Characters of no Base64, and data behind its end; both would be passed over. */
const NOT_BASE64 = /[^A-Za-z\d+/=\s]|=\s*[^=\s]/;

/** The different files of a note; their bytes are decoded again in their turn, since all of them would not fit in memory. */
export function evernoteFiles(resources: readonly Resource[], owner: Owner): EvernoteFile[] {
  const files = new Map<string, EvernoteFile>();
  for (const resource of resources) {
    const file = fileOf(resource, owner);
    if (!files.has(file.link.key)) files.set(file.link.key, file);
  }
  return [...files.values()];
}

function fileOf({ data, mime, filename: given }: Resource, { path, title, created }: Owner): EvernoteFile {
  const { bytes, isDamaged } = decoded(data);
  const filename = nameOf(given.trim() || title, mime, bytes);
  const kind = kindOfName(filename);
  // The kind is part of the key: the same bytes under a name that is refused are another file.
  const key = itemKey('evernote', 'file', kind ?? filename, hashOf('sha256', isDamaged ? data : bytes));
  const unsupported = `This kind of file is not supported${readableForm(filename)}`;
  const file = {
    path: filename,
    modified: created,
    size: bytes.length,
    checksum: 0,
    refusal: kind === undefined ? unsupported : isDamaged ? 'Damaged in the export' : null,
    unpack: async () => decoded(data).bytes,
  };
  const place = itemPath(path, filename);
  const isShown = kind !== undefined && fileKind(kind).view === 'image';
  return {
    md5: hashOf('md5', bytes),
    // A bar or a line break would end the cell of a table.
    link: fileLink({ key, label: filename.replaceAll(/[|\s]+/g, ' ').trim(), identity: key, isShown }),
    source: { path: place, read: () => readAttached(file, place, key) },
  };
}

function decoded(data: string): { bytes: Buffer; isDamaged: boolean } {
  return { bytes: Buffer.from(data, 'base64'), isDamaged: NOT_BASE64.test(data) };
}

const hashOf = (algorithm: 'md5' | 'sha256', bytes: Buffer | string) =>
  createHash(algorithm).update(bytes).digest('hex');

/** The file's own name, with the ending of its media type where its content does not match its own. */
function nameOf(given: string, mime: string, bytes: Buffer): string {
  const name = storable(given.slice(given.search(/[^/\\]*$/)).replaceAll('\n', ' '));
  const own = name.slice(-LIMITS.filename).toWellFormed();
  const head = bytes.subarray(0, FILE_HEAD_BYTES);
  const kind = kindOfMediaType(mime.trim().toLowerCase());
  if (kind === undefined || fileKindOf(own, head) !== undefined) return own;
  const ending = `.${fileKind(kind).extensions[0]}`;
  const other = `${name
    .replace(/\.[a-z\d]{1,5}$/i, '')
    .slice(0, LIMITS.filename - ending.length)
    .toWellFormed()}${ending}`;
  return fileKindOf(other, head) === undefined ? own : other;
}

/** A note's text with its files where it names them, and the others at its end. */
export function textWithFiles(content: string, files: readonly EvernoteFile[]) {
  const byHash = new Map(files.toReversed().map(({ md5, link }) => [md5, link]));
  let missing = 0;
  const text = markdownOf(content, (hash) => {
    const link = byHash.get(hash);
    if (link === undefined) missing += 1;
    return link?.written ?? '';
  });
  const links = files.map(({ link }) => link);
  const unnamed = links.flatMap(({ written }) => (text.includes(written) ? [] : [written]));
  const remark = missing === 1 ? 'A file that it shows is' : `${missing} files that it shows are`;
  return {
    text: [text, ...unnamed].filter((part) => part !== '').join('\n\n'),
    files: links,
    remarks: missing === 0 ? [] : [`${remark} not in the export`],
  };
}
