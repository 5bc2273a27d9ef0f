// Local full-text search for components: searches while the person types and shows the last result until the next one
// arrives.
import { useEffect, useId, useState } from 'react';
import { openedReplica } from '#client/replica/open-replica.ts';
import { useIsIndexComplete } from '#client/replica/use-index-complete.ts';
import type { SearchRequest, SearchResult } from '#shared/search/run-search.ts';

/** The result for `query`; while a newer query runs, the older result stays together with its own query. */
export interface LocalSearch {
  query: string;
  result: SearchResult | undefined;
  /** True when everything had been indexed; before that an empty result means nothing. */
  isWhole: boolean;
  /** Memories of this device are still being read. */
  isReading: boolean;
}

const NOTHING = { query: '', result: undefined, isWhole: false } as const;

/**
 * Searches the open workspace on this device; an empty query has no hits. `request` must be the same object in each
 * render.
 */
export function useSearch(query: string, request?: SearchRequest): LocalSearch {
  const channel = useId();
  const [found, setFound] = useState<Omit<LocalSearch, 'isReading'>>(NOTHING);
  // Search again once everything is indexed: earlier results may be incomplete.
  const isComplete = useIsIndexComplete();
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
