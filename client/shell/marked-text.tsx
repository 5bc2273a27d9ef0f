/**
 * A piece of text around the search matches, with the matches marked. Plain text only: a mark is an element, never markup out
 * of a memory.
 */
import type { ReactNode } from 'react';
import { makeSnippet, type HighlightWords } from '#shared/memories/search-snippet.ts';

/** Marks what matched; without matches the beginning of the text. */
export function MarkedText({ text, words }: { text: string; words: HighlightWords | undefined }) {
  const snippet = makeSnippet(text, words ?? { words: [], prefixes: [] }, 120);
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [start, end] of snippet.ranges) {
    parts.push(snippet.text.slice(at, start));
    parts.push(<mark key={start}>{snippet.text.slice(start, end)}</mark>);
    at = end;
  }
  return (
    <>
      {snippet.cut.before && '…'}
      {parts}
      {snippet.text.slice(at)}
      {snippet.cut.after && '…'}
    </>
  );
}
