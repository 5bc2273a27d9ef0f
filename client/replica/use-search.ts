// Local full-text search for components: answers while typing, keeps the last answer until the next one is there.
import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { openedReplica } from '#client/replica/open-replica.ts';
import type { SearchRequest, SearchResult } from '#client/search/run-search.ts';

/** What was found for `query`; while a newer query is under way the older answer stays, with its own query. */
export interface LocalSearch {
  query: string;
  result: SearchResult | undefined;
  /** The answer was given when everything had been read; an empty one means nothing before that. */
  isWhole: boolean;
  /** Memories of this device are still being read. */
  isReading: boolean;
}

const NOTHING = { query: '', result: undefined, isWhole: false } as const;

const subscribe = (listener: () => void) => openedReplica()?.search.subscribe(listener) ?? (() => undefined);
const isCompleteNow = () => openedReplica()?.search.isComplete ?? false;

/** Searches the open workspace on this device; an empty query finds nothing. `request` must keep its identity. */
export function useSearch(query: string, request?: SearchRequest): LocalSearch {
  const channel = useId();
  const [found, setFound] = useState<Omit<LocalSearch, 'isReading'>>(NOTHING);
  // Asked again once everything was read: what was found before may be a part of it.
  const isComplete = useSyncExternalStore(subscribe, isCompleteNow);
  const wanted = query.trim();
  useEffect(() => {
    if (wanted === '') return undefined;
    let isCurrent = true;
    void openedReplica()
      ?.search.search(wanted, { ...request, channel })
      .then((result) => isCurrent && result && setFound({ query: wanted, result, isWhole: isComplete }));
    return () => {
      isCurrent = false;
    };
  }, [wanted, request, channel, isComplete]);
  return { ...(wanted === '' ? NOTHING : found), isReading: !isComplete };
}
