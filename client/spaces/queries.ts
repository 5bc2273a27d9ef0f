/**
 * What views read of spaces: the list, one of them, how many memories it holds, and what this person may do to it.
 * Reads of the replica only.
 */
import { useCallback, useMemo } from 'react';
import type { Id } from '#shared/ids.ts';
import { can, type Action } from '#shared/permissions.ts';
import type { Space } from '#shared/spaces/space.ts';
import { workspaceReads } from '#shared/spaces/visibility.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { useActor, useWorkspace } from '#client/workspaces/queries.ts';

/** All spaces that are not deleted, by name. */
export function useSpaces(): readonly Space[] {
  const rows = useQuery((view) => view.list('space'), []);
  return useMemo(() => {
    const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
    return rows.toSorted((a, b) => collator.compare(a.name, b.name));
  }, [rows]);
}

/** One space, deleted ones included. */
export function useSpace(id: string | null | undefined): Space | undefined {
  return useQuery((view) => (id ? view.peek('space', id) : undefined), [id]);
}

/** Whether this person may do something to a given space; for the state of buttons. */
export function useSpaceRights(): (action: Action, row: Pick<Space, 'ownerId' | 'visibility'>) => boolean {
  const actor = useActor();
  return useCallback(
    (action, row) =>
      can(actor, action, { ownerId: row.ownerId, workspaceReads: workspaceReads(row.visibility) }),
    [actor],
  );
}

/** Whether this person may show a space to people outside the workspace; `ownerId` is their own for a new space. */
export function useMayPublishSpaces(ownerId?: string): boolean {
  const actor = useActor();
  const publicSharing = useWorkspace()?.allowPublicSharing ?? true;
  return can(actor, 'space.publish', { ownerId: ownerId ?? actor.userId, publicSharing });
}

/** Space by its address; undefined when this device knows none. */
export function useSpaceBySlug(slug: string): Space | undefined {
  return useQuery((view) => view.list('space').find((space) => space.slug === slug), [slug]);
}

/** How many memories a space holds. */
export function useSpaceCount(id: Id<'space'>): number {
  return useQuery((view) => view.countIn(id), [id]);
}

/** Memories of every space by its id, counted in one pass. */
export function useSpaceCounts(): ReadonlyMap<string, number> {
  return useQuery((view) => {
    const counts = new Map<string, number>();
    for (const { spaceId, memoryId } of view.list('space_memory')) {
      if (view.get('memory', memoryId)) counts.set(spaceId, (counts.get(spaceId) ?? 0) + 1);
    }
    return counts;
  }, []);
}

/** Memories of a space, and how many of them are in no other. */
export function useSpaceShare(id: Id<'space'>): { total: number; onlyHere: number } {
  return useQuery(
    (view) => {
      const rows = view.memoriesIn(id);
      const onlyHere = rows.filter((row) => view.spacesOf(row.id).every((space) => space.id === id)).length;
      return { total: rows.length, onlyHere };
    },
    [id],
  );
}

/** Spaces that were deleted and can still be brought back, newest first. */
export function useDeletedSpaces(): readonly Space[] {
  return useQuery((view) => view.deleted('space'), []);
}
