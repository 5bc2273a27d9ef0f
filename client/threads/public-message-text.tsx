// Draws the tree of a message. Element by element from a short list: there is no raw HTML anywhere, and a link leaves
// with the rules for foreign text.
import { createElement, Fragment, type ReactNode } from 'react';
import type { BodyNode } from '#shared/markdown/body-node.ts';
import { LINK_REL } from '#shared/markdown/safe-link.ts';

/** The page around the text owns the first two levels of headings. */
const LOWERED: Readonly<Record<string, string>> = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6' };

/** Everything else is drawn as its children. */
const ALLOWED: ReadonlySet<string> = new Set(
  'p h3 h4 h5 h6 ul ol li strong em del code blockquote hr br thead tbody tr th td sup sub'.split(' '),
);

function drawAll(nodes: readonly BodyNode[]): ReactNode[] {
  return nodes.map((node, index) => draw(node, index));
}

/** What needs more than its tag: it leads away, scrolls or is a control. */
function drawSpecial(tag: string, attributes: Record<string, string>, children: ReactNode[]): ReactNode {
  if (tag === 'a' && attributes['href'] !== undefined) {
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

function draw(node: BodyNode, key: number): ReactNode {
  if (typeof node === 'string') return node;
  const [given, attributes, ...nodes] = node;
  const tag = LOWERED[given] ?? given;
  // Space between the parts of a table would be text where none may stand.
  const isPart = /^t(?:able|head|body|r)$/.test(tag);
  const children = drawAll(isPart ? nodes.filter((child) => typeof child !== 'string') : nodes);
  const special = drawSpecial(tag, attributes, children);
  if (special !== undefined) return <Fragment key={key}>{special}</Fragment>;
  if (!ALLOWED.has(tag)) return children;
  const start = attributes['start'];
  const properties = { key, ...(tag === 'ol' && start !== undefined ? { start: Number(start) } : {}) };
  return children.length > 0 ? createElement(tag, properties, ...children) : createElement(tag, properties);
}

/** A message's text. */
export function PublicMessageText({ body }: { body: readonly BodyNode[] }) {
  return <div className="prose max-w-none text-base leading-7 wrap-anywhere">{drawAll(body)}</div>;
}
