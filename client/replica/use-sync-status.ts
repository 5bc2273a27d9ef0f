// The status of sync and the acts behind the indicator, for components.
import { useSyncExternalStore } from 'react';
import { useReplica } from '#client/replica/replica-context.tsx';
import type { FirstSync } from '#client/replica/replica.ts';
import { withFiles, type Problem, type SyncStatus } from '#client/replica/status.ts';
import { waitingFiles } from '#client/replica/waiting-files.ts';

/** The status with what a person can do about it. */
export interface SyncStatusHandle extends SyncStatus {
  retry(problem: Problem): Promise<void>;
  discard(problem: Problem): Promise<void>;
  /** Pushes and pulls now. */
  syncNow(): void;
}

export function useSyncStatus(): SyncStatusHandle {
  const replica = useReplica();
  const status = useSyncExternalStore(replica.subscribe, replica.status, replica.status);
  const files = useSyncExternalStore(waitingFiles.subscribe, waitingFiles.get, waitingFiles.initial);
  return {
    ...withFiles(status, files),
    retry: (problem) => replica.retry(problem),
    discard: (problem) => replica.discard(problem),
    syncNow: () => replica.syncNow(),
  };
}

/** Whether the server has reported that this person has lost access to the open workspace. */
export function useRevoked(): boolean {
  const replica = useReplica();
  const read = () => replica.revoked;
  return useSyncExternalStore(replica.subscribe, read, read);
}

/** Whether an empty list really is empty, or still loading, or was never loaded. */
export function useFirstSync(): FirstSync {
  const replica = useReplica();
  return useSyncExternalStore(replica.subscribe, replica.firstSync, replica.firstSync);
}

/** The problems as the text of a file: names, arguments and reasons, and texts that do not belong to a change yet. */
export function exportProblems(problems: readonly Problem[], texts: readonly string[] = []): string {
  return JSON.stringify(
    [
      ...problems.map(({ name, args, code, message, at }) => ({ name, args, code, message, at })),
      ...texts.map((text) => ({ text })),
    ],
    null,
    2,
  );
}
