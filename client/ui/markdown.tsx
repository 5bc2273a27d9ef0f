/**
 * Untrusted Markdown as safe elements: GitHub flavour, sanitised, no HTML, no automatic load of anything remote.
 * Heavy; reach it through lazy-markdown.tsx so that it travels only with text that needs it.
 */
import { clsx } from 'clsx';
import { ImageOff } from 'lucide-react';
import { memo, useRef, type ComponentProps, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { isRenderable, markdownBlocks } from '#client/ui/markdown-block.ts';
import { LINK_REL, safeLink } from '#client/ui/safe-link.ts';

function SafeLink({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  if (href === undefined || href === '') return <span>{children}</span>;
  if (href.startsWith('#')) return <a href={href}>{children}</a>;
  return (
    <a href={href} rel={LINK_REL} target="_blank">
      {children}
    </a>
  );
}

/** A remote picture would tell its host who reads this and when: it is a link until someone wants it. */
function RemoteImage({ src, alt }: { src?: string | undefined; alt?: string | undefined }) {
  return (
    <SafeLink href={src}>
      <span className="inline-flex items-center gap-1">
        <ImageOff aria-hidden="true" className="inline size-3.5" />
        {alt ? `Image: ${alt}` : 'Image'}
      </span>
    </SafeLink>
  );
}

function CodeBlock({ children }: { children?: ReactNode }) {
  const block = useRef<HTMLPreElement>(null);
  return (
    <div className="group/code relative my-5">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling block must be reachable by keyboard */}
      <pre ref={block} tabIndex={0} className="my-0!">
        {children}
      </pre>
      <CopyButton
        iconOnly
        label="Copy code"
        text={() => block.current?.textContent ?? ''}
        className="absolute! end-2 top-2 bg-raised opacity-0 transition-opacity group-focus-within/code:opacity-100 group-hover/code:opacity-100 pointer-coarse:opacity-100"
      />
    </div>
  );
}

/** A wide table scrolls by itself instead of the page. */
function WideTable({ children }: { children?: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <section data-scroll aria-label="Table" tabIndex={0} className="my-5 overflow-x-auto">
      <table className="my-0!">{children}</table>
    </section>
  );
}

// Headings step down by one: the page around the text owns the first level.
const COMPONENTS: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <RemoteImage src={typeof src === 'string' ? src : undefined} alt={alt} />,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => <WideTable>{children}</WideTable>,
  h1: 'h2',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  h5: 'h6',
  input: ({ checked }: ComponentProps<'input'>) => (
    <input
      type="checkbox"
      checked={checked ?? false}
      readOnly
      disabled
      aria-label={checked ? 'Done' : 'To do'}
    />
  ),
};

const Block = memo(function Block({ source }: { source: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={[rehypeSanitize]}
      components={COMPONENTS}
      urlTransform={(address) => safeLink(address) ?? ''}
      skipHtml
    >
      {source}
    </ReactMarkdown>
  );
});

/** `growing` renders block by block while a text is still being written. */
export function Markdown({
  source,
  growing = false,
  className,
}: {
  source: string;
  growing?: boolean;
  className?: string;
}) {
  if (!isRenderable(source)) return <pre className="text-sm whitespace-pre-wrap">{source}</pre>;
  const blocks = growing ? markdownBlocks(source) : [source];
  return (
    <div className={clsx('prose prose-sm max-w-none', className)}>
      {blocks.map((block, index) => (
        <Block key={index} source={block} />
      ))}
    </div>
  );
}
