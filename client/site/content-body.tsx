// Renders the small tree that the build made of Markdown. Element by element: there is no raw HTML anywhere.
// Code blocks get a copy button, tables scroll on their own.
import { createElement, type ReactNode } from 'react';
import type { BodyNode } from '#shared/markdown/body-node.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { CodeSamples } from '#client/site/code-samples.tsx';

/** Everything that content may contain; an element outside the list is rendered as its children. */
const ALLOWED = new Set(
  (
    'p h2 h3 h4 h5 h6 ul ol li a strong em del code pre span blockquote hr br table thead tbody tr th td ' +
    'img input sup sub kbd section'
  ).split(' '),
);

function childrenOf(node: Exclude<BodyNode, string>): BodyNode[] {
  const [, , ...children] = node;
  return children;
}

function renderAll(nodes: BodyNode[]): ReactNode[] {
  return nodes.map((node, index) => renderNode(node, index));
}

function renderNode(node: BodyNode, key: number): ReactNode {
  if (typeof node === 'string') return node;
  const [tag, attributes] = node;
  const nodes = childrenOf(node);
  const children = renderAll(nodes);
  const { class: className, ...rest } = attributes;
  if (tag === 'a') return renderLink(attributes, children, key);
  if (tag === 'pre') {
    return (
      <CodeBlock key={key} language={attributes['data-language']}>
        {children}
      </CodeBlock>
    );
  }
  if (tag === 'samples') {
    return (
      <CodeSamples
        key={key}
        name={attributes['name'] ?? ''}
        call={attributes['call'] ?? ''}
        isSendable={'sendable' in attributes}
      >
        {children}
      </CodeSamples>
    );
  }
  if (tag === 'table') {
    return (
      // Wide tables scroll on their own; the keyboard must reach what scrolls.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      <div key={key} className="overflow-x-auto" data-scroll tabIndex={0}>
        <table>{children}</table>
      </div>
    );
  }
  if ((tag === 'h2' || tag === 'h3') && attributes['id'])
    return renderHeading({ tag, id: attributes['id'], children, key });
  if (tag === 'input')
    return <input key={key} type="checkbox" readOnly checked={'checked' in attributes} aria-label="Done" />;
  if (!ALLOWED.has(tag)) return children;
  const properties = {
    ...rest,
    key,
    ...(className ? { className } : {}),
    ...(tag === 'img' ? { loading: 'lazy' } : {}),
  };
  return children.length > 0 ? createElement(tag, properties, ...children) : createElement(tag, properties);
}

function renderLink(
  { href = '', title }: Record<string, string>,
  children: ReactNode[],
  key: number,
): ReactNode {
  const isOurs = /^(?:\/(?!\/)|#)/.test(href);
  return (
    <a key={key} href={href} title={title} {...(isOurs ? {} : { rel: 'noopener noreferrer' })}>
      {children}
    </a>
  );
}

interface HeadingParts {
  tag: 'h2' | 'h3';
  id: string;
  children: ReactNode[];
  key: number;
}

function renderHeading({ tag: Tag, id, children, key }: HeadingParts): ReactNode {
  return (
    <Tag key={key} id={id} className="group/heading scroll-mt-24">
      <a href={`#${id}`} className="heading-anchor">
        {children}
      </a>
    </Tag>
  );
}

/** A document's text. */
export function ContentBody({ body }: { body: BodyNode[] }) {
  return <div className="prose max-w-none text-base">{renderAll(body)}</div>;
}

interface CodeBlockProps {
  language: string | undefined;
  children: ReactNode;
}

/** The button is answered by copy-code.ts; without script the code is simply text. */
function CodeBlock({ language, children }: CodeBlockProps) {
  return (
    <div className="group/code relative">
      {/* Long lines scroll; the keyboard must reach what scrolls. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre data-language={language} tabIndex={0}>
        {children}
      </pre>
      <button
        type="button"
        data-action="copy"
        aria-label="Copy code"
        className="group absolute end-2 top-2 inline-flex size-8 items-center justify-center rounded-control border border-line bg-raised text-ink-muted opacity-0 transition-opacity duration-fast group-hover/code:opacity-100 hover:text-ink focus-visible:opacity-100 pointer-coarse:size-11 pointer-coarse:opacity-100"
      >
        <SiteIcon name="check" className="hidden size-4 text-primary group-data-copied:block" />
        <SiteIcon name="copy" className="size-4 group-data-copied:hidden" />
      </button>
    </div>
  );
}
