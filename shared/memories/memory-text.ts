/**
 * Title and excerpt of a memory, derived from whichever of its fields are filled. Pure functions, independent of how
 * they are shown.
 */
import type { MemoryHead } from './memory.ts';
import { plainLine } from './plain-line.ts';

type TextFields = Pick<
  MemoryHead,
  'title' | 'description' | 'summary' | 'notes' | 'beginning' | 'url' | 'filename'
> &
  Partial<Pick<MemoryHead, 'metadata'>>;

const TITLE_LENGTH = 120;
const EXCERPT_LENGTH = 480;

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}

const RULE = /^\s*(?:(?:[-*_=]\s*){3,}|\|?[\s:|-]+\|\s*)$/;
/** The pattern above may read a line as often as it has characters; longer lines are text. */
const RULE_MAX = 500;
const isRule = (line: string): boolean => line.length <= RULE_MAX && RULE.test(line);
const TABLE_RULE = /^\s*\|[\s:|-]*-[\s:|-]*\|\s*$/;
const TABLE_ROW = /^\s*\|.+\|\s*$/;

/** A line of three marks or more; with others after them it is code within a line. */
const FENCE = /^\s*(?:```[^`]*|~~~.*)$/;
const COMMENT = /^\s*<!--/;

interface Line {
  text: string;
  isCode: boolean;
}

/** Lines of which code is known as such; comments that are longer than a line, and the marks around code, are empty. */
function linesOf(notes: string): Line[] {
  let isCode = false;
  let isComment = false;
  return notes.split('\n').map((text) => {
    if (isComment) {
      const end = text.indexOf('-->');
      if (end >= 0) isComment = false;
      return { text: isComment ? '' : text.slice(end + 3), isCode };
    }
    if (!isCode && COMMENT.test(text) && !text.includes('-->')) isComment = true;
    const isFence = FENCE.test(text);
    if (isFence) isCode = !isCode;
    return { text: isComment || isFence ? '' : text, isCode };
  });
}

const plainOf = ({ text, isCode }: Line): string =>
  isCode ? text.trim() : isRule(text) ? '' : plainLine(text);

/** A line that begins a new block: an item, a heading, a quotation, a table, a picture, a definition. */
const BEGINS = /^\s*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|>|\||!\[|\[[^[\]]+\]:|\s{4})/;
/** A heading, a table row, a definition or a hard line break, which the next line does not continue. */
const ENDS = /^\s*(?:#{1,6}\s|\||\[[^[\]]+\]:)|(?: {2}|\\)$/;

/** What is read, as it is read: a paragraph that its writer broke into several lines is one again; code keeps its lines. */
function proseOf(lines: readonly Line[]): string[] {
  const blocks: Line[] = [];
  let open: Line | undefined;
  for (const { text, isCode } of lines) {
    const words = text.trim();
    if (words === '' || (!isCode && isRule(text))) {
      open = undefined;
      continue;
    }
    if (open && !isCode && !BEGINS.test(text)) open.text += ` ${words}`;
    else blocks.push((open = { text: isCode ? text : words, isCode }));
    if (isCode || ENDS.test(text)) open = undefined;
  }
  return blocks.map(plainOf).filter(Boolean);
}

const beginningOf = (notes: string): Line[] => linesOf(notes.slice(0, 4 * EXCERPT_LENGTH));

/** Names of columns are not useful without their rows: left out where rows follow. */
function withoutTableHeads(lines: readonly Line[]): readonly Line[] {
  const textAt = (index: number) => lines[index]?.text ?? '';
  return lines.filter(
    (line, index) =>
      !TABLE_ROW.test(line.text) ||
      textAt(index + 1).length > RULE_MAX ||
      !TABLE_RULE.test(textAt(index + 1)) ||
      !TABLE_ROW.test(textAt(index + 2)),
  );
}

/** Notes without the marks of Markdown, for showing where words were found in them. */
export function plainNotes(notes: string): string {
  return proseOf(linesOf(notes)).join('\n');
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
  const lines = withoutTableHeads(beginningOf(row.notes ?? row.beginning ?? ''));
  for (const line of lines) {
    const words = plainOf(line);
    if (words !== '') return cut(words, TITLE_LENGTH);
  }
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
  const lines = withoutTableHeads(beginningOf(notes));
  const first = lines.findIndex((line) => plainOf(line) !== '');
  const line = lines[first];
  const repeats = !title || (line !== undefined && plainOf(line) === title);
  return cut(proseOf(repeats ? lines.slice(first + 1) : lines).join('\n'), length);
}
