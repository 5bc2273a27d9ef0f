/**
 * The memories and spaces that a message is about. They are links in its first line, so they are stored with a draft, wait in
 * the queue, and are copied and exported with the message like all of its text. Pure.
 */
import { isId, type Id } from '../ids.ts';

/** One of them, with its title as its author saw it. */
export type ContextItem =
  | { kind: 'memory'; id: Id<'memory'>; title: string }
  | { kind: 'space'; id: Id<'space'>; title: string };

export const CONTEXT_MAX = 10;
const TITLE_MAX = 100;

/** The line with the empty one after it, for regular expressions of JavaScript and of PostgreSQL alike. */
export const CONTEXT_LINE = String.raw`^About \[[^\]\n]+\]\((?:memory|space):[a-z0-9_]+\)(?:, \[[^\]\n]+\]\((?:memory|space):[a-z0-9_]+\))*\n\n`;

const LINE = new RegExp(CONTEXT_LINE);
const LINK = /\[([^\]\n]+)\]\((memory|space):([a-z0-9_]+)\)/g;

/** Without what would end the words of a link, or escape its end. */
function linkWords(title: string): string {
  const words = title
    .replace(/[[\]\\\s]+/g, ' ')
    .trim()
    .slice(0, TITLE_MAX)
    .toWellFormed();
  return words === '' ? 'Untitled' : words;
}

export function withContext(items: readonly ContextItem[], text: string): string {
  if (items.length === 0) return text;
  const links = items.map(({ kind, id, title }) => `[${linkWords(title)}](${kind}:${id})`);
  return `About ${links.join(', ')}\n\n${text}`;
}

function itemOf(kind: string, id: string, title: string): ContextItem | undefined {
  if (kind === 'memory' && isId('memory', id)) return { kind, id, title };
  if (kind === 'space' && isId('space', id)) return { kind, id, title };
  return undefined;
}

/** The context of a message, each item once, and the text after it. */
export function readContext(content: string): { items: readonly ContextItem[]; text: string } {
  const line = LINE.exec(content)?.[0];
  if (line === undefined) return { items: [], text: content };
  const items = new Map<string, ContextItem>();
  for (const [, title = '', kind = '', id = ''] of line.matchAll(LINK)) {
    const item = itemOf(kind, id, title);
    if (item && items.size < CONTEXT_MAX) items.set(item.id, item);
  }
  return { items: [...items.values()], text: content.slice(line.length) };
}

/** The ids of a context as a message is sent with them; without those there are none of. */
export function sourcesOf(items: readonly ContextItem[]): {
  memoryIds?: Id<'memory'>[];
  spaceIds?: Id<'space'>[];
} {
  const memoryIds = items.flatMap((item) => (item.kind === 'memory' ? [item.id] : []));
  const spaceIds = items.flatMap((item) => (item.kind === 'space' ? [item.id] : []));
  return { ...(memoryIds.length > 0 && { memoryIds }), ...(spaceIds.length > 0 && { spaceIds }) };
}
