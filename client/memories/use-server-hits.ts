/**
 * What the server finds beyond this device, asked after a pause in typing while online.
 * Without an answer there is nothing: the local result never waits for it.
 */
import { useEffect, useState } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { api } from '#client/api/session-client.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { useWorkspace } from '#client/workspaces/queries.ts';

/** Enough of a memory to show and open it. */
export interface ServerHit {
  id: string;
  title: string;
}

const PAUSE_MS = 300;
const SHORTEST = 2;
const NOTHING: readonly ServerHit[] = [];

/** Hits for the query; empty while they are not there. */
export function useServerHits(query: string): readonly ServerHit[] {
  const [answer, setAnswer] = useState<{ query: string; hits: readonly ServerHit[] }>();
  const workspaceId = useWorkspace()?.id;
  const online = useIsOnline();
  const wanted = query.trim().slice(0, LIMITS.searchQuery);
  useEffect(() => {
    if (!online || workspaceId === undefined || wanted.length < SHORTEST) return undefined;
    const leave = new AbortController();
    const timer = setTimeout(() => {
      api('memory.search', { body: { workspaceId, query: wanted } }, { signal: leave.signal }).then(
        ({ result }) =>
          setAnswer({
            query: wanted,
            hits: result.map(({ id, title, url }) => ({ id, title: title ?? url ?? 'Untitled' })),
          }),
        (failure: unknown) => console.info('search: the server did not answer', failure),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leave.abort();
    };
  }, [online, workspaceId, wanted]);
  return answer?.query === wanted ? answer.hits : NOTHING;
}
