/**
 * Passages of a page in the notes of its memory. A quote is a block quote of Markdown, as the browser extension and the imports
 * write it; one that was highlighted here also has the words of its reader and a line that names its place:
 *
 *     > The passage, word for word.
 *
 *     Words of its reader
 *
 *     — [example.com](https://example.com/page#:~:text=before-,The%20passage,word.,-after)
 *
 * The place is a text directive (https://wicg.github.io/scroll-to-text-fragment/), which has the parts of a TextQuoteSelector
 * of the Web Annotation Data Model: the passage with the text before and after it. A browser opens the page at it.
 */
import { LIMITS } from '../constants.ts';
import { AppError } from '../errors.ts';
import { escapeText, unescapeText } from '../markdown/escape-text.ts';
import { domainOf } from './memory-text.ts';

/** The longest quote in characters, so that it fits into the notes with their other text. */
export const QUOTE_MAX = 20_000;
/** More quotes of one page are no longer listed. */
export const QUOTES_MAX = 500;
/** Of the text around a passage, in characters. */
const CONTEXT_MAX = 32;
/** A passage up to this long is in its directive as a whole, a longer one as its beginning and its end. */
const WHOLE_MAX = 100;
const EDGE_MAX = 40;

/** A passage as it is found again: TextQuoteSelector of https://www.w3.org/TR/annotation-model/. */
export interface TextQuote {
  exact: string;
  /** Text before it; empty when unknown. */
  prefix: string;
  suffix: string;
}

export interface NotedQuote extends TextQuote {
  /** Its Markdown in the notes, with words and place. */
  block: string;
  /** The block quote alone. */
  quoted: string;
  /** Markdown; empty without any. */
  words: string;
  /** For example a page number, from an import; null for a directive and without one. */
  place: string | null;
}

/** Lines of Markdown as a block quote; empty for a text without words. */
export function blockQuote(markdown: string): string {
  const text = markdown.trim().replace(/\r\n?/g, '\n');
  return text === '' ? '' : text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

/** Markdown block quote of a selection, cut at QUOTE_MAX; empty for a selection without words. */
export function quoteOfSelection(selection: string): string {
  const text = selection.replaceAll('\0', '').slice(0, QUOTE_MAX).toWellFormed();
  return blockQuote(escapeText(text)).replaceAll(/(?:\n>)+\n/g, '\n>\n');
}

/** Markdown of a passage of the page at `url` that was highlighted. */
export function highlightBlock(quote: TextQuote, url: string): string {
  return `${quoteOfSelection(quote.exact)}\n\n${directive(quote, url)}`;
}

/** Markdown of a quote in notes with other words of its reader, who may write Markdown. */
export function blockWithWords(quote: NotedQuote, url: string, words: string): string {
  const said = words.trim().replace(BLOCK_START, String.raw`\$&`);
  const place = quote.place === null ? directive(quote, url) : `— ${quote.place}`;
  return [quote.quoted, said, place].filter((part) => part !== '').join('\n\n');
}

function directive(quote: TextQuote, url: string): string {
  return `— [${escapeText(domainOf(url) ?? url)}](${directiveAddress(quote, url)})`;
}

/** Would end the words when the notes are read. */
const BLOCK_START = /^(?= {0,3}(?:>|#|`{3}|~{3}|[-*_]{3,}\s*$))/gm;

/** Separators of a directive, and what would end the link around it. */
const encoded = (text: string): string => encodeURIComponent(text).replace(/[-()!'*]/g, percentEncoded);

function percentEncoded(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function directiveAddress({ exact, prefix, suffix }: TextQuote, url: string): string {
  const line = oneLine(exact);
  const ends = line.length <= WHOLE_MAX ? [line] : [firstWords(line, EDGE_MAX), lastWords(line, EDGE_MAX)];
  const before = lastWords(oneLine(prefix), CONTEXT_MAX);
  const after = firstWords(oneLine(suffix), CONTEXT_MAX);
  const parts = [
    ...(before === '' ? [] : [`${encoded(before)}-`]),
    ...ends.map(encoded),
    ...(after === '' ? [] : [`-${encoded(after)}`]),
  ];
  const [address = '', ...fragment] = url.replace(/[()\s<>]/g, percentEncoded).split('#');
  const [plain = ''] = fragment.join('#').split(':~:');
  return `${address}#${plain}:~:text=${parts.join(',')}`;
}

const oneLine = (text: string): string => text.toWellFormed().replace(/\s+/g, ' ').trim();

/** Whole words of the beginning where there is a space to end at. */
function firstWords(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length + 1);
  const end = cut.lastIndexOf(' ');
  return cut.slice(0, end > 0 ? end : length).toWellFormed();
}

function lastWords(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(-length - 1);
  const begin = cut.indexOf(' ');
  return cut.slice(begin >= 0 && begin < length ? begin + 1 : 1).toWellFormed();
}

const PLACE = /^—\s+(\S.*)$/;
const DIRECTIVE = /^\[[^\]]*\]\(\S*?:~:text=(\S*)\)$/;

/** Before and after the passage, from the words of a place; undefined for a place of another kind. */
function contextIn(place: string): Pick<TextQuote, 'prefix' | 'suffix'> | undefined {
  const parts = DIRECTIVE.exec(place)?.[1]?.split(',');
  if (parts === undefined) return undefined;
  try {
    const [first = ''] = parts;
    const last = parts.at(-1) ?? '';
    return {
      prefix: first.endsWith('-') ? decodeURIComponent(first.slice(0, -1)) : '',
      suffix: last.startsWith('-') ? decodeURIComponent(last.slice(1)) : '',
    };
  } catch {
    // Changed by hand; the passage is searched without its surrounding text.
    return { prefix: '', suffix: '' };
  }
}

const QUOTED = /^ {0,3}>/;
const FENCE = /^ {0,3}(```+|~~~+)/;
/** Ends what belongs to a quote. */
const STOP = /^ {0,3}(?:#{1,6}\s|```|~~~|(?:[-*_]\s*){3,}$)/;

/** The quotes in notes, in their order; at most QUOTES_MAX. */
export function quotesIn(notes: string): NotedQuote[] {
  const lines = notes.split('\n');
  const found: NotedQuote[] = [];
  let fence: string | undefined;
  for (let at = 0; at < lines.length && found.length < QUOTES_MAX; at += 1) {
    const line = lines[at] ?? '';
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    if (fence !== undefined || !QUOTED.test(line)) continue;
    const end = endOfQuote(lines, at);
    const tail = tailOf(lines, end);
    const exact = unescapeText(
      lines
        .slice(at, end)
        .map((each) => each.replace(/^ {0,3}> ?/, ''))
        .join('\n'),
    ).trim();
    const last = tail?.end ?? end;
    if (exact !== '')
      found.push({
        exact,
        ...(tail?.context ?? { prefix: '', suffix: '' }),
        words: tail?.words ?? '',
        place: tail?.place ?? null,
        block: lines.slice(at, last).join('\n'),
        quoted: lines.slice(at, end).join('\n'),
      });
    at = last - 1;
  }
  return found;
}

/** A line without a mark continues the paragraph of the quote, as Markdown reads it. */
function endOfQuote(lines: readonly string[], begin: number): number {
  let end = begin;
  while (end < lines.length && (lines[end] ?? '').trim() !== '') end += 1;
  return end;
}

interface Tail {
  /** The line after the place. */
  end: number;
  words: string;
  place: string | null;
  context: Pick<TextQuote, 'prefix' | 'suffix'>;
}

/** Lines after a quote up to its place. Without a place, it is unknown whether they belong to the quote. */
function tailOf(lines: readonly string[], begin: number): Tail | undefined {
  let tail: Tail | undefined;
  for (let at = begin; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (QUOTED.test(line) || STOP.test(line)) break;
    const place = PLACE.exec(line.trim())?.[1];
    if (place === undefined) continue;
    const context = contextIn(place);
    // Words may have a line that looks like a place; a directive is one for certain.
    if (context === undefined && tail !== undefined) continue;
    tail = {
      end: at + 1,
      words: lines.slice(begin, at).join('\n').trim(),
      place: context === undefined ? place : null,
      context: context ?? { prefix: '', suffix: '' },
    };
    if (context !== undefined) break;
  }
  return tail;
}

/** A change of one block of notes: null means no block, before or after it. */
export interface BlockEdit {
  from: string | null;
  to: string | null;
}

/**
 * Notes in which one block was added, replaced or removed. An existing block is not added again, and a missing one is not
 * removed; its replacement is added at the end.
 * @throws invalid when the notes would be too long
 */
export function editBlock(notes: string, { from, to }: BlockEdit): string {
  const at = from === null ? -1 : blockAt(notes, from);
  let next = notes;
  if (from !== null && at >= 0) {
    const before = notes.slice(0, at);
    const after = notes.slice(at + from.length);
    next = to === null ? joined(before, after) : `${before}${to}${after}`;
  } else if (to !== null && blockAt(notes, to) < 0) next = joined(notes, to);
  if (next.length > LIMITS.notes)
    throw new AppError('invalid', 'There is no room for this passage in the notes of this memory');
  return next;
}

function joined(before: string, after: string): string {
  return [before.trimEnd(), after.trimStart()].filter((part) => part !== '').join('\n\n');
}

/** Index of a block on its own, not as part of other lines. */
function blockAt(notes: string, block: string): number {
  if (block === '') return -1;
  for (let at = notes.indexOf(block); at >= 0; at = notes.indexOf(block, at + 1)) {
    const end = at + block.length;
    const isBegun = at === 0 || notes[at - 1] === '\n';
    const isEnded = end === notes.length || notes[end] === '\n';
    if (isBegun && isEnded) return at;
  }
  return -1;
}
