// Turns Markdown into the small tree that the browser renders. Build time only: parser, highlighter and all of
// unified stay out of every bundle. Raw HTML in Markdown is dropped.
import type { Element, ElementContent, Root, RootContent } from 'hast';
import { rehypePrettyCode } from 'rehype-pretty-code';
import rehypeSlug from 'rehype-slug';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { createCssVariablesTheme } from 'shiki';
import { unified } from 'unified';
import type { BodyNode } from '#shared/markdown/body-node.ts';
import type { Heading } from '#shared/site/content.ts';

/** Tokens get colour variables, which become class names below: one rule set serves both colour modes. */
const variables = createCssVariablesTheme({ name: 'loci', variablePrefix: '--tk-' });
const theme = { ...variables, settings: variables.settings ?? variables.tokenColors ?? [] };

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(rehypeSlug)
  .use(rehypePrettyCode, { theme, keepBackground: false, bypassInlineCode: true });

export interface RenderedMarkdown {
  body: BodyNode[];
  headings: Heading[];
  /** Plain text cut at the headings, for the search index. */
  sections: { id: string; title: string; text: string }[];
  words: number;
}

/** Renders one document; its blocks of code are searched with the rest by default. */
export async function renderMarkdown(
  source: string,
  { isCodeSearched = true }: { isCodeSearched?: boolean } = {},
): Promise<RenderedMarkdown> {
  const tree: Root = await processor.run(processor.parse(source));
  const sections = sectionsOf(tree, isCodeSearched);
  return {
    body: tree.children.flatMap((node) => compact(node)),
    headings: headingsOf(tree),
    sections,
    words: sections.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0),
  };
}

type Node = RootContent | ElementContent;

/** White space is insignificant between blocks, but significant inside code. */
function compact(node: Node, inCode = false): BodyNode[] {
  if (node.type === 'text') return node.value === '\n' && !inCode ? [] : [node.value];
  if (node.type !== 'element') return [];
  const { tagName, properties } = node;
  const children = node.children.flatMap((child) => compact(child, inCode || tagName === 'pre'));
  const token = tokenClass(node);
  // Lines and tokens in the default colour are plain text; the page needs nothing from the figure around code.
  const isBareSpan = tagName === 'span' && (token === '' || 'data-line' in properties);
  if (isBareSpan || 'data-rehype-pretty-code-figure' in properties) return joinText(children);
  return [[tagName, attributesOf(node, token), ...joinText(children)]];
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

/** `--tk-token-string` → `tk-string`; '' for the default colour; undefined where no token is. */
function tokenClass({ properties }: Element): string | undefined {
  const style = properties['style'];
  if (typeof style !== 'string') return undefined;
  const name = /--tk-token-([a-z-]+)/.exec(style)?.[1];
  return name ? `tk-${name}` : '';
}

const KEPT: Record<string, string> = {
  id: 'id',
  href: 'href',
  src: 'src',
  alt: 'alt',
  title: 'title',
  type: 'type',
  checked: 'checked',
  disabled: 'disabled',
  start: 'start',
};

function attributesOf(node: Element, token: string | undefined): Record<string, string> {
  const attributes: Record<string, string> = token ? { class: token } : {};
  const language = node.properties['data-language'];
  if (node.tagName === 'pre' && language !== undefined) attributes['data-language'] = String(language);
  for (const [property, name] of Object.entries(KEPT)) {
    const value = node.properties[property];
    if (value !== undefined && value !== null && value !== false) attributes[name] = String(value);
  }
  return attributes;
}

function textOf(node: Node): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? node.children.map(textOf).join('') : '';
}

function headingsOf(tree: Root): Heading[] {
  return tree.children.flatMap((node): Heading[] => {
    if (node.type !== 'element' || (node.tagName !== 'h2' && node.tagName !== 'h3')) return [];
    return [{ id: String(node.properties['id']), text: textOf(node), depth: node.tagName === 'h2' ? 2 : 3 }];
  });
}

function isCode(node: Node): boolean {
  return node.type === 'element' && 'data-rehype-pretty-code-figure' in node.properties;
}

function sectionsOf(tree: Root, isCodeSearched: boolean): RenderedMarkdown['sections'] {
  const sections = [{ id: '', title: '', text: '' }];
  for (const node of tree.children) {
    if (!isCodeSearched && isCode(node)) continue;
    if (node.type === 'element' && (node.tagName === 'h2' || node.tagName === 'h3')) {
      sections.push({ id: String(node.properties['id']), title: textOf(node), text: '' });
    } else {
      const current = sections.at(-1);
      if (current) current.text = `${current.text} ${textOf(node)}`.replace(/\s+/g, ' ').trim();
    }
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
