// Card of a memory in the grid: its picture, site, code, list or first words, and its height at a given width.
// Computed once per row, without measuring: rows never change in place.
import type { MemoryHead } from '#shared/memories/memory.ts';
import { domainOf, memoryExcerpt, memoryTitle } from '#shared/memories/memory-text.ts';
import { plainLine } from '#shared/memories/plain-line.ts';
import { textWidth, wrappedLines } from '#client/memories/text-width.ts';

/** One line of a list; `done` only for a task. */
export interface ListLine {
  text: string;
  done: boolean | undefined;
}

export type CardFace =
  | {
      kind: 'picture';
      source: string;
      width: number;
      height: number;
      /** The first page of a document; only its top is shown. */
      isPage: boolean;
    }
  | { kind: 'code'; lead: string; code: readonly string[] }
  | { kind: 'list'; lead: string; lines: readonly ListLine[] }
  | { kind: 'text'; text: string };

/** Where the head of a card names the memory's source: its site or its file. */
export function sourceName(row: MemoryHead): string | undefined {
  const { site } = row.metadata;
  if (typeof site === 'string' && site !== '') return site;
  return domainOf(row.url) ?? (row.type === 'file' ? (row.filename ?? undefined) : undefined);
}

/** Number of characters of a note that its face uses. */
const READ_CHARACTERS = 1_500;
/** A block of code further down does not make a note one about code. */
const LINES_BEFORE_CODE = 8;
const CODE_LINES = 7;
const LIST_LINES = 7;
const LIST_LEAST = 3;

const FENCE = /^\s{0,3}(?:```|~~~)/;
const HEADING = /^\s*#{1,6}\s/;
const ITEM = /^\s{0,8}(?:[-*+]|\d{1,9}[.)])\s+(\[[ xX]\]\s+)?(.*)$/;

function bodyLines(row: MemoryHead): readonly string[] {
  const lines = (row.notes ?? row.beginning ?? '').slice(0, READ_CHARACTERS).split('\n');
  const title = memoryTitle(row);
  const first = lines.findIndex((line) => line.trim() !== '');
  // The first line often repeats the title.
  return first >= 0 && plainLine(lines[first] ?? '') === title ? lines.slice(first + 1) : lines;
}

/** Text before a part, as one paragraph. */
function leadOf(lines: readonly string[]): string {
  return plainLine(
    lines
      .map((line) => (HEADING.test(line) ? plainLine(line) : line.trim()))
      .filter(Boolean)
      .join(' '),
  );
}

function codeFace(lines: readonly string[]): CardFace | undefined {
  const start = lines.findIndex((line) => FENCE.test(line));
  const before = lines.slice(0, Math.max(0, start)).filter((line) => line.trim() !== '');
  if (start < 0 || before.length > LINES_BEFORE_CODE) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => FENCE.test(line));
  const block = (end < 0 ? rest : rest.slice(0, end)).filter(
    (line, index, all) => line.trim() !== '' || (index > 0 && index < all.length - 1),
  );
  if (block.length === 0) return undefined;
  return {
    kind: 'code',
    lead: leadOf(before),
    code: block.slice(0, CODE_LINES).map((line) => line.slice(0, 120)),
  };
}

function listFace(lines: readonly string[]): CardFace | undefined {
  const filled = lines.filter((line) => line.trim() !== '');
  const start = filled.findIndex((line) => ITEM.test(line));
  if (start < 0 || start > 2) return undefined;
  const items = filled.slice(start).flatMap((line): ListLine[] => {
    const [, task, words] = ITEM.exec(line) ?? [];
    if (words === undefined) return [];
    const text = plainLine(words);
    return text === '' ? [] : [{ text, done: task === undefined ? undefined : /x/i.test(task) }];
  });
  if (items.length < LIST_LEAST || items.length * 2 < filled.length) return undefined;
  return { kind: 'list', lead: leadOf(filled.slice(0, start)), lines: items.slice(0, LIST_LINES) };
}

/** The small picture of a file or page that is part of its memory; undefined without one, and for one from elsewhere. */
export function smallPicture({ type, metadata: { thumbnail } }: MemoryHead): string | undefined {
  const isPicture = typeof thumbnail === 'string' && thumbnail.startsWith('data:image/webp;base64,');
  return type !== 'note' && isPicture ? thumbnail : undefined;
}

function pictureFace(row: MemoryHead): CardFace | undefined {
  const { width, height, pages } = row.metadata;
  const source = smallPicture(row);
  if (source === undefined || typeof width !== 'number' || typeof height !== 'number') return undefined;
  const isPage = typeof pages === 'number';
  return width > 0 && height > 0 ? { kind: 'picture', source, width, height, isPage } : undefined;
}

function read(row: MemoryHead): CardFace {
  const picture = pictureFace(row);
  if (picture) return picture;
  if (row.type === 'note' && !row.description && !row.summary) {
    const lines = bodyLines(row);
    const found = codeFace(lines) ?? listFace(lines);
    if (found) return found;
  }
  return { kind: 'text', text: memoryExcerpt(row) };
}

interface Sized {
  face: CardFace;
  titleWidth: number;
  /** Widths of the paragraphs of its text. */
  widths: readonly number[];
}

const known = new WeakMap<MemoryHead, Sized>();

function sizedFace(row: MemoryHead): Sized {
  const before = known.get(row);
  if (before) return before;
  const face = read(row);
  const texts = face.kind === 'text' ? face.text.split('\n') : face.kind === 'picture' ? [] : [face.lead];
  const sized = {
    face,
    titleWidth: textWidth(memoryTitle(row), TITLE_PX),
    widths: texts.filter((text) => text !== '').map((text) => textWidth(text, TEXT_PX)),
  };
  known.set(row, sized);
  return sized;
}

export function cardFace(row: MemoryHead): CardFace {
  return sizedFace(row).face;
}

/** Whether the face of a row was computed already, so that its height is available at once. */
export function hasCardFace(row: MemoryHead): boolean {
  return known.has(row);
}

const TITLE_PX = 14;
const TEXT_PX = 12;
const PADDING = 14;
const BORDER = 1;
const GAP = 8;
const HEAD = 24;
const TITLE_LINE = 20;
const TEXT_LINE = 20;
const FOOT = 16;
const CODE = { line: 22, padding: 10 } as const;
const LIST_LINE = 20;
const TEXT_LINES = 9;
const LEAD_LINES = 3;
const PICTURE = { least: 96, most: 420, mostOfPage: 200 } as const;

/** Heights and lines of the parts of a card; a part without lines is not drawn. */
export interface CardSize {
  titleLines: number;
  textLines: number;
  /** Height of the picture, the code or the list; 0 without. */
  part: number;
  height: number;
}

function partHeight(face: CardFace, width: number): number {
  if (face.kind === 'picture') {
    const natural = Math.round(((width - 2 * BORDER) * face.height) / face.width);
    return Math.max(PICTURE.least, Math.min(face.isPage ? PICTURE.mostOfPage : PICTURE.most, natural));
  }
  if (face.kind === 'code') return face.code.length * CODE.line + 2 * CODE.padding;
  return face.kind === 'list' ? face.lines.length * LIST_LINE : 0;
}

export function cardSize(row: MemoryHead, width: number): CardSize {
  const { face, titleWidth, widths } = sizedFace(row);
  const inner = width - 2 * (PADDING + BORDER);
  const titleLines = wrappedLines([titleWidth], inner, 2);
  const textLines = wrappedLines(widths, inner, face.kind === 'text' ? TEXT_LINES : LEAD_LINES);
  const part = partHeight(face, width);
  const parts = [
    // A picture reaches to the edges, above the padding.
    HEAD,
    titleLines * TITLE_LINE,
    textLines * TEXT_LINE,
    face.kind === 'picture' ? 0 : part,
    FOOT,
  ].filter((height) => height > 0);
  const inside = parts.reduce((sum, height) => sum + height, 0) + GAP * (parts.length - 1);
  const height = inside + 2 * (PADDING + BORDER) + (face.kind === 'picture' ? part : 0);
  return { titleLines, textLines, part, height };
}
