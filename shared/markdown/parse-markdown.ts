/**
 * Untrusted Markdown as a small tree: parsed, sanitised, with links of known kinds only, and bounded in depth and size.
 * Both sides draw this tree element by element; nothing here becomes HTML text.
 */
import type { Element, ElementContent, Root } from 'hast';
import { defaultSchema, sanitize, type Schema } from 'hast-util-sanitize';
import type { BodyNode } from './body-node.ts';
import { memoryOfAddress } from './file-links.ts';
import { MARKDOWN } from './limits.ts';
import { createParser } from './parser.ts';
import { safeLink } from './safe-link.ts';

/** Besides the usual kinds of addresses, those of memories. */
const SCHEMA: Schema = {
  ...defaultSchema,
  protocols: {
    ...defaultSchema.protocols,
    href: [...(defaultSchema.protocols?.['href'] ?? []), 'memory'],
    src: [...(defaultSchema.protocols?.['src'] ?? []), 'memory'],
  },
};

const parser = createParser();
type Token = ReturnType<typeof parser.parse>[number];

/** Tree under construction: the path from the root to the open element. */
interface Building {
  lines: readonly string[];
  open: [Root, ...Element[]];
  /** First and last line of the block that is open at the top. */
  range: [number, number];
  elements: number;
  blockElements: number;
}

/** Thrown for a text past a limit, which is then shown as it is. */
class TooComplex extends Error {}

function element(
  tagName: string,
  properties: Element['properties'],
  children: ElementContent[] = [],
): Element {
  return { type: 'element', tagName, properties, children };
}

const text = (value: string): ElementContent => ({ type: 'text', value });

function append(building: Building, node: Element): void {
  building.elements += 1;
  building.blockElements += 1;
  if (building.elements > MARKDOWN.maxElements) throw new TooComplex();
  building.open.at(-1)?.children.push(node);
}

function openElement(building: Building, token: Token): void {
  if (building.open.length > MARKDOWN.maxDepth) throw new TooComplex();
  if (building.open.length === 1) {
    building.blockElements = 0;
    building.range = token.map ?? [0, 0];
  }
  const node = element(tagOf(token), propertiesOf(token));
  append(building, node);
  building.open.push(node);
}

function closeElement(building: Building): void {
  if (building.open.length === 1) return;
  building.open.pop();
  if (building.open.length > 1 || building.blockElements <= MARKDOWN.maxBlockElements) return;
  const source = building.lines.slice(...building.range).join('\n');
  building.open[0].children.splice(-1, 1, element('pre', {}, [text(source)]));
}

function tagOf({ type, tag }: Token): string {
  if (type === 'footnote_block_open') return 'ol';
  if (type === 'footnote_open') return 'li';
  return tag === 's' ? 'del' : tag;
}

function attribute(token: Token, name: string): string | undefined {
  const value = token.attrGet(name);
  return value === null ? undefined : String(value);
}

function propertiesOf(token: Token): Element['properties'] {
  if (token.type === 'link_open') return { href: attribute(token, 'href') ?? '' };
  const start = token.type === 'ordered_list_open' ? attribute(token, 'start') : undefined;
  if (start !== undefined) return { start: Number(start) };
  const align = /text-align:(left|center|right)/.exec(attribute(token, 'style') ?? '')?.[1];
  return align === undefined ? {} : { align };
}

const TASK = /^\[([ xX])\] /;

/** `[ ]` and `[x]` at the start of a list item are boxes, as GitHub draws them. */
function addTask(building: Building, token: Token): void {
  const first = token.children?.[0];
  const mark = first?.type === 'text' ? TASK.exec(first.content) : null;
  const parent = building.open.at(-1);
  const isItem = building.open.slice(-2).some((node) => node.type === 'element' && node.tagName === 'li');
  if (!first || !mark || !isItem || parent === undefined || parent.children.length > 0) return;
  first.content = first.content.slice(mark[0].length);
  append(building, element('input', { type: 'checkbox', disabled: true, checked: mark[1] !== ' ' }));
  parent.children.push(text(' '));
}

/** The one tag that is drawn, because cells of tables have no other way to break a line; other raw HTML is left out. */
const LINE_BREAK = /^<br ?\/?>$/i;

function addLeaf(building: Building, token: Token): void {
  const { type, content } = token;
  const parent = building.open.at(-1);
  if (type === 'text' || type === 'text_special') {
    if (content !== '') parent?.children.push(text(content));
  } else if (type === 'softbreak') parent?.children.push(text('\n'));
  else if (type === 'hardbreak' || (type === 'html_inline' && LINE_BREAK.test(content)))
    append(building, element('br', {}));
  else if (type === 'hr') append(building, element('hr', {}));
  else if (type === 'code_inline') append(building, element('code', {}, [text(content)]));
  else if (type === 'fence' || type === 'code_block') {
    const [language = ''] = token.info
      .trim()
      .toLowerCase()
      .split(/[\s{,]/, 1);
    const className = language === '' ? {} : { className: [`language-${language}`] };
    append(building, element('pre', {}, [element('code', className, [text(content)])]));
  } else if (type === 'image')
    append(building, element('img', { src: attribute(token, 'src') ?? '', alt: content }));
  else if (type === 'footnote_ref') {
    append(building, element('sup', {}, [text(`[${Number(token.meta?.['id'] ?? 0) + 1}]`)]));
  }
}

function add(building: Building, tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type === 'inline') {
      addTask(building, token);
      add(building, token.children ?? []);
    } else if (token.hidden) continue;
    else if (token.nesting === 1) openElement(building, token);
    else if (token.nesting === -1) closeElement(building);
    else addLeaf(building, token);
  }
}

function treeOf(source: string): Root {
  const root: Root = { type: 'root', children: [] };
  const building: Building = {
    lines: source.split(/\r\n?|\n/),
    open: [root],
    range: [0, 0],
    elements: 0,
    blockElements: 0,
  };
  add(building, parser.parse(source, {}));
  return root;
}

/** The address of a link or picture as it is drawn; undefined for one that must not be followed. */
type LinkOf = (address: string) => string | undefined;

const linkOfPeople: LinkOf = (address) =>
  memoryOfAddress(address) === undefined ? safeLink(address) : address;

function attributesOf({ tagName, properties }: Element, linkOf: LinkOf): Record<string, string> {
  const attributes: Record<string, string> = {};
  const address = tagName === 'img' ? properties['src'] : properties['href'];
  const link = typeof address === 'string' ? linkOf(address) : undefined;
  if (link !== undefined) attributes[tagName === 'img' ? 'src' : 'href'] = link;
  for (const name of ['alt', 'start', 'align']) {
    const value = properties[name];
    if (value !== undefined && value !== '') attributes[name] = String(value);
  }
  if (properties['checked'] === true) attributes['checked'] = '';
  const [language] = [properties['className'] ?? []].flat();
  if (tagName === 'code' && language !== undefined)
    attributes['language'] = language.slice('language-'.length);
  return attributes;
}

function compact(node: Root['children'][number], linkOf: LinkOf): BodyNode[] {
  if (node.type === 'text') return [node.value];
  if (node.type !== 'element') return [];
  return [
    [node.tagName, attributesOf(node, linkOf), ...node.children.flatMap((child) => compact(child, linkOf))],
  ];
}

/** The text as a tree; null when it is too long, too deep or too much to draw and is to be shown as it is. */
export function parseMarkdown(source: string, linkOf = linkOfPeople): BodyNode[] | null {
  if (source.length > MARKDOWN.maxSource) return null;
  try {
    const tree = sanitize(treeOf(source), SCHEMA);
    return tree.type === 'root' ? tree.children.flatMap((node) => compact(node, linkOf)) : null;
  } catch (error) {
    if (error instanceof TooComplex || error instanceof RangeError) return null;
    throw error;
  }
}
