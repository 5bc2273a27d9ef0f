/**
 * Queries of the replica for memories: rows, their spaces, tags in use, and permissions of this person. They work
 * offline.
 */
import { useCallback, useMemo } from 'react';
import type { Head } from '#shared/entities.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { can, type Action } from '#shared/permissions.ts';
import { memorySubject } from '#shared/spaces/grant-level.ts';
import type { Space } from '#shared/spaces/space.ts';
import type { SpaceMemory } from '#shared/spaces/space-memory.ts';
import { useReplica } from '#client/replica/replica-context.tsx';
import { useIsWhole, type Known } from '#client/replica/use-known.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { useActor, useWorkspace } from '#client/workspaces/queries.ts';
import type { ListScope } from '#client/memories/list-view.ts';

/** Rows of a scope, newest first: deleted ones, or all others. */
export function useMemoryRows(scope: ListScope): readonly MemoryHead[] {
  return useQuery((view) => (scope === 'deleted' ? view.deleted('memory') : view.list('memory')), [scope]);
}

/** One memory, deleted ones included; undefined when the replica has none of this id. */
export function useMemory(id: string | undefined): MemoryHead | undefined {
  return useQuery((view) => (id === undefined ? undefined : view.peek('memory', id)), [id]);
}

/** Several memories in the given order; unknown ids are left out. */
export function useMemoriesById(ids: readonly string[]): readonly MemoryHead[] {
  return useQuery(
    (view) => ids.map((id) => view.peek('memory', id)).filter((row) => row !== undefined),
    [ids],
  );
}

/** Live spaces of a memory; a new function whenever links or spaces change, so that it can be a dependency. */
export function useSpacesOf(): (memoryId: string) => readonly Space[] {
  return useQuery((view) => {
    // The read records that the result depends on links.
    view.spacesOf('');
    view.count('space');
    return (memoryId: string) => view.spacesOf(memoryId);
  }, []);
}

/** The same, undefined while it is not known: the first rows of the device or the server come without their spaces. */
export function useKnownSpacesOf(): (memoryId: string) => Known<readonly Space[]> {
  const spacesOf = useSpacesOf();
  const isWhole = useIsWhole();
  const { lastScreens } = useReplica();
  const workspaceId = useWorkspace()?.id ?? '';
  const isKnown = isWhole || lastScreens.has(workspaceId);
  return (memoryId) => (isKnown ? spacesOf(memoryId) : undefined);
}

export function useSpaceLinks(): readonly SpaceMemory[] {
  return useQuery((view) => view.list('space_memory'), []);
}

/** Tags of the workspace with how often they are used, most used first. */
export function useTagCounts(): readonly (readonly [tag: string, count: number])[] {
  const rows = useMemoryRows('active');
  return useMemo(() => {
    const counts = new Map<string, number>();
    for (const row of rows) for (const tag of row.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  }, [rows]);
}

/** Whether this person may perform an action on a memory; for the state of buttons. */
export function useMemoryRights(): (
  action: Action,
  row: Pick<MemoryHead, 'id' | 'ownerId' | 'spaceId'>,
) => boolean {
  const actor = useActor();
  const spaces = useQuery((view) => view.list('space'), []);
  const grants = useQuery((view) => view.list('grant'), []);
  const spacesOf = useSpacesOf();
  const byId = useMemo(
    () => new Map<string, Head<'space'>>(spaces.map((space) => [space.id, space])),
    [spaces],
  );
  return useCallback(
    (action, row) => {
      const home = row.spaceId === null ? null : byId.get(row.spaceId);
      const places = { home, filedIn: grants.length === 0 ? [] : spacesOf(row.id) };
      return can(actor, action, memorySubject(row, places, { actor, grants }));
    },
    [actor, byId, grants, spacesOf],
  );
}

/** Memories filed in a space, newest first. */
export function useMemoriesIn(spaceId: string): readonly MemoryHead[] {
  return useQuery((view) => view.memoriesIn(spaceId), [spaceId]);
}
