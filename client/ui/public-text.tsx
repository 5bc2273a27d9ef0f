// Draws the tree of a text of people on a public page. Element by element from a short list: there is no raw HTML anywhere,
// and a link leaves with the rules for foreign text.
import { createElement, Fragment, type ReactNode } from 'react';
import type { BodyNode } from '#shared/markdown/body-node.ts';
import { memoryOfAddress } from '#shared/markdown/file-links.ts';
import { LINK_REL } from '#shared/markdown/safe-link.ts';

/** The level of a heading, undefined for other elements. */
function levelOf(tag: string): number | undefined {
  const level = /^h([1-6])$/.exec(tag)?.[1];
  return level === undefined ? undefined : Number(level);
}

/** The level of the highest heading in a text; 1 without one. */
function highestLevel(nodes: readonly BodyNode[]): number {
  const levels = nodes.flatMap((node) => (typeof node === 'string' ? [] : (levelOf(node[0]) ?? [])));
  return levels.length > 0 ? Math.min(...levels) : 1;
}

function lowered(tag: string, by: number): string {
  const level = levelOf(tag);
  return level === undefined ? tag : `h${Math.max(2, Math.min(6, level + by))}`;
}

/** Everything else is drawn as its children. */
const ALLOWED: ReadonlySet<string> = new Set(
  'p h2 h3 h4 h5 h6 ul ol li strong em del code blockquote hr br thead tbody tr th td sup sub'.split(' '),
);

function drawAll(nodes: readonly BodyNode[], lower: number): ReactNode[] {
  return nodes.map((node, index) => draw(node, index, lower));
}

/** Elements that need more than their tag: links, images, wide blocks and controls. */
function drawSpecial(tag: string, attributes: Record<string, string>, children: ReactNode[]): ReactNode {
  if (tag === 'a' && attributes['href'] !== undefined) {
    // Another memory is not part of the page.
    if (memoryOfAddress(attributes['href']) !== undefined) return <span>{children}</span>;
    return (
      <a href={attributes['href']} rel={LINK_REL}>
        {children}
      </a>
    );
  }
  if (tag === 'img') {
    // A remote image would reveal the reader to its host, so it is shown as a link with its alternative text.
    const words = `Image: ${attributes['alt'] ?? 'without words'}`;
    return attributes['src'] === undefined ? words : drawSpecial('a', { href: attributes['src'] }, [words]);
  }
  if (tag === 'span') return <span className={`tk-${attributes['colour'] ?? ''}`}>{children}</span>;
  if (tag === 'p' && 'plain' in attributes) return <p className="whitespace-pre-wrap">{children}</p>;
  if (tag === 'pre') {
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling block must be reachable by keyboard
    return <pre tabIndex={0}>{children}</pre>;
  }
  if (tag === 'table') {
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
      <section data-scroll aria-label="Table" tabIndex={0} className="overflow-x-auto">
        <table>{children}</table>
      </section>
    );
  }
  if (tag !== 'input') return undefined;
  const isDone = 'checked' in attributes;
  return <input type="checkbox" checked={isDone} readOnly disabled aria-label={isDone ? 'Done' : 'To do'} />;
}

function draw(node: BodyNode, key: number, lower: number): ReactNode {
  if (typeof node === 'string') return node;
  const [given, attributes, ...nodes] = node;
  const tag = lowered(given, lower);
  // White space between the parts of a table would be text where none is allowed.
  const isPart = /^t(?:able|head|body|r)$/.test(tag);
  const children = drawAll(isPart ? nodes.filter((child) => typeof child !== 'string') : nodes, lower);
  const special = drawSpecial(tag, attributes, children);
  if (special !== undefined) return <Fragment key={key}>{special}</Fragment>;
  if (!ALLOWED.has(tag)) return children;
  const start = attributes['start'];
  const properties = { key, ...(tag === 'ol' && start !== undefined ? { start: Number(start) } : {}) };
  return children.length > 0 ? createElement(tag, properties, ...children) : createElement(tag, properties);
}

interface PublicTextProps {
  body: readonly BodyNode[];
  /** Level of the heading above the text; its own highest heading becomes the next one. */
  below: 1 | 2;
}

/** The text with its formatting. */
export function PublicText({ body, below }: PublicTextProps) {
  const lower = below + 1 - highestLevel(body);
  return <div className="prose reading wrap-anywhere">{drawAll(body, lower)}</div>;
}
