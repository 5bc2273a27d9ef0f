/**
 * Passages of a page as ranges of a document: selected, found again, marked and shown. The document may be the one of a frame
 * without scripts; of that one only the platform's interfaces are used, no property that its elements could override.
 */
import { SearchedText } from '#shared/memories/find-quote.ts';
import { QUOTE_MAX, type NotedQuote, type TextQuote } from '#shared/memories/quotes.ts';

const MARK = 'page-quote';
const SHOWN = 'page-quote-shown';
/** As in application.css in light; a saved page is drawn in light colours only. */
const FRAME_STYLES = `::highlight(${MARK}) { background-color: #fde68a; color: #1c1407 } ::highlight(${SHOWN}) { text-decoration: underline 2px }
@media (forced-colors: active) { ::highlight(${MARK}) { background-color: Mark; color: MarkText } }`;

/** No text of the page. */
const APART = 'nav[aria-label="Contents"], style, script, title, template';
const BLOCK =
  'p, li, td, th, dt, dd, h1, h2, h3, h4, h5, h6, pre, blockquote, figcaption, div, section, article, main, body';
/** Characters of text around a passage that are read; fewer are stored. */
const AROUND = 80;
/** The page is held up for no longer than this at a time. */
const SLICE_MS = 8;

/** The texts of a document in their order. */
function textsOf(root: Node): TreeWalker {
  const view = root.ownerDocument?.defaultView;
  // Called on the prototype: elements of a page can shadow properties of a document.
  return Document.prototype.createTreeWalker.call(
    view?.document ?? document,
    root,
    NodeFilter.SHOW_TEXT,
    (node) => (node.parentElement?.closest(APART) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT),
  );
}

/** A new task every few milliseconds. @throws the reason of the signal once it is aborted */
function createPauses(signal: AbortSignal): () => Promise<void> {
  let end = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < end) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal.throwIfAborted();
    end = performance.now() + SLICE_MS;
  };
}

interface TextNode {
  node: Text;
  start: number;
}

/** The node that has a character of the text, and its place in the node. */
function placeIn(nodes: readonly TextNode[], at: number): { node: Text; offset: number } | undefined {
  let [low, high] = [0, nodes.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((nodes[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const found = nodes[low];
  return found && { node: found.node, offset: at - found.start };
}

/** A quote to be found; `block` tells it from others. */
export type SoughtQuote = TextQuote & Pick<NotedQuote, 'block'>;

/** Ranges of quotes inside an element, by their blocks. @throws the reason of the signal */
export async function findPassages(
  root: HTMLElement,
  quotes: readonly SoughtQuote[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Range>> {
  const pause = createPauses(signal);
  const text = new SearchedText();
  const nodes: TextNode[] = [];
  const walker = textsOf(root);
  let length = 0;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { data } = node as Text;
    nodes.push({ node: node as Text, start: length });
    length += data.length;
    for (const _step of text.add(data)) await pause();
  }
  const found = new Map<string, Range>();
  for (const quote of quotes) {
    const passage = text.find(quote);
    const start = passage && placeIn(nodes, passage.start);
    const last = passage && placeIn(nodes, passage.end - 1);
    if (start !== undefined && last !== undefined) {
      const range = root.ownerDocument.createRange();
      range.setStart(start.node, start.offset);
      range.setEnd(last.node, last.offset + 1);
      found.set(quote.block, range);
    }
    await pause();
  }
  return found;
}

/** Named highlight of a document; undefined without the CSS Custom Highlight API. */
function highlightOf(doc: Document, name: string): Highlight | undefined {
  const view = doc.defaultView;
  if (view === null || !('highlights' in view.CSS)) return undefined;
  const known = view.CSS.highlights.get(name);
  if (known !== undefined) return known;
  const made = new view.Highlight();
  view.CSS.highlights.set(name, made);
  return made;
}

/** Marks passages until the returned function is called. Other parts of the page may mark theirs beside them. */
export function markPassages(root: HTMLElement, passages: Iterable<Range>): () => void {
  const doc = root.ownerDocument;
  const highlight = highlightOf(doc, MARK);
  const ranges = [...passages];
  for (const range of ranges) highlight?.add(range);
  return () => {
    for (const range of ranges) highlight?.delete(range);
    highlightOf(doc, SHOWN)?.clear();
  };
}

/**
 * Prepares the document of a frame: adds the styles of marks, and removes the address of each link that does not lead to the
 * web. A saved page has none of these; one that had would open in a window with our origin.
 */
export function prepareFrame({ defaultView }: Document): void {
  if (defaultView === null) return;
  for (const link of defaultView.document.querySelectorAll<HTMLAnchorElement>('a, area')) {
    if (link.getAttribute('href')?.startsWith('#') || /^(?:https?|mailto):$/.test(link.protocol)) continue;
    // The second is the one of links in drawings.
    for (const name of ['href', 'xlink:href']) link.removeAttribute(name);
  }
  const sheet = new defaultView.CSSStyleSheet();
  sheet.replaceSync(FRAME_STYLES);
  defaultView.document.adoptedStyleSheets = [sheet];
}

/** Scrolls to a passage, and moves the keyboard position to it. */
export function showPassage(range: Range): void {
  const element = range.startContainer.parentElement;
  if (element === null) return;
  for (let details = element.closest('details'); details !== null;) {
    details.open = true;
    details = details.parentElement?.closest('details') ?? null;
  }
  const shown = highlightOf(element.ownerDocument, SHOWN);
  shown?.clear();
  shown?.add(range);
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'center' });
}

/** The part of the selection below an element; undefined without one. */
export function selectedRange(root: HTMLElement): Range | undefined {
  const selection = root.ownerDocument.defaultView?.getSelection();
  if (selection == null || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0).cloneRange();
  if (!range.intersectsNode(root)) return undefined;
  const whole = range.cloneRange();
  whole.selectNodeContents(root);
  if (range.compareBoundaryPoints(Range.START_TO_START, whole) < 0)
    range.setStart(whole.startContainer, whole.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, whole) > 0)
    range.setEnd(whole.endContainer, whole.endOffset);
  return range.collapsed ? undefined : range;
}

/** The words of a range as they are shown, one paragraph a line where the selection still has them. */
function wordsOf(range: Range): string {
  const selection = range.startContainer.ownerDocument?.defaultView?.getSelection();
  const selected = selection != null && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
  const isSelected =
    selected !== undefined &&
    selected.compareBoundaryPoints(Range.START_TO_START, range) === 0 &&
    selected.compareBoundaryPoints(Range.END_TO_END, range) === 0;
  return isSelected ? String(selection) : range.toString();
}

/** A range as a quote with the text around it; `isCut` when it is longer than a quote can be. */
export function quoteOfRange(range: Range, root: HTMLElement): { quote: TextQuote; isCut: boolean } {
  const words = wordsOf(range).trim();
  const isCut = words.length > QUOTE_MAX;
  const exact = words.slice(0, QUOTE_MAX).toWellFormed();
  return {
    quote: { exact, prefix: textBefore(range, root), suffix: isCut ? '' : textAfter(range, root) },
    isCut,
  };
}

function textBefore({ startContainer, startOffset }: Range, root: HTMLElement): string {
  const walker = textsOf(root);
  const isText = startContainer instanceof CharacterData || startContainer.nodeType === Node.TEXT_NODE;
  walker.currentNode = isText ? startContainer : (startContainer.childNodes[startOffset] ?? startContainer);
  let text = isText ? (startContainer as Text).data.slice(0, startOffset) : '';
  for (let after = walker.currentNode; text.length < AROUND; after = walker.currentNode) {
    const node = walker.previousNode();
    if (node === null) break;
    text = `${(node as Text).data.slice(-AROUND)}${between(node, after)}${text}`;
  }
  return text.slice(-AROUND).toWellFormed();
}

function textAfter({ endContainer, endOffset }: Range, root: HTMLElement): string {
  const walker = textsOf(root);
  const isText = endContainer.nodeType === Node.TEXT_NODE;
  walker.currentNode = isText ? endContainer : (endContainer.childNodes[endOffset - 1] ?? endContainer);
  let text = isText ? (endContainer as Text).data.slice(endOffset) : '';
  for (let before = walker.currentNode; text.length < AROUND; before = walker.currentNode) {
    const node = walker.nextNode();
    if (node === null) break;
    text = `${text}${between(before, node)}${(node as Text).data.slice(0, AROUND)}`;
  }
  return text.slice(0, AROUND).toWellFormed();
}

/** Paragraphs are apart, parts of one are not. */
function between(before: Node, after: Node): string {
  const blocks = [before, after].map((node) => node.parentElement?.closest(BLOCK));
  return blocks[0] === blocks[1] ? '' : ' ';
}
