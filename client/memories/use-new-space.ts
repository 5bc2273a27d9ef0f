/**
 * A space made of a typed name, with memories in it. Read by the workspace, as new spaces are, unless one of the memories
 * lives where the workspace does not read: then it starts as private as that memory.
 */
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { newId, type Id } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import { space } from '#shared/spaces/space.ts';
import { VISIBILITY } from '#shared/spaces/visibility.ts';
import { useReader } from '#client/replica/use-query.ts';
import { fileInNewSpace } from '#client/spaces/actions.ts';
import { useSpaces } from '#client/spaces/queries.ts';
import { freshColor } from '#client/spaces/space-color.ts';
import { suggestSpaceSlug } from '#client/spaces/space-slug.ts';
import { useWorkspaceSlug } from '#client/workspaces/queries.ts';

/** The name as a space may have it; undefined for one that it may not have. */
export function spaceNameOf(text: string): string | undefined {
  return space.row.shape.name.safeParse(text).data;
}

/** Creates the space and files the memories there. */
export function useNewSpace(): (name: string, memoryIds: readonly Id<'memory'>[]) => Promise<void> {
  const spaces = useSpaces();
  const read = useReader();
  const navigate = useNavigate();
  const workspaceSlug = useWorkspaceSlug();
  return useCallback(
    (name, memoryIds) => {
      const isForAll = read((view) =>
        memoryIds.every((id) => {
          const homeId = view.peek('memory', id)?.spaceId ?? null;
          if (homeId === null) return true;
          const home = view.peek('space', homeId);
          return home !== undefined && VISIBILITY[home.visibility].workspaceReads;
        }),
      );
      const slug = suggestSpaceSlug(name, spaces);
      const fields = {
        id: newId('space'),
        name,
        slug,
        color: freshColor(spaces),
        visibility: isForAll ? ('workspace' as const) : ('private' as const),
      };
      const open = () => void navigate(pathTo('space', { workspace_slug: workspaceSlug, space_slug: slug }));
      return fileInNewSpace(fields, memoryIds, open);
    },
    [spaces, read, navigate, workspaceSlug],
  );
}
