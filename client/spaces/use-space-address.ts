/**
 * Which space an address names, also after its slug was changed: here, on another device, or before this visit.
 * The address is replaced by the current one; unknown means that no space has it.
 */
import { useCallback, useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import type { Space } from '#shared/spaces/space.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';
import { useFirstSync } from '#client/replica/use-sync-status.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { useResolved } from '#client/shell/use-loaded.ts';
import { useSpace, useSpaceBySlug } from '#client/spaces/queries.ts';

interface SpaceAddress {
  space: Space | undefined;
  /** looking = the device or the server may still know it; offline = it cannot be known now. */
  state: 'found' | 'looking' | 'offline' | 'unknown';
}

/**
 * Requests the present slug of the space that once had this one; again when the network is back. `isReached` is false when the
 * request failed.
 */
function useRenamedOnServer(workspaceSlug: string, slug: string, enabled: boolean) {
  const online = useIsOnline();
  const find = useCallback(
    (signal?: AbortSignal) =>
      api('space.get_by_slug', { params: { workspaceSlug, slug } }, { signal }).then(
        ({ result }) => ({ now: result.slug, isReached: true }),
        (failure: unknown) => {
          const isReached = failure instanceof ApiProblem;
          if (!isReached) console.info('spaces: the server could not be asked', failure);
          return { now: undefined, isReached };
        },
      ),
    [workspaceSlug, slug],
  );
  return useResolved(enabled ? find : undefined, online);
}

/** The space of the present page. */
export function useSpaceAddress(): SpaceAddress {
  const { workspace_slug: workspaceSlug = '', space_slug: slug = '' } = useParams();
  const navigate = useNavigate();
  const firstSync = useFirstSync();
  const here = useSpaceBySlug(slug);
  const [last, setLast] = useState<{ slug: string; id: Space['id'] }>();
  if (here && (last?.slug !== slug || last.id !== here.id)) setLast({ slug, id: here.id });
  // The space that had this address a moment ago may only have been renamed.
  const earlier = useSpace(last?.slug === slug ? last.id : undefined);
  const moved = !here && earlier?.deletedAt === null ? earlier.slug : undefined;
  const isMissing = !here && moved === undefined && firstSync.state === 'ready';
  const answer = useRenamedOnServer(workspaceSlug, slug, isMissing && earlier === undefined);
  const target = moved ?? (answer?.now === slug ? undefined : answer?.now);
  useEffect(() => {
    if (target === undefined) return;
    const to = pathTo('space', { workspace_slug: workspaceSlug, space_slug: target });
    void navigate(`${to}${location.search}`, { replace: true, preventScrollReset: true });
  }, [navigate, workspaceSlug, target]);
  if (here) return { space: here, state: 'found' };
  const isUnknown = isMissing && target === undefined && (earlier !== undefined || answer !== undefined);
  if (!isUnknown) return { space: undefined, state: 'looking' };
  return { space: undefined, state: answer?.isReached === false ? 'offline' : 'unknown' };
}
