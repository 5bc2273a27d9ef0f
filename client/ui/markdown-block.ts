/**
 * How much of untrusted Markdown is rendered at all, and in which pieces.
 * Where it may link to is in safe-link.ts; drawing is in markdown.tsx.
 */

const MAX_SOURCE = 200_000;
const TOO_DEEP = /(?:[>[(]\s*){100}|(?:[*+-] {1,3}){100}/;

/** Whether parsing is worth its cost; longer or absurdly nested text is shown as it is. */
export function isRenderable(source: string): boolean {
  return source.length <= MAX_SOURCE && !TOO_DEEP.test(source);
}

/** Splits at blank lines outside of code fences, so that a growing text re-renders only its last block. */
export function markdownBlocks(source: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  for (const line of source.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark !== undefined && mark.startsWith(fence)) fence = undefined;
    const ends = fence === undefined && line.trim() === '';
    // A list or quote goes on after a blank line when the next line is indented: keep those together.
    if (!ends) lines.push(line);
    else if (lines.length > 0) {
      blocks.push(lines.join('\n'));
      lines = [];
    }
  }
  if (lines.length > 0) blocks.push(lines.join('\n'));
  return joinIndented(blocks);
}

function joinIndented(blocks: readonly string[]): string[] {
  const joined: string[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    const continues = last !== undefined && (/^(?: {2,}|\t)/.test(block) || isListItem(last, block));
    if (continues) joined[joined.length - 1] = `${last}\n\n${block}`;
    else joined.push(block);
  }
  return joined;
}

function isListItem(last: string, next: string): boolean {
  const item = /^\s*(?:[*+-]|\d{1,9}[.)])\s/;
  return item.test(last) && item.test(next);
}
