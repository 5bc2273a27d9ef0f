// Memories that the server finds; empty until its response arrives.
import { memoryTitle } from '#shared/memories/memory-text.ts';
import { fuseRanks } from '#shared/search/fuse-ranks.ts';
import type { SearchResult } from '#shared/search/run-search.ts';
import { api } from '#client/api/session-client.ts';
import { useServerSearch } from '#client/shell/use-server-search.ts';
import { useWorkspace } from '#client/workspaces/queries.ts';

/** Enough of a memory to show and open it. */
interface ServerHit {
  id: string;
  title: string;
}

export interface ServerHits {
  /** Best first. */
  hits: readonly ServerHit[];
  /** Searched by meaning as well, which this device cannot. */
  isByMeaning: boolean;
}

const NOTHING: ServerHits = { hits: [], isByMeaning: false };

export function useServerHits(query: string): ServerHits {
  const workspaceId = useWorkspace()?.id;
  const found = useServerSearch(query, workspaceId, async (wanted, signal) => {
    if (workspaceId === undefined) return NOTHING;
    const { result, meta } = await api('memory.search', { body: { workspaceId, query: wanted } }, { signal });
    return {
      hits: result.map((memory) => ({ id: memory.id, title: memoryTitle(memory) })),
      isByMeaning: meta['mode'] === 'hybrid',
    };
  });
  return found ?? NOTHING;
}

/** The ids best first: as this device ranks them, or in one ranking with those that were found by meaning. */
export function rankedIds(
  { hits: onDevice }: Pick<SearchResult, 'hits'>,
  { hits, isByMeaning }: ServerHits,
): string[] {
  const ranked = isByMeaning ? fuseRanks({ hits: onDevice, total: 0 }, hits).hits : onDevice;
  return ranked.map(({ id }) => id);
}
