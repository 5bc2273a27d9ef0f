/**
 * Untrusted Markdown as safe elements: GitHub flavour, sanitised, no HTML, no automatic load of anything remote.
 * Longer texts are parsed in a worker and drawn in pieces, so that no text can stop the page.
 * Heavy; reach it through lazy-markdown.tsx so that it travels only with text that needs it.
 */
import { clsx } from 'clsx';
import { ImageOff } from 'lucide-react';
import {
  createElement,
  Fragment,
  memo,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import type { BodyNode } from '#shared/markdown/body-node.ts';
import { countElements } from '#shared/markdown/count-elements.ts';
import { memoryOfAddress } from '#shared/markdown/file-links.ts';
import { parseMarkdown } from '#shared/markdown/parse-markdown.ts';
import { hasCode, isParsedAtOnce } from '#shared/markdown/parsed-at-once.ts';
import { LINK_REL } from '#shared/markdown/safe-link.ts';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { cutText, PART_LETTERS } from '#client/ui/cut-text.ts';
import { markdownQueue } from '#client/ui/markdown-queue.ts';
import {
  TextMemories,
  TextPictures,
  TextReferences,
  TextSources,
  type TextMemory,
} from '#client/ui/text-references.ts';
import { splitReferences } from '#shared/markdown/references.ts';
import { PlainText } from '#client/ui/plain-text.tsx';
import { useGrowing } from '#client/ui/use-growing.ts';

function SafeLink({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  if (href === undefined || href === '') return <span>{children}</span>;
  if (href.startsWith('#')) return <a href={href}>{children}</a>;
  return (
    <a href={href} rel={LINK_REL} target="_blank">
      {children}
    </a>
  );
}

interface ReferredMemoryProps extends TextMemory {
  children?: ReactNode;
}

/** Another memory, on pages that know memories; words elsewhere. */
function ReferredMemory({ id, isShown, words, children = words }: ReferredMemoryProps) {
  const drawMemory = use(TextMemories);
  return drawMemory === undefined ? <span>{children}</span> : drawMemory({ id, isShown, words }, children);
}

/** A remote image would reveal to its host who reads this and when, so it is a link until the reader opens it. */
function TextImage({ src = '', alt = '' }: { src?: string | undefined; alt?: string | undefined }) {
  const picture = use(TextPictures).get(src);
  if (picture !== undefined) {
    const { source, width, height } = picture;
    return (
      <img
        src={source}
        alt={alt}
        width={width}
        height={height}
        decoding="async"
        className="my-0! inline-block h-auto max-h-[70dvh] max-w-full rounded-control object-contain object-left"
      />
    );
  }
  return (
    <SafeLink href={src}>
      <span className="inline-flex items-center gap-1">
        <ImageOff aria-hidden="true" className="inline size-3.5" />
        {alt === '' ? 'Image' : `Image: ${alt}`}
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

/** Headings step down by one: the page around the text owns the first level. */
const LOWERED: Readonly<Record<string, string>> = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' };

/** Elements that need more than their tag; undefined for all others. */
function drawSpecial(tag: string, attributes: Record<string, string>, children: ReactNode[]): ReactNode {
  const memory = memoryOfAddress(attributes['href'] ?? attributes['src']);
  if (memory !== undefined) {
    return (
      <ReferredMemory id={memory} isShown={tag === 'img'} words={attributes['alt'] ?? ''}>
        {tag === 'a' ? children : undefined}
      </ReferredMemory>
    );
  }
  if (tag === 'a') return <SafeLink href={attributes['href']}>{children}</SafeLink>;
  if (tag === 'img') return <TextImage src={attributes['src']} alt={attributes['alt']} />;
  if (tag === 'pre') return <CodeBlock>{children}</CodeBlock>;
  if (tag === 'table') return <WideTable>{children}</WideTable>;
  if (tag !== 'input') return undefined;
  const isDone = 'checked' in attributes;
  return <input type="checkbox" checked={isDone} readOnly disabled aria-label={isDone ? 'Done' : 'To do'} />;
}

type BodyElement = Exclude<BodyNode, string>;

function drawElement([tag, attributes]: BodyElement, children: ReactNode[], key: number): ReactNode {
  const special = drawSpecial(tag, attributes, children);
  if (special !== undefined) return <Fragment key={key}>{special}</Fragment>;
  const { start, align, colour } = attributes;
  const properties = {
    key,
    ...(start === undefined ? {} : { start: Number(start) }),
    ...(align === undefined ? {} : { style: { textAlign: align } }),
    ...(colour === undefined ? {} : { className: `tk-${colour}` }),
  };
  return createElement(LOWERED[tag] ?? tag, properties, ...children);
}

/** A text that may have references or numbers of sources in it. */
const REFERRING = /\[(?:\[|\d)/;
const SOURCE_MARKS = /(\[\d{1,3}\])/;

function SourcedText({ text }: { text: string }) {
  const drawSource = use(TextSources);
  if (drawSource === undefined) return text;
  return text
    .split(SOURCE_MARKS)
    .map((part, index) => (
      <Fragment key={index}>{index % 2 === 1 ? drawSource(Number(part.slice(1, -1)), part) : part}</Fragment>
    ));
}

/** References and the text between them, each as it is written. */
function partsOf(text: string) {
  let end = 0;
  return splitReferences(text).map((part) => {
    const start = end;
    end = typeof part === 'string' ? start + part.length : text.indexOf(']]', start) + 2;
    return { part, written: text.slice(start, end) };
  });
}

function ReferringText({ text }: { text: string }) {
  const drawReference = use(TextReferences);
  if (drawReference === undefined) return <SourcedText text={text} />;
  return partsOf(text).map(({ part, written }, index) => (
    <Fragment key={index}>
      {typeof part === 'string' ? <SourcedText text={part} /> : drawReference(part, written)}
    </Fragment>
  ));
}

/** Inside these, brackets are code or the words of another link. */
const WITHOUT_REFERENCES: ReadonlySet<string> = new Set(['a', 'code', 'pre']);

function drawPlain(node: BodyNode, key: number): ReactNode {
  if (typeof node === 'string') return node;
  const [, , ...nodes] = node;
  return drawElement(node, nodes.map(drawPlain), key);
}

function draw(node: BodyNode, key: number): ReactNode {
  if (typeof node === 'string') return REFERRING.test(node) ? <ReferringText key={key} text={node} /> : node;
  const [tag, , ...nodes] = node;
  return drawElement(node, nodes.map(WITHOUT_REFERENCES.has(tag) ? drawPlain : draw), key);
}

interface NodesProps {
  nodes: readonly BodyNode[];
}

const Nodes = memo(function Nodes({ nodes }: NodesProps) {
  return nodes.map(draw);
});

const PlainNodes = memo(function PlainNodes({ nodes }: NodesProps) {
  return nodes.map(drawPlain);
});

const INLINE: ReadonlySet<string> = new Set('a br code del em img input strong sup'.split(' '));

const isInline = (node: BodyNode): boolean => typeof node === 'string' || INLINE.has(node[0]);
const hasSpaceAt = (edge: RegExp, node: BodyNode = ''): boolean =>
  typeof node === 'string' && edge.test(node);

/**
 * Part of a long paragraph, laid out by itself, so that the next word begins a line. What is copied stays the same; for
 * that, a space at its edges stands outside.
 */
const Passage = memo(function Passage({ nodes }: NodesProps) {
  return (
    <>
      {hasSpaceAt(/^\s/, nodes[0]) && ' '}
      <span className="inline-block">{nodes.map(draw)}</span>
      {hasSpaceAt(/\s$/, nodes.at(-1)) && ' '}
    </>
  );
});

/** About this many elements are drawn at once; a text of PART_LETTERS takes as long as all of them. */
const PIECE_ELEMENTS = 300;
/** What comes with an element: the button of a block of code, and the marker of an item, which is a box of its own. */
const EXTRA_ELEMENTS: Readonly<Record<string, number>> = { pre: 22, li: 1 };

/** In elements. */
function weightOf(node: BodyNode): number {
  if (typeof node === 'string') return (node.length / PART_LETTERS) * PIECE_ELEMENTS;
  const [tag, , ...children] = node;
  const own = 1 + (EXTRA_ELEMENTS[tag] ?? 0);
  // The lines of code cannot be laid out apart, however long they are.
  if (tag === 'pre') return own + countElements(children);
  return children.reduce((sum, child) => sum + weightOf(child), own);
}

/** Unit that is drawn in one task: some blocks, or one that is too large for a task and is split itself. */
interface Piece {
  nodes: BodyNode[];
  large?: BodyElement;
}

/** Nodes in pieces that a page draws without a noticeable pause. */
function piecesOf(nodes: readonly BodyNode[]): Piece[] {
  const pieces: Piece[] = [];
  let left = 0;
  for (const node of nodes.flatMap((each): BodyNode[] =>
    typeof each === 'string' ? cutText(each) : [each],
  )) {
    const weight = weightOf(node);
    if (typeof node !== 'string' && weight > PIECE_ELEMENTS) {
      pieces.push({ nodes: [], large: node });
      left = 0;
      continue;
    }
    const last = pieces.at(-1);
    if (last === undefined || last.large || weight > left) {
      pieces.push({ nodes: [node] });
      left = PIECE_ELEMENTS - weight;
    } else {
      last.nodes.push(node);
      left -= weight;
    }
  }
  return pieces;
}

/** The first piece at once, each further one in a task of its own. */
function Pieces({ nodes, as: Part = Nodes }: NodesProps & { as?: ComponentType<NodesProps> }) {
  const pieces = useMemo(() => piecesOf(nodes), [nodes]);
  const shown = useGrowing(pieces.length);
  return pieces
    .slice(0, shown)
    .map((piece, index) =>
      piece.large ? <LargeBlock key={index} node={piece.large} /> : <Part key={index} nodes={piece.nodes} />,
    );
}

function partOf(tag: string, nodes: readonly BodyNode[]): ComponentType<NodesProps> {
  if (WITHOUT_REFERENCES.has(tag)) return PlainNodes;
  return nodes.every(isInline) ? Passage : Nodes;
}

/** A long list, table or paragraph: one element whose content comes piece by piece. */
const LargeBlock = memo(function LargeBlock({ node }: { node: BodyElement }) {
  const nodes = useMemo(() => {
    const [, , ...inside] = node;
    return inside;
  }, [node]);
  return drawElement(node, [<Pieces key={0} nodes={nodes} as={partOf(node[0], nodes)} />], 0);
});

/** A worker that was too busy for a text is sent it again after this, so often. */
const RETRY_AFTER_MS = 5_000;
const RETRIES = 3;

/** Code is coloured once its text has stood for so long: while an answer is written, it would flicker. */
const COLOURS_AFTER_MS = 100;

/** Null for a text that is to be shown as it is; undefined while it is parsed. */
type Tree = BodyNode[] | null | undefined;

function useTree(source: string): Tree {
  const atOnce = useMemo(() => (isParsedAtOnce(source) ? parseMarkdown(source) : undefined), [source]);
  const [later, setLater] = useState<{ source: string; tree: Tree }>();
  useEffect(() => {
    if (isParsedAtOnce(source) && !hasCode(source)) return undefined;
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async (retries: number): Promise<void> => {
      const [tree] = await markdownQueue.trees([source]);
      if (!isCurrent) return;
      setLater({ source, tree });
      if (tree === undefined && retries > 0) timer = setTimeout(() => void load(retries - 1), RETRY_AFTER_MS);
    };
    if (isParsedAtOnce(source)) timer = setTimeout(() => void load(RETRIES), COLOURS_AFTER_MS);
    else void load(RETRIES);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [source]);
  return later?.source === source && later.tree !== undefined ? later.tree : atOnce;
}

/** One text as formatted elements, or as it is where it cannot be formatted. */
export function Markdown({ source, className }: { source: string; className?: string }) {
  const tree = useTree(source);
  if (!tree) return <PlainText source={source} />;
  return (
    <div className={clsx('prose reading', className)}>
      <Pieces key={source} nodes={tree} />
    </div>
  );
}
