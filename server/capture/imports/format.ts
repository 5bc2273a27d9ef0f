// Items that a format extracts from an export, and functions shared by several formats.
import type { ImportFormatId } from '#shared/capture/import-formats.ts';
import { urlKey } from '#shared/capture/url-key.ts';
import { webUrl } from '#shared/define/fields.ts';
import { addressOf } from '#shared/hash.ts';
import { blockQuote } from '#shared/memories/quotes.ts';
import { UnreadableFile } from '../unreadable-file.ts';
import type { ArchiveItem } from './archive-item.ts';
import type { AttachedFile, FileLink } from './attached-file.ts';
import type { Upload, UploadFile } from './upload.ts';

export interface Highlight {
  text: string;
  note?: string | null | undefined;
  /** For example a page number. */
  place?: string | null | undefined;
}

export interface ImportItem {
  /** The same in every export of the same item; defaults to the path. */
  key?: string;
  title: string | null;
  url: string | null;
  description?: string | null;
  /** Markdown. */
  text: string | null;
  highlights?: readonly Highlight[];
  tags: readonly string[];
  /** Each place where the item was filed, outermost folder first. */
  folders: readonly (readonly string[])[];
  /** ISO 8601, or null when the export has none. */
  created: string | null;
  updated?: string | null;
  archived?: boolean;
  /** The page behind the address: fetched as for a saved link, left alone, or its text as the export has it. */
  page?: 'fetch' | { text: string };
  remarks?: readonly string[];
  /** Stored with the memory. */
  filename?: string;
  /** Positions of the export's files in the text. */
  files?: readonly FileLink[];
}

/** An item that is read in its turn, so that an error in it affects no other. */
export interface ItemSource {
  /** Path in the export, as shown to the person. */
  path: string;
  /** @throws UnreadableFile with the reason for leaving it out */
  read(): ImportItem | Promise<ImportItem | { file: AttachedFile } | { item: ArchiveItem }>;
}

export interface ImportFormat {
  id: ImportFormatId;
  /** For archives of many files; single texts are recognised by how they start. */
  recognises?(upload: Upload): boolean;
  /**
   * `files` are those that start like this format's exports.
   * @throws invalid when the export as a whole cannot be read
   */
  sources(upload: Upload, files: readonly UploadFile[]): Promise<readonly ItemSource[]>;
}

/** Keys stay short enough for an index of the database. */
const KEY_MAX = 500;
const PATH_MAX = 500;

export function itemKey(...parts: readonly string[]): string {
  const key = storable(parts.join('/'));
  return key.length <= KEY_MAX ? key : `${key.slice(0, 300).toWellFormed()}…${addressOf(key).hash}`;
}

/** Where an item is, for the list of problems. */
export function itemPath(...parts: readonly string[]): string {
  const path = storable(parts.filter((part) => part !== '').join('/'));
  return path.length <= PATH_MAX ? path : `…${path.slice(-PATH_MAX).toWellFormed()}`;
}

/** Text that PostgreSQL can store, with a replacement character for each NUL and lone surrogate. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

/** A saved address. @throws UnreadableFile when it is none that can be opened */
export function linkItem(
  address: string,
  rest: Omit<ImportItem, 'url' | 'key'> & { keyed: readonly string[] },
): ImportItem {
  const url = address.trim();
  if (url === '') throw new UnreadableFile('It has no web address');
  if (!webUrl.safeParse(url).success) throw new UnreadableFile('Its address is no web address');
  const { keyed, ...item } = rest;
  return { page: 'fetch', ...item, url, key: itemKey(...keyed, urlKey(url) ?? url) };
}

/** Passages as quote blocks, each with its note and its place. */
export function quoteBlocks(highlights: readonly Highlight[]): string {
  return highlights
    .filter(({ text, note }) => text.trim() !== '' || (note ?? '').trim() !== '')
    .map(({ text, note, place }) => {
      const said = (note ?? '').trim();
      return [blockQuote(text), said, place ? `— ${place}` : ''].filter((part) => part !== '').join('\n\n');
    })
    .join('\n\n');
}

/** Splits a path of folders as products write it. */
export function folderPath(path: string): string[] {
  return path
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

const DIGITS = /^\d+(\.\d+)?$/;

/**
 * A time as products write it: ISO 8601 and its relatives, or a number of seconds, milliseconds or microseconds since
 * 1970; null for none and for what cannot be.
 */
export function timeOf(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined || value === '' || value === 0 || value === '0') return null;
  const isNumber = typeof value === 'number' || DIGITS.test(value);
  const time = isNumber ? milliseconds(Number(value)) : Date.parse(value);
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return Number.isNaN(year) || year < 1970 || year > 2200 ? null : date.toISOString();
}

function milliseconds(since: number): number {
  if (since < 1e11) return since * 1_000;
  return since < 1e14 ? since : since / 1_000;
}
