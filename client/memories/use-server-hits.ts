// Memories that only the server finds; empty until its response arrives.
import { memoryTitle } from '#shared/memories/memory-text.ts';
import { api } from '#client/api/session-client.ts';
import { useServerSearch } from '#client/shell/use-server-search.ts';
import { useWorkspace } from '#client/workspaces/queries.ts';

/** Enough of a memory to show and open it. */
export interface ServerHit {
  id: string;
  title: string;
}

const NOTHING: readonly ServerHit[] = [];

export function useServerHits(query: string): readonly ServerHit[] {
  const workspaceId = useWorkspace()?.id;
  const found = useServerSearch(query, workspaceId, async (wanted, signal) => {
    if (workspaceId === undefined) return NOTHING;
    const { result } = await api('memory.search', { body: { workspaceId, query: wanted } }, { signal });
    return result.map((memory) => ({ id: memory.id, title: memoryTitle(memory) }));
  });
  return found ?? NOTHING;
}
