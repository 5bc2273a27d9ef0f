/**
 * Parses the text that was typed, pasted or shared into the capture field: a note, one address, or a list of addresses. Pure;
 * saving is done elsewhere.
 */
import { LIMITS } from '#shared/constants.ts';

export type Captured =
  | { kind: 'empty' }
  | { kind: 'note'; title: string | null; notes: string | null }
  /** One address, with the lines below it as its notes. */
  | { kind: 'link'; url: string; notes: string | null }
  /** Several addresses and no other text. */
  | { kind: 'links'; urls: readonly string[] }
  | { kind: 'too_long'; over: number };

const SCHEME = /^https?:\/\/\S+$/i;
const WWW = /^www\.[\w-]+(\.[\w-]+)+(\/\S*)?$/i;

/** The word as an address to save, or undefined when it is plain text. */
export function asUrl(word: string): string | undefined {
  const address = SCHEME.test(word) ? word : WWW.test(word) ? `https://${word}` : undefined;
  if (address === undefined || address.length > LIMITS.url) return undefined;
  const parsed = URL.parse(address);
  return parsed && parsed.hostname !== '' ? address : undefined;
}

function asNote(text: string): Captured {
  const heading = /^#\s+(.+?)\s*#*\s*(?:\n|$)/.exec(text);
  const title = heading?.[1];
  if (heading === null || title === undefined || title.length > LIMITS.title) {
    return { kind: 'note', title: null, notes: text };
  }
  const rest = text
    .slice(heading[0].length)
    .replace(/^\s*\n/, '')
    .trimEnd();
  return { kind: 'note', title, notes: rest === '' ? null : rest };
}

/** Classifies a text. A heading in its first line becomes the title of a note. */
export function readCapture(input: string): Captured {
  const text = input.replace(/\r\n?/g, '\n').trim();
  if (text === '') return { kind: 'empty' };
  if (text.length > LIMITS.notes) return { kind: 'too_long', over: text.length - LIMITS.notes };
  // Addresses as the points of a list are a list of addresses too.
  const points = text.replace(/^[ \t]*(?:[-*+•]|\d+[.)])[ \t]+/gm, '');
  const urls = points.split(/\s+/).map(asUrl);
  const found = [...new Set(urls.filter((url) => url !== undefined))];
  const [first] = found;
  if (first === undefined) return asNote(text);
  if (found.length === 1 && urls.every((url) => url === first))
    return { kind: 'link', url: first, notes: null };
  if (urls.every((url) => url !== undefined)) return { kind: 'links', urls: found };
  const [head = '', ...below] = text.split('\n');
  const url = asUrl(head.trim());
  const notes = below.join('\n').trim();
  return url !== undefined && notes !== '' ? { kind: 'link', url, notes } : asNote(text);
}
