/** The passage that a citation in the address quotes, shown and marked in the text of the open memory. */
import { useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'react-router';
import { isId } from '#shared/ids.ts';
import { showPassage, type SoughtQuote } from '#client/memories/passages.ts';
import { usePassages } from '#client/memories/use-passages.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { passageInSearch } from '#client/shell/memory-address.ts';

const NONE: readonly SoughtQuote[] = [];

/** Undefined without a citation of this memory, and where the message that cites is not on this device. */
export function useCitedPassage(memoryId: string): string | undefined {
  const { messageId = '', number = 0 } = passageInSearch(useLocation().search) ?? {};
  return useQuery(
    (view) => {
      const message = isId('message', messageId) ? view.get('message', messageId) : undefined;
      const citation = message?.citations[number - 1];
      return citation?.memoryId === memoryId ? (citation.quote ?? undefined) : undefined;
    },
    [messageId, number, memoryId],
  );
}

/** Share of the frame above the passage. */
const ABOVE = 1 / 3;
/** Any of these means that the reader scrolls. */
export const TAKEN_OVER = ['wheel', 'pointerdown', 'keydown'] as const;

function scrollToRange(frame: HTMLElement, range: Range): void {
  const { top, height } = frame.getBoundingClientRect();
  // A dialog is drawn smaller while it opens.
  const scale = frame.offsetHeight / height;
  frame.scrollTop += (range.getBoundingClientRect().top - top) * scale - frame.clientHeight * ABOVE;
}

/**
 * Marks a passage in the text of a scrolling frame, and keeps it in view until the reader scrolls: a text arrives in pieces,
 * which move it or only then make room to scroll.
 */
export function useShownPassage(frame: HTMLElement | undefined, passage: string | undefined): void {
  const quotes = useMemo(
    () => (passage === undefined ? NONE : [{ block: passage, exact: passage, prefix: '', suffix: '' }]),
    [passage],
  );
  const [quote] = quotes;
  const find = usePassages(frame, quotes);
  const range = (quote && find(quote)) ?? undefined;
  const newest = useRef(range);
  const shown = useRef<string>(undefined);
  const isFound = range !== undefined;
  useEffect(() => {
    newest.current = range;
    if (range === undefined || shown.current === passage) return;
    shown.current = passage;
    showPassage(range);
  }, [range, passage]);
  useEffect(() => {
    const content = frame?.firstElementChild;
    if (!frame || !content || !isFound) return undefined;
    const observer = new ResizeObserver(() => newest.current && scrollToRange(frame, newest.current));
    const letGo = () => observer.disconnect();
    // Reports once at the beginning too.
    observer.observe(content);
    for (const type of TAKEN_OVER) frame.addEventListener(type, letGo, { passive: true });
    return () => {
      letGo();
      for (const type of TAKEN_OVER) frame.removeEventListener(type, letGo);
    };
  }, [frame, passage, isFound]);
}
