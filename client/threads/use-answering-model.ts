// Who writes the answers of a workspace: requested once per visit, because it is part of the server's configuration.
import { useEffect, useState } from 'react';
import type { Id } from '#shared/ids.ts';
import type { AnsweringModel } from '#shared/threads/conversation-endpoints.ts';
import { api } from '#client/api/session-client.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { isAborted } from '#client/shell/problem-toast.ts';

type Known = AnsweringModel | null;

const known = new Map<string, Known>();

/** It was changed in the settings of this device. */
export function forgetAnsweringModel(workspaceId: Id<'workspace'>): void {
  known.delete(workspaceId);
}

/** The language model that answers, null where answers only quote passages, undefined while that is not known. */
export function useAnsweringModel(workspaceId: Id<'workspace'> | undefined): Known | undefined {
  const [, setLoaded] = useState(0);
  const online = useIsOnline();
  const isMissing = online && workspaceId !== undefined && !known.has(workspaceId);
  useEffect(() => {
    if (!isMissing || workspaceId === undefined) return undefined;
    const leave = new AbortController();
    api('answering.get', { params: { workspaceId } }, { signal: leave.signal }).then(
      ({ result }) => {
        known.set(workspaceId, result.model);
        setLoaded((count) => count + 1);
      },
      (failure: unknown) => {
        if (!isAborted(failure)) console.info('threads: who answers could not be fetched', failure);
      },
    );
    return () => leave.abort();
  }, [isMissing, workspaceId]);
  return workspaceId && known.get(workspaceId);
}
