// The notes of a memory, in components and outside of them: from the row when short, else from this device's texts, else from the server.
import { useCallback } from 'react';
import type { Head } from '#shared/entities.ts';
import { addressOf } from '#shared/hash.ts';
import { hasRemoteBody, pageHashOf } from '#shared/memories/memory-kinds.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { sessionToken } from '#client/api/session.ts';
import { createLoader } from '#client/replica/find-or-download.ts';
import { openedReplica } from '#client/replica/open-replica.ts';
import type { BodyAddress } from '#client/replica/text-downloads.ts';
import { useResolved } from '#client/shell/use-loaded.ts';

/**
 * ready = `text` is the memory's text (empty when it has none); offline and failed are the reasons why it is missing.
 */
type Body = { state: 'ready'; text: string } | { state: 'loading' | 'offline' | 'failed'; text?: undefined };

async function download({ id, workspaceId, hash, part }: BodyAddress): Promise<string> {
  const response = await fetch(`/v1/memories/${workspaceId}/${id}/${part}`, {
    headers: { authorization: `Bearer ${sessionToken() ?? ''}` },
    credentials: 'omit',
  });
  const text = await response.text();
  // Another hash means that the memory has changed since; its new row will arrive by sync and start another request.
  if (!response.ok || addressOf(text).hash !== hash) throw new ApiProblem(response.status, undefined);
  return text;
}

const load = createLoader<string>(() => {
  const bodies = openedReplica()?.bodies;
  return { find: async (hash) => bodies?.find(hash), keep: async (_hash, text) => bodies?.keep(text) };
});

/** The text, or why it is unavailable; without a cache nothing is stored. */
async function findBody(address: BodyAddress): Promise<Body> {
  const found = await load(address.hash, () => download(address));
  return typeof found === 'string' ? { state: 'ready', text: found } : found;
}

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
        : findBody({ id, workspaceId, hash, part }),
    [id, workspaceId, hash, part],
  );
  return useResolved(load) ?? { state: 'loading' };
}
