/**
 * How notes refer to other memories: `[[title]]`, with `[[title|words]]` for other words, and the addresses in their
 * text. Pure; which memory is meant is known only where the memories are.
 */
import { urlKey } from '../capture/url-key.ts';
import type { MemoryHead } from './memory.ts';

/** A reference inside a text. */
export interface Reference {
  /** The name as `referenceName` writes it. */
  name: string;
  /** What the reader sees. */
  label: string;
}

/** Without brackets inside, so that a run of opening ones is not read again from each of them. */
const DOUBLE_BRACKETS = /\[\[([^[\]\n]{1,300})\]\]/g;
const ADDRESS = /https?:\/\/[^\s<>"'`)\]]+/gi;
const NAME_MAX = 200;
/** More than a person writes into one note; a list of thousands of addresses refers to none in particular. */
const REFERENCES_MAX = 200;

/** A title as references are compared: case and spaces do not count. */
export function referenceName(title: string): string {
  return title.trim().replace(/\s+/g, ' ').toLowerCase().slice(0, NAME_MAX);
}

/** A text as a row of plain parts and references. */
export function splitReferences(text: string): (string | Reference)[] {
  const parts: (string | Reference)[] = [];
  let end = 0;
  for (const match of text.matchAll(DOUBLE_BRACKETS)) {
    const [whole, inside = ''] = match;
    const [title = '', ...words] = inside.split('|');
    const name = referenceName(title);
    if (name === '') continue;
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push({ name, label: (words.join('|').trim() || title).trim() });
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

function byAddress(key: string): string {
  return `url:${key.slice(0, NAME_MAX)}`;
}

function byTitle(name: string): string {
  return `title:${name}`;
}

/** What a text refers to, in the form of `namesOf`. */
export function referencesIn(text: string): string[] {
  const found = new Set<string>();
  if (text.includes('[['))
    for (const part of splitReferences(text)) if (typeof part !== 'string') found.add(byTitle(part.name));
  if (text.includes('://'))
    for (const [address] of text.matchAll(ADDRESS)) {
      if (found.size >= REFERENCES_MAX) break;
      const key = urlKey(address.replace(/[.,;:!?]+$/, ''));
      if (key !== null) found.add(byAddress(key));
    }
  return [...found].slice(0, REFERENCES_MAX);
}

/** Under what others refer to a memory: its title and its address. */
export function namesOf({ title, url }: Pick<MemoryHead, 'title' | 'url'>): string[] {
  const name = referenceName(title ?? '');
  const key = url === null ? null : urlKey(url);
  return [...(name === '' ? [] : [byTitle(name)]), ...(key === null ? [] : [byAddress(key)])];
}
