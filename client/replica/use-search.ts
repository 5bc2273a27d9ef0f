// Local full-text search for components: answers while typing, keeps the last answer until the next one is there.
import { useEffect, useId, useState } from 'react';
import { openedReplica } from '#client/replica/open-replica.ts';
import type { SearchRequest, SearchResult } from '#client/search/run-search.ts';

/** What was found for `query`; while a newer query is under way the older answer stays, with its own query. */
export interface LocalSearch {
  query: string;
  result: SearchResult | undefined;
}

/** Searches the open workspace on this device; an empty query finds nothing. `request` must keep its identity. */
export function useSearch(query: string, request?: SearchRequest): LocalSearch {
  const channel = useId();
  const [found, setFound] = useState<LocalSearch>({ query: '', result: undefined });
  const wanted = query.trim();
  useEffect(() => {
    if (wanted === '') return undefined;
    let isCurrent = true;
    void openedReplica()
      ?.search.search(wanted, { ...request, channel })
      .then((result) => isCurrent && result && setFound({ query: wanted, result }));
    return () => {
      isCurrent = false;
    };
  }, [wanted, request, channel]);
  return wanted === '' ? { query: '', result: undefined } : found;
}
