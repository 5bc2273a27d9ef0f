/** Passages below an element for components: those of quotes, which are marked, and the one that is selected. */
import { useCallback, useEffect, useState } from 'react';
import type { Highlights } from '#client/memories/use-highlights.ts';
import { findPassages, markPassages, selectedRange, type SoughtQuote } from '#client/memories/passages.ts';

/** The range of a quote; null if it was not found, undefined while searching. */
export type Passages = (quote: SoughtQuote) => Range | null | undefined;

interface Search {
  root: HTMLElement;
  quotes: readonly SoughtQuote[];
  found: ReadonlyMap<string, Range>;
}

/** A text arrives in pieces; it is searched when it has been still for so long. */
const STILL_MS = 150;
const LOOK_MS = 300;

/** Marks the quotes below `root` as long as they are there. */
export function usePassages(root: HTMLElement | undefined, quotes: readonly SoughtQuote[]): Passages {
  const [search, setSearch] = useState<Search>();
  useEffect(() => {
    if (root === undefined || quotes.length === 0) return undefined;
    let looking = new AbortController();
    let unmark = () => {};
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      looking.abort();
      looking = new AbortController();
      const { signal } = looking;
      try {
        const found = await findPassages(root, quotes, signal);
        unmark();
        unmark = markPassages(root, found.values());
        setSearch({ root, quotes, found });
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    };
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void look(), STILL_MS);
    });
    observer.observe(root, { childList: true, characterData: true, subtree: true });
    void look();
    return () => {
      looking.abort();
      clearTimeout(timer);
      observer.disconnect();
      unmark();
    };
  }, [root, quotes]);
  return useCallback(
    (quote) => {
      if (search === undefined || search.root !== root) return undefined;
      // While other quotes are searched, earlier results stay.
      return search.found.get(quote.block) ?? (search.quotes === quotes ? null : undefined);
    },
    [search, root, quotes],
  );
}

function isSame(one: Range | undefined, other: Range | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.startContainer === other.startContainer &&
    one.startOffset === other.startOffset &&
    one.endContainer === other.endContainer &&
    one.endOffset === other.endOffset
  );
}

/** Current selection below `root`. */
export function useSelectedRange(root: HTMLElement | undefined): Range | undefined {
  const [range, setRange] = useState<Range>();
  useEffect(() => {
    if (root === undefined) return undefined;
    const look = () => {
      const found = selectedRange(root);
      setRange((before) => (isSame(before, found) ? before : found));
    };
    const { ownerDocument } = root;
    const view = ownerDocument.defaultView;
    ownerDocument.addEventListener('selectionchange', look);
    // WebKit calls no listener in a document that may not run scripts (https://bugs.webkit.org/show_bug.cgi?id=218086).
    const timer =
      view === globalThis.window
        ? undefined
        : setInterval(() => {
            if (document.activeElement === view?.frameElement) look();
          }, LOOK_MS);
    return () => {
      ownerDocument.removeEventListener('selectionchange', look);
      clearInterval(timer);
      setRange(undefined);
    };
  }, [root]);
  return range;
}

/** The same, reported to a part of the page that lists them. */
export function useReportedPassages(
  root: HTMLElement | undefined,
  { quotes }: Highlights,
  onPassages: (passages: Passages | undefined) => void,
): void {
  const passages = usePassages(root, quotes);
  useEffect(() => {
    onPassages(passages);
    return () => onPassages(undefined);
  }, [passages, onPassages]);
}
