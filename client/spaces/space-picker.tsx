/**
 * The choice of spaces for memories, in which a name that no space has yet makes one. It is read by the workspace, as new
 * spaces are, unless one of the memories lives where the workspace does not read: then it starts private.
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
import { suggestSpaceSlug } from '#client/spaces/space-slug.ts';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { PickerList, type PickerOption } from '#client/ui/picker-list.tsx';

/** The name as a space may have it; undefined for one that it may not have. */
function spaceNameOf(text: string): string | undefined {
  return space.row.shape.name.safeParse(text).data;
}

/** Creates the space and files the memories there. */
function useNewSpace(): (name: string, memoryIds: readonly Id<'memory'>[]) => Promise<void> {
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
        visibility: isForAll ? ('workspace' as const) : ('private' as const),
      };
      const open = () => void navigate(pathTo('space', { workspace_slug: workspaceSlug, space_slug: slug }));
      return fileInNewSpace(fields, memoryIds, open);
    },
    [spaces, read, navigate, workspaceSlug],
  );
}

interface SpacePickerProps {
  memoryIds: readonly Id<'memory'>[];
  options: readonly PickerOption[];
  onToggle: (spaceId: string) => void;
  /** Called when a space is being made. */
  onMake: () => void;
}

/** The list with its field. */
export function SpacePicker({ memoryIds, options, onToggle, onMake }: SpacePickerProps) {
  const spaces = useSpaces();
  const mayCreate = useCan()('space.create');
  const makeSpace = useNewSpace();
  return (
    <PickerList
      label="Spaces"
      placeholder={mayCreate ? 'Find or create a space' : 'Find a space'}
      options={options}
      onToggle={onToggle}
      creatable={(text) => (mayCreate ? spaceNameOf(text) : undefined)}
      onCreate={(name) => {
        onMake();
        void makeSpace(name, memoryIds);
      }}
      emptyText={spaces.length === 0 ? 'There are no spaces yet.' : 'No space with this name.'}
    />
  );
}
