/**
 * Shows where a text matches: ranges to highlight and a short piece around the best of them. Returns plain text and
 * numbers, never markup, so that nothing in a memory can become HTML. Pure; used by page and server.
 */
import { foldText, termsOf } from './text-analysis.ts';

/** Folded terms that count as matches, as the search reports them. */
export interface HighlightWords {
  words: readonly string[];
  /** Terms that begin with one of these match as well. */
  prefixes: readonly string[];
}

/** First unit of a match and the one after its last. */
export type TextRange = [start: number, end: number];

export interface Snippet {
  text: string;
  /** Within `text`, ascending, not overlapping. */
  ranges: TextRange[];
  /** Something was left out before and after. */
  cut: { before: boolean; after: boolean };
}

const wordRun = /[\p{L}\p{N}\p{M}]+/gu;
const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The ranges of a text that match, ascending; in scripts without spaces only the matching part of a run. */
export function findHighlights(text: string, highlight: HighlightWords): TextRange[] {
  const words = new Set(highlight.words);
  const matches = (term: string): boolean =>
    words.has(term) || highlight.prefixes.some((prefix) => term.startsWith(prefix));
  const ranges: TextRange[] = [];
  for (const run of text.matchAll(wordRun)) {
    const [word] = run;
    if (ideographs.test(word)) addRunRanges(word, run.index, highlight, ranges);
    else if (termsOf(word).some(matches)) ranges.push([run.index, run.index + word.length]);
  }
  return ranges;
}

/** The piece of at most `length` units that shows the most different matches; the beginning without matches. */
export function makeSnippet(text: string, highlight: HighlightWords, length = 160): Snippet {
  const ranges = findHighlights(text, highlight);
  const start = ranges.length === 0 ? 0 : windowStart(text, ranges, length);
  const end = Math.min(text.length, start + length);
  const from = start === 0 ? 0 : nextBreak(text, start, Math.min(end, start + 24));
  const until = end === text.length ? end : lastBreak(text, end, Math.max(from, end - 24));
  return {
    text: text.slice(from, until).replace(/\s/g, ' '),
    ranges: ranges.flatMap(([first, last]) =>
      first >= from && last <= until ? [[first - from, last - from] satisfies TextRange] : [],
    ),
    cut: { before: from > 0, after: until < text.length },
  };
}

function addRunRanges(
  run: string,
  offset: number,
  { words, prefixes }: HighlightWords,
  ranges: TextRange[],
): void {
  const folded = foldText(run);
  // Folding may change lengths; then exact ranges are unknown and the whole run is marked.
  const precise = folded.length === run.length;
  const hit = new Uint8Array(run.length);
  for (const needle of [...words, ...prefixes]) {
    if (needle === '' || !folded.includes(needle)) continue;
    if (!precise) return void ranges.push([offset, offset + run.length]);
    for (let at = folded.indexOf(needle); at !== -1; at = folded.indexOf(needle, at + 1)) {
      hit.fill(1, at, at + needle.length);
    }
  }
  for (let at = hit.indexOf(1); at !== -1;) {
    const stop = hit.indexOf(0, at);
    const end = stop === -1 ? hit.length : stop;
    ranges.push([offset + at, offset + end]);
    at = hit.indexOf(1, end);
  }
}

/** Where to begin so that the window holds the most different matches, with some words before the first. */
function windowStart(text: string, ranges: readonly TextRange[], length: number): number {
  let best = 0;
  let bestCount = 0;
  // A window that slides over the matches, so that each is folded, added and removed once however many there are.
  const words = ranges.map(([first, last]) => foldText(text.slice(first, last)));
  const seen = new Map<string, number>();
  let next = 0;
  ranges.forEach(([start], index) => {
    for (; next < ranges.length; next += 1) {
      const [, last] = ranges[next] ?? [0, 0];
      if (last > start + length * 0.75) break;
      const word = words[next] ?? '';
      seen.set(word, (seen.get(word) ?? 0) + 1);
    }
    if (seen.size > bestCount) [best, bestCount] = [start, seen.size];
    // A match longer than the window was never added.
    if (next <= index) next = index + 1;
    else removeOne(seen, words[index] ?? '');
  });
  return Math.max(0, Math.min(best - Math.floor(length / 4), text.length - length));
}

function removeOne(counts: Map<string, number>, word: string): void {
  const count = counts.get(word) ?? 0;
  if (count > 1) counts.set(word, count - 1);
  else counts.delete(word);
}

function nextBreak(text: string, from: number, limit: number): number {
  for (let at = from; at < limit; at += 1) if (/\s/.test(text[at] ?? '')) return at + 1;
  return afterPair(text, from);
}

function lastBreak(text: string, from: number, limit: number): number {
  for (let at = from; at > limit; at -= 1) if (/\s/.test(text[at] ?? '')) return at;
  return afterPair(text, from);
}

// Never between the halves of a surrogate pair.
function afterPair(text: string, at: number): number {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at + 1 : at;
}
