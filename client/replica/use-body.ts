// The notes of a memory for components: from the row when short, else from this device's texts, else from the server.
import { useEffect, useState } from 'react';
import type { Head } from '#shared/entities.ts';
import { hasRemoteBody, pageHashOf } from '#shared/memories/memory-kinds.ts';
import { loadBody, type Body } from '#client/replica/load-body.ts';

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

interface TextAddress {
  id: string | undefined;
  workspaceId: string | undefined;
  /** Undefined where there is nothing to load. */
  hash: string | undefined;
  part: 'body' | 'page';
}

function useText({ id, workspaceId, hash, part }: TextAddress): Body {
  const [loaded, setLoaded] = useState<{ hash: string; body: Body } | undefined>();
  useEffect(() => {
    if (id === undefined || workspaceId === undefined || hash === undefined) return undefined;
    let isCurrent = true;
    void loadBody({ id, workspaceId, hash, part }).then((body) => isCurrent && setLoaded({ hash, body }));
    return () => {
      isCurrent = false;
    };
  }, [id, workspaceId, hash, part]);
  return loaded && loaded.hash === hash ? loaded.body : { state: 'loading', text: undefined };
}
