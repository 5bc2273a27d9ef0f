// Turns the Markdown of our own pages into the small tree that the browser renders, with the parser for texts of people. Build
// time only: parser and highlighter stay out of every bundle. Raw HTML in Markdown is dropped.
import type { BodyNode } from '#shared/markdown/body-node.ts';
import { highlightCode } from '#shared/markdown/highlight-code.ts';
import { parseMarkdown } from '#shared/markdown/parse-markdown.ts';
import type { Heading } from '#shared/site/content.ts';

export interface RenderedMarkdown {
  body: BodyNode[];
  headings: Heading[];
  /** Plain text cut at the headings, for the search index. */
  sections: { id: string; title: string; text: string }[];
  words: number;
}

/** Renders one document; its blocks of code are searched with the rest by default. @throws Error for one that is too large */
export function renderMarkdown(
  source: string,
  { isCodeSearched = true }: { isCodeSearched?: boolean } = {},
): RenderedMarkdown {
  const tree = parseMarkdown(source, (address) => address);
  if (tree === null) throw new Error('A document is too large');
  const body = drawAll(tree, new Map());
  const sections = sectionsOf(body, isCodeSearched);
  return {
    body,
    headings: body.flatMap(headingOf),
    sections,
    words: sections.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0),
  };
}

/** How often each slug was given to a heading before. */
type Slugs = Map<string, number>;

function drawAll(nodes: readonly BodyNode[], slugs: Slugs): BodyNode[] {
  return joinText(nodes.map((node) => (typeof node === 'string' ? node : draw(node, slugs))));
}

function draw([tag, attributes, ...nodes]: Exclude<BodyNode, string>, slugs: Slugs): BodyNode {
  if (tag === 'pre') {
    const [code] = nodes;
    if (typeof code !== 'object') throw new Error('A block of a document is too large');
    const [, { language }, source = ''] = code;
    const named: Record<string, string> = language === undefined ? {} : { 'data-language': language };
    return [tag, named, ['code', {}, ...coloured(textOf(source), language ?? '')]];
  }
  const children = drawAll(nodes, slugs);
  if (!/^h[1-6]$/.test(tag)) return [tag, attributes, ...children];
  const slug = slugOf(nodes.map(textOf).join(''));
  const before = slugs.get(slug) ?? 0;
  slugs.set(slug, before + 1);
  return [tag, { id: before === 0 ? slug : `${slug}-${before}` }, ...children];
}

/** The id of a heading, as GitHub makes it. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** Code as it is coloured in notes. */
function coloured(source: string, language: string): BodyNode[] {
  const [code] = highlightCode([['code', { language }, source.trimEnd()]]);
  const [, , ...pieces] = typeof code === 'object' ? code : ['', {}];
  return pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    const [tag, { colour = '' }, ...words] = piece;
    return [tag, { class: `tk-${colour}` }, ...words];
  });
}

function joinText(nodes: BodyNode[]): BodyNode[] {
  const joined: BodyNode[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (typeof node === 'string' && typeof last === 'string') joined[joined.length - 1] = last + node;
    else joined.push(node);
  }
  return joined;
}

const INLINE = new Set('a code del em img input span strong sub sup'.split(' '));

/** Words of different blocks are apart. */
function textOf(node: BodyNode): string {
  if (typeof node === 'string') return node;
  const [tag, , ...children] = node;
  const text = children.map(textOf).join('');
  return INLINE.has(tag) ? text : ` ${text} `;
}

function headingOf(node: BodyNode): Heading[] {
  if (typeof node === 'string' || (node[0] !== 'h2' && node[0] !== 'h3')) return [];
  return [{ id: node[1]['id'] ?? '', text: textOf(node).trim(), depth: node[0] === 'h2' ? 2 : 3 }];
}

function sectionsOf(body: BodyNode[], isCodeSearched: boolean): RenderedMarkdown['sections'] {
  const sections = [{ id: '', title: '', text: '' }];
  for (const node of body) {
    if (!isCodeSearched && node[0] === 'pre') continue;
    const [heading] = headingOf(node);
    const current = sections.at(-1);
    if (heading) sections.push({ id: heading.id, title: heading.text, text: '' });
    else if (current) current.text = `${current.text} ${textOf(node)}`.replace(/\s+/g, ' ').trim();
  }
  return sections;
}

const VOID = new Set(['br', 'hr', 'img', 'input']);

/** The tree as HTML, for feed readers. */
export function toHtml(nodes: BodyNode[]): string {
  const escape = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  return nodes
    .map((node) => {
      if (typeof node === 'string') return escape(node);
      const [tag, attributes, ...children] = node;
      const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escape(value)}"`);
      return VOID.has(tag)
        ? `<${tag}${written.join('')}>`
        : `<${tag}${written.join('')}>${toHtml(children)}</${tag}>`;
    })
    .join('');
}
