// Threads that only the server finds, because their messages are not on this device; undefined until its response
// arrives.
import { api } from '#client/api/session-client.ts';
import { useServerSearch } from '#client/shell/use-server-search.ts';
import { useWorkspace } from '#client/workspaces/queries.ts';

/** A found thread with the piece of text it was found by. */
export interface ServerThread {
  id: string;
  passage: string | undefined;
}

const PER_PAGE = 50;

/** Hits for the query, best first. */
export function useServerThreads(query: string): readonly ServerThread[] | undefined {
  const workspaceId = useWorkspace()?.id;
  return useServerSearch(query, workspaceId, async (wanted, signal): Promise<readonly ServerThread[]> => {
    if (workspaceId === undefined) return [];
    const { result } = await api(
      'thread.search',
      { body: { workspaceId, query: wanted, perPage: PER_PAGE } },
      { signal },
    );
    return result.map(({ id, snippets }) => ({
      id,
      passage: snippets.find(({ field }) => field === 'message' || field === 'summary')?.text,
    }));
  });
}
