/**
 * Title and excerpt of a memory, derived from whichever of its fields are filled. Pure functions, independent of how
 * they are shown.
 */
import type { MemoryHead } from './memory.ts';

type TextFields = Pick<
  MemoryHead,
  'title' | 'description' | 'summary' | 'notes' | 'beginning' | 'url' | 'filename'
> &
  Partial<Pick<MemoryHead, 'metadata'>>;

const TITLE_LENGTH = 120;
const EXCERPT_LENGTH = 480;

/** Removes the most common Markdown marks from a line, so that a preview reads as text. */
export function plainLine(line: string): string {
  const cells = /^\s*\|(.+)\|\s*$/.exec(line)?.[1];
  if (cells !== undefined) return cells.split('|').map(plainLine).filter(Boolean).join(' · ');
  return (
    line
      .replace(/^\s*(?:#{1,6}|>+|[-*+]|\d+[.)])\s+/, '')
      .replace(/^\s*\[[ xX]\]\s+/, '')
      // Without brackets inside, so that a run of opening ones is not read again from each of them.
      .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
      .replace(/\[\[(?:[^[\]|]*\|)?([^[\]]+)\]\]/g, '$1')
      .replace(/(\*\*|__|~~|`)(.+?)\1/g, '$2')
      .replace(/(?<![\w*])\*(?![\s*])([^*]+)(?<!\s)\*(?![\w*])/g, '$1')
      .replace(/(?<!\w)_(?!\s)([^_]+)(?<!\s)_(?!\w)/g, '$1')
      .trim()
  );
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}

const FENCE_OR_RULE = /^\s*(?:```|~~~|---+|===+|\|?[\s:|-]+\|)\s*\w*$/;
/** The pattern above may read a line as often as it has characters; longer lines are text. */
const RULE_MAX = 500;

const isFenceOrRule = (line: string): boolean => line.length <= RULE_MAX && FENCE_OR_RULE.test(line);
const TABLE_RULE = /^\s*\|[\s:|-]*-[\s:|-]*\|\s*$/;
const TABLE_ROW = /^\s*\|.+\|\s*$/;

/** Names of columns are not useful without their rows: left out where rows follow. */
function isTableHead(lines: readonly string[], index: number): boolean {
  return (
    TABLE_ROW.test(lines[index] ?? '') &&
    (lines[index + 1] ?? '').length <= RULE_MAX &&
    TABLE_RULE.test(lines[index + 1] ?? '') &&
    TABLE_ROW.test(lines[index + 2] ?? '')
  );
}

const FENCE = /^\s*(?:```|~~~)/;
/** A line that begins a new block: an item, a heading, a quotation, a table, a picture. */
const BEGINS = /^\s*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|>|\||!\[|\s{4})/;
/** A heading, a table row or a hard line break, which the next line does not continue. */
const ENDS = /^\s*(?:#{1,6}\s|\|)|(?: {2}|\\)$/;

/** Lines as they are read: a paragraph that its writer broke into several is one again; code keeps its lines. */
function joinedLines(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let isCode = false;
  let isOpen = false;
  for (const line of lines) {
    const last = joined.length - 1;
    if (FENCE.test(line)) {
      isCode = !isCode;
      isOpen = false;
      joined.push(line);
    } else if (isCode || line.trim() === '' || isFenceOrRule(line)) {
      isOpen = false;
      joined.push(line);
    } else if (isOpen && !BEGINS.test(line)) {
      joined[last] = `${(joined[last] ?? '').trimEnd()} ${line.trim()}`;
      isOpen = !ENDS.test(line);
    } else {
      joined.push(line);
      isOpen = !ENDS.test(line);
    }
  }
  return joined;
}

function beginningOf(notes: string): string[] {
  return notes.slice(0, 4 * EXCERPT_LENGTH).split('\n');
}

const isProse = (line: string, index: number, lines: readonly string[]): boolean =>
  !isFenceOrRule(line) && !isTableHead(lines, index) && plainLine(line) !== '';

function proseLines(lines: readonly string[]): string[] {
  return joinedLines(lines).filter(isProse).map(plainLine);
}

/** Notes without the marks of Markdown, line by line, for showing where words were found in them. */
export function plainNotes(notes: string): string {
  return notes
    .split('\n')
    .filter((line) => !isFenceOrRule(line))
    .map(plainLine)
    .filter((line) => line !== '')
    .join('\n');
}

/** Host of an address without `www.`, or undefined when it is none. */
export function domainOf(url: string | null): string | undefined {
  if (url === null) return undefined;
  return URL.parse(url)?.host.replace(/^www\./, '') || undefined;
}

/** The address as people write it: without scheme and closing slash. */
export function shortAddress(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  return cut(`${parsed.host.replace(/^www\./, '')}${parsed.pathname.replace(/\/$/, '')}`, TITLE_LENGTH);
}

/** Title of a memory; without one its first words, its file or its address. */
export function memoryTitle(
  row: Pick<TextFields, 'title' | 'notes' | 'beginning' | 'url' | 'filename'>,
): string {
  if (row.title) return row.title;
  const line = beginningOf(row.notes ?? row.beginning ?? '').find(isProse);
  if (line) return cut(plainLine(line), TITLE_LENGTH);
  if (row.filename) return row.filename;
  return row.url ? shortAddress(row.url) : 'Untitled';
}

/** The first words of a card below its title; empty when there are no others. */
export function memoryExcerpt(row: TextFields): string {
  const lead = row.description ?? row.summary;
  if (lead) return cut(lead, EXCERPT_LENGTH);
  const read = row.metadata?.['lead'];
  return notesExcerpt(row.notes ?? row.beginning ?? '', row.title) || (typeof read === 'string' ? read : '');
}

/** The first words of notes below a title, which is their first line where there is no other; empty without more. */
export function notesExcerpt(notes: string, title: string | null, length = EXCERPT_LENGTH): string {
  const lines = beginningOf(notes);
  const first = lines.findIndex(isProse);
  const repeats = title === null || title === '' || plainLine(lines[first] ?? '') === title;
  return cut(proseLines(repeats ? lines.slice(first + 1) : lines).join('\n'), length);
}
