/**
 * Markdown of people as the small tree that pages draw element by element (SECURITY 3.11 X1 to X3): sanitised, links of
 * known kinds only, no pictures from elsewhere, no HTML. It runs where the page is rendered, so that visitors load no parser.
 */
import type { ElementContent, Root, RootContent } from 'hast';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import type { BodyNode } from '#shared/site/content.ts';
import { isRenderable } from '#client/ui/markdown-block.ts';
import { safeLink } from '#client/ui/safe-link.ts';

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(rehypeSanitize, defaultSchema);

/** The page around the text owns the first two levels of headings. */
const LOWERED: Readonly<Record<string, string>> = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
};

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function attributesOf(tag: string, properties: Record<string, unknown>): Record<string, string> {
  if (tag === 'a') {
    const link = safeLink(textOf(properties['href']));
    return link === undefined ? {} : { href: link };
  }
  if (tag === 'ol' && properties['start'] !== undefined) return { start: textOf(properties['start']) };
  if (tag === 'input' && properties['checked'] === true) return { checked: '' };
  return {};
}

/** A remote picture would tell its host who reads this: it is a link with its words. */
function picture(properties: Record<string, unknown>): BodyNode {
  const link = safeLink(textOf(properties['src']));
  const words = `Image: ${textOf(properties['alt']) || 'without words'}`;
  return link === undefined ? words : ['a', { href: link }, words];
}

function compact(node: RootContent | ElementContent): BodyNode[] {
  if (node.type === 'text') return [node.value];
  if (node.type !== 'element') return [];
  const { tagName, properties } = node;
  if (tagName === 'img') return [picture(properties)];
  return [
    [LOWERED[tagName] ?? tagName, attributesOf(tagName, properties), ...node.children.flatMap(compact)],
  ];
}

/** The text as a tree; text too long or too deep to parse stays one paragraph as it is. */
export function messageTree(source: string): BodyNode[] {
  if (!isRenderable(source)) return [['p', {}, source]];
  const tree: Root = processor.runSync(processor.parse(source));
  return tree.children.flatMap(compact).filter((node) => node !== '\n');
}
