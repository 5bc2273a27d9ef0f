/**
 * What views read of threads: the list, one of them, its messages, and what this person may do to it.
 * Reads of the replica only.
 */
import { useCallback, useMemo } from 'react';
import { can, type Action } from '#shared/permissions.ts';
import { workspaceReads } from '#shared/spaces/visibility.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { useActor } from '#client/workspaces/queries.ts';

/** Threads that are not deleted, the one changed last first. */
export function useThreads(): readonly Thread[] {
  const rows = useQuery((view) => view.list('thread'), []);
  return useMemo(() => rows.toSorted((a, b) => (a.updated < b.updated ? 1 : -1)), [rows]);
}

/** One thread, deleted ones included. */
export function useThread(id: string | undefined): Thread | undefined {
  return useQuery((view) => (id === undefined ? undefined : view.peek('thread', id)), [id]);
}

/** Messages of a thread on this device, oldest first. */
export function useMessages(threadId: string): readonly Message[] {
  return useQuery((view) => view.messagesOf(threadId), [threadId]);
}

/** Whether this person may do something to a given thread; for the state of buttons. */
export function useThreadRights(): (action: Action, row: Pick<Thread, 'ownerId' | 'visibility'>) => boolean {
  const actor = useActor();
  return useCallback(
    (action, row) =>
      can(actor, action, { ownerId: row.ownerId, workspaceReads: workspaceReads(row.visibility) }),
    [actor],
  );
}
