// The notes of a memory for components: from the row when short, else from this device's texts, else from the server.
import { useEffect, useState } from 'react';
import type { Head } from '#shared/entities.ts';
import { hasRemoteBody } from '#shared/memories/memory-kinds.ts';
import { loadBody, type Body } from '#client/replica/load-body.ts';

type BodyHead = Pick<Head<'memory'>, 'id' | 'workspaceId' | 'notes' | 'bodyHash'>;

/** The notes of the row as it is now; a text is only ever shown under its own hash. */
export function useBody(head: BodyHead | undefined): Body {
  const [loaded, setLoaded] = useState<{ hash: string; body: Body } | undefined>();
  const isRemote = head !== undefined && hasRemoteBody(head);
  const [id, workspaceId, hash] = isRemote ? [head.id, head.workspaceId, head.bodyHash] : [];
  useEffect(() => {
    if (id === undefined || workspaceId === undefined || !hash) return undefined;
    let isCurrent = true;
    void loadBody({ id, workspaceId, hash }).then((body) => isCurrent && setLoaded({ hash, body }));
    return () => {
      isCurrent = false;
    };
  }, [id, workspaceId, hash]);
  if (!isRemote) return { state: 'ready', text: head?.notes ?? '' };
  return loaded && loaded.hash === hash ? loaded.body : { state: 'loading', text: undefined };
}
