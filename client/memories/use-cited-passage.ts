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

/** Marks a passage below `root`, and scrolls to it once, when it has been drawn. */
export function useShownPassage(root: HTMLElement | undefined, passage: string | undefined): void {
  const quotes = useMemo(
    () => (passage === undefined ? NONE : [{ block: passage, exact: passage, prefix: '', suffix: '' }]),
    [passage],
  );
  const [quote] = quotes;
  const find = usePassages(root, quotes);
  const range = quote && find(quote);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (range == null || shown.current === passage) return;
    shown.current = passage;
    showPassage(range);
  }, [range, passage]);
}
