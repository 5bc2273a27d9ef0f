// The notes of a memory, in components and outside of them: from the row when short, else from this device's texts, else from the server.
import { useCallback } from 'react';
import type { Head } from '#shared/entities.ts';
import { hasRemoteBody, pageHashOf } from '#shared/memories/memory-kinds.ts';
import { findBody, type Body } from '#client/replica/body-download.ts';
import { openedReplica } from '#client/replica/open-replica.ts';
import { useResolved } from '#client/shell/use-loaded.ts';

type BodyHead = Pick<Head<'memory'>, 'id' | 'workspaceId' | 'notes' | 'bodyHash'>;

/** The text of the page behind a link; undefined for a memory without one. */
export function usePage(head: Pick<Head<'memory'>, 'id' | 'workspaceId' | 'metadata'>): Body | undefined {
  const hash = pageHashOf(head);
  const body = useText({ id: head.id, workspaceId: head.workspaceId, hash, part: 'page' });
  return hash === undefined ? undefined : body;
}

/** The notes of the row as it is now; a text is only ever shown under its own hash. */
export function useBody(head: BodyHead | undefined): Body {
  const isRemote = head !== undefined && hasRemoteBody(head);
  const body = useText({
    id: head?.id,
    workspaceId: head?.workspaceId,
    hash: isRemote ? (head.bodyHash ?? undefined) : undefined,
    part: 'body',
  });
  return isRemote ? body : { state: 'ready', text: head?.notes ?? '' };
}

/** Without a `hash` there is nothing to load. */
function useText({
  id,
  workspaceId,
  hash,
  part,
}: Record<'id' | 'workspaceId' | 'hash', string | undefined> & { part: 'body' | 'page' }): Body {
  const load = useCallback(
    async () =>
      id === undefined || workspaceId === undefined || hash === undefined
        ? undefined
        : findBody(openedReplica()?.bodies, { id, workspaceId, hash, part }),
    [id, workspaceId, hash, part],
  );
  return useResolved(load) ?? { state: 'loading', text: undefined };
}
