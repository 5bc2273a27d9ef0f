/** Queries of the replica for spaces: the list, one space, its number of memories, and permissions of this person. */
import { useCallback, useMemo } from 'react';
import type { Id } from '#shared/ids.ts';
import { can, type Action } from '#shared/permissions.ts';
import { grantedSubject, levelOn, type GrantPlace } from '#shared/spaces/grant-level.ts';
import type { Grant } from '#shared/spaces/grant.ts';
import { arrangeSpaces, type SidebarSection } from '#shared/spaces/sidebar-order.ts';
import type { Space } from '#shared/spaces/space.ts';
import { publishingSubjectOf, subjectOf } from '#shared/subject.ts';
import { usePerson } from '#client/api/session.ts';
import { useKnown, type Known } from '#client/replica/use-known.ts';
import { useQuery } from '#client/replica/use-query.ts';
import type { SpaceContents } from '#client/spaces/share-words.ts';
import { useActor, useWorkspace } from '#client/workspaces/queries.ts';
import { countOf, sortedByName } from '#shared/english.ts';

/** All spaces that are not deleted, by name. */
export function useSpaces(): readonly Space[] {
  const rows = useQuery((view) => view.list('space'), []);
  return useMemo(() => sortedByName(rows, ({ name }) => name), [rows]);
}

const UNARRANGED = { pinned: [], order: [], collapsed: [] } as const;

/** How the person has arranged the spaces of the open workspace. */
export interface Arrangement extends Readonly<Record<SidebarSection, readonly Space[]>> {
  collapsed: readonly SidebarSection[];
}

const NONE_PINNED: readonly Id<'space'>[] = [];

/** Ids of the spaces that this person has pinned, including deleted ones. */
export function usePinnedIds(): readonly Id<'space'>[] {
  return useQuery((view) => view.get('sidebar', view.userId)?.pinned ?? NONE_PINNED, []);
}

/** The spaces as this person has arranged them, each in one section. */
export function useArrangement(): Arrangement {
  const byName = useSpaces();
  const row = useQuery((view) => view.get('sidebar', view.userId), []) ?? UNARRANGED;
  return useMemo(() => ({ ...arrangeSpaces(byName, row), collapsed: row.collapsed }), [byName, row]);
}

const NO_FILTERS: Readonly<Record<string, string>> = {};

/** The lists that this person has saved, by name: a name and the parameters of its address. */
export function useSavedFilters(): readonly (readonly [name: string, query: string])[] {
  const filters = useQuery((view) => view.get('sidebar', view.userId)?.filters ?? NO_FILTERS, []);
  return useMemo(() => sortedByName(Object.entries(filters), ([name]) => name), [filters]);
}

/** One space, deleted ones included. */
export function useSpace(id: string | null | undefined): Space | undefined {
  return useQuery((view) => (id ? view.peek('space', id) : undefined), [id]);
}

const NO_GRANTS: readonly Grant[] = [];

/** Grants on a space or a thread, oldest first; a device only has the grants that its person may see. */
export function useGrants(resourceId: string): readonly Grant[] {
  const rows = useQuery((view) => view.list('grant'), []);
  return useMemo(() => {
    const found = rows.filter((row) => row.resourceId === resourceId);
    return found.length === 0 ? NO_GRANTS : found.toReversed();
  }, [rows, resourceId]);
}

/** Whether this person may perform an action on a space or thread; for the state of buttons. */
export function usePlaceRights(): (action: Action, row: GrantPlace & { ownerId: string }) => boolean {
  const actor = useActor();
  const grants = useQuery((view) => view.list('grant'), []);
  return useCallback(
    (action, row) =>
      can(actor, action, grantedSubject(subjectOf(row, row), actor, levelOn(row, actor, grants))),
    [actor, grants],
  );
}

/** Whether this person may perform an action on a space; for the state of buttons. */
export function useSpaceRights(): (
  action: Action,
  row: Pick<Space, 'id' | 'ownerId' | 'visibility'>,
) => boolean {
  return usePlaceRights();
}

/** Whether this person may show a space to people outside the workspace; `ownerId` is their own for a new space. */
export function useMayPublishSpaces(ownerId?: string): boolean {
  const actor = useActor();
  const workspace = useWorkspace();
  return can(actor, 'space.publish', publishingSubjectOf({ ownerId: ownerId ?? actor.userId }, workspace));
}

/** Space by its address; undefined when this device does not have it. */
export function useSpaceBySlug(slug: string): Space | undefined {
  return useQuery((view) => view.list('space').find((space) => space.slug === slug), [slug]);
}

/** How many memories a space holds. */
export function useSpaceCount(id: Id<'space'>): Known<number> {
  return useKnown((view) => view.countIn(id), [id]);
}

/** Memories of every space by its id, counted in one pass. */
export function useSpaceCounts(): Known<ReadonlyMap<string, number>> {
  return useKnown((view) => {
    const counts = new Map<string, number>();
    for (const { spaceId, memoryId } of view.list('space_memory')) {
      if (view.get('memory', memoryId)) counts.set(spaceId, (counts.get(spaceId) ?? 0) + 1);
    }
    return counts;
  }, []);
}

/** Memories of a space, and how many of them are in no other. */
export function useSpaceShare(id: Id<'space'>): Known<{ total: number; onlyHere: number }> {
  return useKnown(
    (view) => {
      const rows = view.memoriesIn(id);
      const onlyHere = rows.filter((row) => view.spacesOf(row.id).every((space) => space.id === id)).length;
      return { total: rows.length, onlyHere };
    },
    [id],
  );
}

/** Published contents of a space beside titles; long texts count although they are not on this device. */
export function useSpaceContents(id: Id<'space'>): Known<SpaceContents> {
  return useKnown(
    (view) => {
      const rows = view.memoriesIn(id).filter(({ archived }) => !archived);
      const written = rows.filter(({ bodyBytes }) => bodyBytes > 0);
      const notes = written.filter(({ type }) => type === 'note').length;
      return { notes, annotated: written.length - notes };
    },
    [id],
  );
}

/** Spaces that were deleted and can still be restored, newest first. */
export function useDeletedSpaces(): readonly Space[] {
  return useQuery((view) => view.deleted('space'), []);
}

/** Whether this person may list something publicly: strangers see only what people with a proven address publish. */
export function useMayList(): boolean {
  return usePerson()?.user.emailVerified !== false;
}

/** The names of the spaces that a key or app is limited to; null means every space. */
export function limitText(
  spaceIds: readonly Id<'space'>[] | null,
  nameOfSpace: (id: Id<'space'>) => string | undefined,
): string {
  if (spaceIds === null) return 'All spaces';
  const names = spaceIds.flatMap((id) => nameOfSpace(id) ?? []);
  const gone = spaceIds.length - names.length;
  const rest = gone === 0 ? [] : [countOf(gone, 'space you cannot see', 'spaces you cannot see')];
  return [...names, ...rest].join(', ');
}
