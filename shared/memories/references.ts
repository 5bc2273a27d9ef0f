/**
 * How notes refer to other memories: `[[title]]`, with `[[title|words]]` for other words, and the addresses in their
 * text. Pure; which memory is meant is known only where the memories are.
 */
import { urlKey } from '../capture/url-key.ts';
import { NAME_MAX, referenceName, splitReferences } from '../markdown/references.ts';
import type { MemoryHead } from './memory.ts';

const ADDRESS = /https?:\/\/[^\s<>"'`)\]]+/gi;
/** More than a person writes into one note; a list of thousands of addresses refers to none in particular. */
const REFERENCES_MAX = 200;

function byAddress(key: string): string {
  return `url:${key.slice(0, NAME_MAX)}`;
}

function byTitle(name: string): string {
  return `title:${name}`;
}

/** References in a text, in the form of `namesOf`. */
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
