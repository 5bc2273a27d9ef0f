// Converts a note in HTML to Markdown. Every word is preserved: it is a note, not a page with navigation.
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { LIMITS } from '#shared/constants.ts';
import { UnreadableFile } from '../unreadable-file.ts';
import { addTables, isNamed, type MarkupNode } from './html-table.ts';

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  hr: '---',
});
turndown.remove(['script', 'style', 'head']);
turndown.addRule('todo', {
  filter: (node) => isNamed(node, 'INPUT'),
  replacement: (_, node) =>
    (node as unknown as MarkupNode).getAttribute('checked') === null ? '- [ ] ' : '- [x] ',
});
turndown.addRule('secret', {
  filter: (node) => isNamed(node, 'EN-CRYPT'),
  replacement: () => '*encrypted*',
});
turndown.addRule('media', {
  filter: (node) => isNamed(node, 'IMG') && (node as unknown as MarkupNode).getAttribute(WRITTEN) !== null,
  replacement: (_, node) => (node as unknown as MarkupNode).getAttribute(WRITTEN) ?? '',
});
addTables(turndown);

/** The prologue and the document type, which may define entities: neither is part of the text. */
const PROLOGUE = /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!DOCTYPE[^>[]*(?:\[[\s\S]*?\])?\s*>)?/i;
/** Boxes of a task, as the element that HTML has for them. */
const TODO = /<en-todo\b([^<>]*?)\/?>/gi;
const CHECKED = /\bchecked\s*=\s*["']?true/i;
const MEDIA = /<en-media\b[^<>]*?\/?>/gi;
const HASH = /\bhash\s*=\s*["']?([\da-f]{32})\b/i;
/** Where the Markdown of an attachment waits, so that it is not escaped as words would be. */
const WRITTEN = 'data-markdown';
/** How Evernote marks code: a division with one division for each line. */
const CODE_BLOCK = 'div[style*="en-codeblock:true"]';
const DEPTH_MAX = 500;
const SIZE_MAX = 20 * LIMITS.notes;

/**
 * @param media the Markdown for an attachment of Evernote, by the MD5 of its bytes
 * @throws UnreadableFile for a text that is too large or nested too deeply
 */
export function markdownOf(html: string, media: (hash: string) => string = () => ''): string {
  if (html.length > SIZE_MAX) throw new UnreadableFile('Its text is too large');
  const body = html
    .replace(PROLOGUE, '')
    .replace(MEDIA, (tag) => mediaElement(media(HASH.exec(tag)?.[1]?.toLowerCase() ?? '')))
    .replace(
      TODO,
      (_, attributes: string) => `<input type="checkbox"${CHECKED.test(attributes) ? ' checked' : ''}>`,
    );
  const { document } = parseHTML(`<!doctype html><html><body>${body}</body></html>`);
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- Necessary where the types of the DOM are known, as in the tests.
  if (depthOf(document.body as unknown as MarkupNode) > DEPTH_MAX)
    throw new UnreadableFile('Its text is nested too deeply');
  for (const block of document.querySelectorAll(CODE_BLOCK)) {
    const lines = [...block.childNodes].map(({ textContent }) => textContent ?? '');
    const code = document.createElement('code');
    code.textContent = lines.join('\n').replaceAll('\u00a0', ' ');
    const pre = document.createElement('pre');
    pre.append(code);
    block.replaceWith(pre);
  }
  return turndown.turndown(document.body).trim();
}

function mediaElement(markdown: string): string {
  if (markdown === '') return '';
  const value = markdown.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<img ${WRITTEN}="${value}">`;
}

function depthOf(root: MarkupNode): number {
  let deepest = 0;
  const open = [{ node: root, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    deepest = Math.max(deepest, next.depth);
    for (const child of next.node.childNodes) open.push({ node: child, depth: next.depth + 1 });
  }
  return deepest;
}
