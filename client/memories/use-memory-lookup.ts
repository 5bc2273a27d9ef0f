/**
 * Whether a memory that is not on this device exists at all: looked up on the server, which then sends it by sync.
 * Needed for results of a search on the server and links that are newer than the last sync.
 */
import { useEffect, useState } from 'react';
import { isId } from '#shared/ids.ts';
import { api } from '#client/api/session-client.ts';
import { useFirstSync, useSyncStatus } from '#client/replica/use-sync-status.ts';
import { serverProblemOf } from '#client/shell/problem-toast.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { useWorkspace } from '#client/workspaces/queries.ts';

/** here = no look-up needed; coming = it exists or is being looked up; offline = unknown until the network is back. */
export type MemoryLookup = 'here' | 'coming' | 'offline' | 'missing';

/** Looks up an id while it is not on the device. */
export function useMemoryLookup(id: string | undefined, isHere: boolean): MemoryLookup {
  const firstSync = useFirstSync();
  const { syncNow } = useSyncStatus();
  const online = useIsOnline();
  const workspaceId = useWorkspace()?.id;
  const [answer, setAnswer] = useState<{ id: string; is: 'there' | 'missing' | 'unreachable' }>();
  const wanted = !isHere && isId('memory', id) ? id : undefined;
  const isReady = firstSync.state === 'ready';
  const asks = wanted !== undefined && workspaceId !== undefined && isReady && online;
  useEffect(() => {
    if (!asks) return undefined;
    const leave = new AbortController();
    api('memory.get', { params: { workspaceId, id: wanted } }, { signal: leave.signal }).then(
      () => {
        setAnswer({ id: wanted, is: 'there' });
        syncNow();
      },
      (failure: unknown) => {
        if (leave.signal.aborted) return;
        const status = serverProblemOf(failure)?.status;
        const isGone = status === 403 || status === 404;
        setAnswer({ id: wanted, is: isGone ? 'missing' : 'unreachable' });
      },
    );
    return () => leave.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- syncNow is made anew with every render
  }, [asks, workspaceId, wanted]);
  if (id === undefined || isHere) return 'here';
  if (wanted === undefined) return 'missing';
  if (!isReady) return firstSync.state === 'waiting' ? 'offline' : 'coming';
  if (!online) return 'offline';
  if (answer?.id !== wanted) return 'coming';
  return answer.is === 'there' ? 'coming' : answer.is === 'missing' ? 'missing' : 'offline';
}
