/**
 * Reads the tags that were typed into a capture field: `#tag` on a line of its own or at the end of the text. Those in code,
 * headings and quotations are not tags, and a `#tag` inside a sentence is part of it. Pure.
 */
import { LIMITS } from '#shared/constants.ts';

/** The text without its extracted tags. */
export interface TaggedText {
  text: string;
  tags: readonly string[];
}

/** A letter must be in it: `#12` is a number. */
const TAG_WORD = /^#(?=[^\p{L}]*\p{L})([\p{L}\p{N}][\p{L}\p{M}\p{N}_/-]*),?$/u;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Lines whose words stay as they are: headings, quotations, and code by its indentation. */
const KEEPS_ITS_WORDS = /^(?: {4}|\t| {0,3}(?:#{1,6}(?:\s|$)|>))/;
/** A line with more tags than this is not parsed to its start, because none of its words can become tags. */
const WORDS_MAX = 2 * LIMITS.tagCount;
/** A line of tags that are all accepted is at most this long. */
const LINE_MAX = LIMITS.tagCount * (LIMITS.tag + 3);
const ONLY_A_MARKER = /^\s*(?:[-*+]|\d+[.)])\s*$/;

function tagIn(word: string): string | undefined {
  if (!word.startsWith('#') || word.length > LIMITS.tag + 2) return undefined;
  // Letters, digits and three marks are always a tag by the schema, when they are not too many.
  const name = TAG_WORD.exec(word)?.[1]?.toLowerCase();
  return name === undefined || name.length > LIMITS.tag ? undefined : name;
}

/** Where the last word of a text begins; a loop, since a pattern would read a long word once from each of its letters. */
function lastWordAt(text: string): number {
  return Math.max(text.lastIndexOf(' '), text.lastIndexOf('\t')) + 1;
}

/** Extracts the tags at the end of a line; those in `kept` stay in the text. */
function splitLine(line: string, kept: ReadonlySet<string>): TaggedText {
  const tags: string[] = [];
  const left: string[] = [];
  let rest = line.trimEnd();
  while (tags.length + left.length <= WORDS_MAX) {
    const at = lastWordAt(rest);
    const word = rest.slice(at);
    const tag = tagIn(word);
    if (tag === undefined) break;
    if (kept.has(tag)) left.unshift(word);
    else tags.unshift(tag);
    rest = rest.slice(0, at).trimEnd();
  }
  if (tags.length === 0 || ONLY_A_MARKER.test(rest)) return { text: line, tags: [] };
  return { text: [rest, ...left].filter((part) => part !== '').join(' '), tags };
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

/** Splits a text; one of tags only is not split, since a memory needs a text. */
export function readTags(input: string, kept: ReadonlySet<string>): TaggedText {
  const whole = { text: input, tags: [] };
  // A text too long to save is not parsed at each key press.
  if (!input.includes('#') || input.length > 2 * LIMITS.notes) return whole;
  const lines = input.replace(/\r\n?/g, '\n').split('\n');
  const last = lines.findLastIndex((line) => !isBlank(line));
  const found = new Set<string>();
  const out: string[] = [];
  let fence: string | undefined;
  let isGap = false;
  lines.forEach((line, index) => {
    const mark = FENCE.exec(line)?.[1];
    const wasCode = fence !== undefined;
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    const isText = !wasCode && mark === undefined && !KEEPS_ITS_WORDS.test(line);
    const standsAlone =
      line.length <= LINE_MAX &&
      line.trimStart().startsWith('#') &&
      line
        .trim()
        .split(/[ \t]+/)
        .every(tagIn);
    const split =
      isText && (standsAlone || index === last) ? splitLine(line, kept) : { text: line, tags: [] };
    if (split.tags.length === 0) {
      if (!(isGap && isBlank(line))) out.push(line);
      isGap = false;
      return;
    }
    for (const tag of split.tags) found.add(tag);
    if (split.text !== '') out.push(split.text);
    // A line removed between two blank ones leaves one of them.
    isGap = split.text === '' && isBlank(out.at(-1));
  });
  const text = out.join('\n');
  const isTooMany = found.size > LIMITS.tagCount;
  return found.size === 0 || isTooMany || text.trim() === '' ? whole : { text, tags: [...found] };
}
