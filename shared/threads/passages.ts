/**
 * Splits a Markdown text into passages that can be quoted: along its headings and dates, paragraphs, lists, tables and code, and
 * the turns of those who talk.
 * Pure. Hostile text can be slow to parse, so callers parse people's texts in a separate thread.
 */
import { createParser } from '../markdown/parser.ts';
import { isDateLine, speakersIn, turnsIn } from './turns.ts';

/** A piece of a text, short enough to be quoted whole. */
export interface Passage {
  /** Plain text: one line, or the lines of a block of code. */
  text: string;
  /** The headings above it, outermost first, and who speaks where the passage begins in the middle of a turn. */
  heading: string;
  isCode: boolean;
  /** What stands between it and the passage before, where it goes on from there without a heading or code between them. */
  joint?: string;
}

/** Characters of a passage: short paragraphs are joined up to `target`, long ones are cut at sentences before `max`. */
const LENGTH = { target: 280, max: 480 } as const;
/** No person writes a note with more passages than this; the rest is ignored. */
const PASSAGES_MAX = 4_000;
const CODE_LINES_MAX = 24;
/** A line that is only a date is a heading below all others. */
const DATE_LEVEL = 7;
/** A block that ends so needs no mark between it and the next one; an item of a list does. */
const ENDS = /[.!?:;,…]["'”’»)]*$/;

type Tokens = ReturnType<ReturnType<typeof createParser>['parse']>;

const parser = createParser();
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

export function passagesOf(markdown: string): Passage[] {
  const passages: Passage[] = [];
  const headings: { level: number; text: string }[] = [];
  let open = '';
  let speaker = '';
  let joint: string | undefined;
  /** What the next piece follows; nothing below a heading or code. */
  let before = '';
  const heading = (by = '') => [...headings.map(({ text }) => text), ...(by === '' ? [] : [by])].join(' › ');
  const flush = () => {
    if (open !== '')
      passages.push({
        text: open,
        heading: heading(speaker),
        isCode: false,
        ...(joint !== undefined && { joint }),
      });
    open = '';
  };
  const blocks = [...blocksOf(parser.parse(markdown, {}))];
  const speakers = speakersIn(blocks.flatMap(({ lines }) => lines));
  for (const { lines, level, isCode } of blocks) {
    if (passages.length >= PASSAGES_MAX) break;
    if (level !== undefined) {
      flush();
      before = '';
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
      headings.push({ level, text: lines.join(' ').slice(0, LENGTH.max) });
    } else if (isCode) {
      flush();
      before = '';
      passages.push({ text: clip(lines), heading: heading(), isCode: true });
    } else {
      for (const { text, by } of turnsIn(lines, speakers)) {
        let between = ENDS.test(before) ? ' ' : ' · ';
        let isBegun = false;
        // A turn that does not fit begins a passage, so that its speaker stands in it.
        if (by !== '' && open !== '' && open.length + text.length > LENGTH.max) flush();
        for (const piece of piecesOf(text)) {
          if (open !== '' && open.length + between.length + piece.length > LENGTH.max) flush();
          if (open === '') {
            speaker = isBegun ? by : '';
            joint = before === '' ? undefined : between;
            open = piece;
          } else open += between + piece;
          before = piece;
          between = ' ';
          isBegun = true;
          if (open.length >= LENGTH.target) flush();
        }
      }
    }
  }
  flush();
  return passages;
}

interface Block {
  lines: readonly string[];
  /** Of a heading: 1 to 6. */
  level?: number;
  isCode?: true;
}

function* blocksOf(tokens: Tokens): Generator<Block> {
  let level: number | undefined;
  let cells: string[] | undefined;
  for (const token of tokens) {
    if (token.type === 'heading_open') level = Number(token.tag.slice(1));
    else if (token.type === 'heading_close') level = undefined;
    else if (token.type === 'tr_open') cells = [];
    else if (token.type === 'tr_close') {
      yield { lines: [`${(cells ?? []).filter((cell) => cell !== '').join(' · ')}.`] };
      cells = undefined;
    } else if (token.type === 'fence' || token.type === 'code_block') {
      const text = token.content.trimEnd();
      if (text.trim() !== '') yield { lines: text.split('\n'), isCode: true };
    } else if (token.type === 'inline') {
      const lines = linesOf(token.children ?? []);
      const [line] = lines;
      if (cells !== undefined) cells.push(lines.join(' '));
      else if (level !== undefined && line !== undefined) yield { lines, level };
      else if (line !== undefined)
        yield lines.length === 1 && isDateLine(line) ? { lines, level: DATE_LEVEL } : { lines };
    }
  }
}

/** Visible text of a paragraph line by line: without markup, images, HTML and empty lines. */
function linesOf(children: Tokens): string[] {
  const pieces = children.map(({ type, content }) => {
    if (type === 'text' || type === 'code_inline' || type === 'text_special') return content;
    return type === 'softbreak' || type === 'hardbreak' ? '\n' : '';
  });
  const lines = pieces.join('').split('\n');
  return lines.map((line) => line.replace(/\s+/g, ' ').trim()).filter((line) => line !== '');
}

/** A paragraph in pieces of at most the greatest length, whole sentences where they fit. */
function* piecesOf(paragraph: string): Generator<string> {
  if (paragraph.length <= LENGTH.max) {
    yield paragraph;
    return;
  }
  for (const { segment } of sentences.segment(paragraph)) {
    const sentence = segment.trim();
    for (let at = 0; at < sentence.length;) {
      const piece = sentence.slice(at, endOfPiece(sentence, at));
      yield piece.trim();
      at += piece.length;
    }
  }
}

function endOfPiece(text: string, start: number): number {
  if (text.length - start <= LENGTH.max) return text.length;
  const space = text.lastIndexOf(' ', start + LENGTH.max);
  const end = space > start ? space : start + LENGTH.max;
  return isLowSurrogate(text, end) ? end - 1 : end;
}

function clip(lines: readonly string[]): string {
  const code = lines.slice(0, CODE_LINES_MAX).join('\n');
  const clipped = code.slice(0, LENGTH.max);
  return isLowSurrogate(code, clipped.length) ? clipped.slice(0, -1) : clipped;
}

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
