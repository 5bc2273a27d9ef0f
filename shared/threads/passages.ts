/**
 * Splits a Markdown text into passages that can be quoted: along its headings, paragraphs, lists, tables and code.
 * Pure. Hostile text can be slow to parse, so callers parse people's texts in a separate thread.
 */
import { createParser } from '../markdown/parser.ts';

/** A piece of a text, short enough to be quoted whole. */
export interface Passage {
  /** Plain text: one line, or the lines of a block of code. */
  text: string;
  /** The headings above it, outermost first. */
  heading: string;
  isCode: boolean;
}

/** Characters of a passage: short paragraphs are joined up to `target`, long ones are cut at sentences before `max`. */
const LENGTH = { target: 280, max: 480 } as const;
/** No person writes a note with more passages than this; the rest is ignored. */
const PASSAGES_MAX = 4_000;
const CODE_LINES_MAX = 24;
/** A block that ends so needs no mark between it and the next one; an item of a list does. */
const ENDS = /[.!?:;,…]["'”’»)]*$/;

type Tokens = ReturnType<ReturnType<typeof createParser>['parse']>;

const parser = createParser();
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

export function passagesOf(markdown: string): Passage[] {
  const passages: Passage[] = [];
  const headings: { level: number; text: string }[] = [];
  let open = '';
  const heading = () => headings.map(({ text }) => text).join(' › ');
  const flush = () => {
    if (open !== '') passages.push({ text: open, heading: heading(), isCode: false });
    open = '';
  };
  for (const block of blocksOf(parser.parse(markdown, {}))) {
    if (passages.length >= PASSAGES_MAX) break;
    if (block.level !== undefined) {
      flush();
      while ((headings.at(-1)?.level ?? 0) >= block.level) headings.pop();
      headings.push({ level: block.level, text: block.text.slice(0, LENGTH.max) });
    } else if (block.isCode) {
      flush();
      passages.push({ text: clip(block.text), heading: heading(), isCode: true });
    } else {
      let between = ENDS.test(open) ? ' ' : ' · ';
      for (const piece of piecesOf(block.text)) {
        if (open !== '' && open.length + between.length + piece.length > LENGTH.max) flush();
        open = open === '' ? piece : open + between + piece;
        between = ' ';
        if (open.length >= LENGTH.target) flush();
      }
    }
  }
  flush();
  return passages;
}

interface Block {
  text: string;
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
      yield { text: `${(cells ?? []).filter((cell) => cell !== '').join(' · ')}.` };
      cells = undefined;
    } else if (token.type === 'fence' || token.type === 'code_block') {
      const text = token.content.trimEnd();
      if (text.trim() !== '') yield { text, isCode: true };
    } else if (token.type === 'inline') {
      const text = wordsOf(token.children ?? []);
      if (cells !== undefined) cells.push(text);
      else if (text !== '') yield level === undefined ? { text } : { text, level };
    }
  }
}

/** Visible text of a line: without markup, images and HTML. */
function wordsOf(children: Tokens): string {
  const pieces = children.map(({ type, content }) => {
    if (type === 'text' || type === 'code_inline' || type === 'text_special') return content;
    return type === 'softbreak' || type === 'hardbreak' ? ' ' : '';
  });
  return pieces.join('').replace(/\s+/g, ' ').trim();
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

function clip(code: string): string {
  const lines = code.split('\n').slice(0, CODE_LINES_MAX).join('\n').slice(0, LENGTH.max);
  return isLowSurrogate(code, lines.length) ? lines.slice(0, -1) : lines;
}

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
