/**
 * The dialogs that move memories to another home: the choice of a space or of none, and the confirmation of a move that
 * changes who can see them. Rendered by organize-modals.tsx.
 */
import { CircleDashed } from 'lucide-react';
import type { Id } from '#shared/ids.ts';
import { anonymousReads } from '#shared/spaces/visibility.ts';
import { closeOrganizing } from '#client/memories/organize-state.ts';
import { useMemoriesById } from '#client/memories/queries.ts';
import { readMove, useMoving } from '#client/memories/use-moving.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { SpaceMark } from '#client/spaces/space-mark-card.tsx';
import { useSpace, useSpaceRights, useSpaces } from '#client/spaces/queries.ts';
import { VisibilityMark } from '#client/spaces/visibility-card.tsx';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { PickerList, shareOf, type PickerOption } from '#client/ui/picker-list.tsx';

type MemoryIds = readonly Id<'memory'>[];

/** No id of a space. */
const NONE = '';

/** Every space the person may write to, and none. */
export function HomePicker({ ids }: { ids: MemoryIds }) {
  const rows = useMemoriesById(ids);
  const spaces = useSpaces();
  const rights = useSpaceRights();
  const move = useMoving();
  const livingIn = (spaceId: string | null) =>
    shareOf(rows.filter((row) => row.spaceId === spaceId).length, rows.length);
  const none: PickerOption = {
    value: NONE,
    label: 'No space',
    state: livingIn(null),
    icon: <CircleDashed aria-hidden="true" className="size-2.5! text-ink-faint" />,
    after: <VisibilityMark visibility="workspace" />,
  };
  const options = spaces
    .filter((space) => rights('space.file', space))
    .map((space): PickerOption => ({
      value: space.id,
      label: space.name,
      state: livingIn(space.id),
      icon: <SpaceMark color={space.color} />,
      after: <VisibilityMark visibility={space.visibility} />,
    }));
  return (
    <PickerList
      single
      label="Spaces"
      placeholder="Find a space"
      options={[none, ...options]}
      onToggle={(id) => move(ids, spaces.find((space) => space.id === id) ?? null)}
      emptyText="No space with this name that you can write to."
    />
  );
}

/** Explains who can see the memories after the move. */
export function MoveQuestion({ ids, spaceId }: { ids: MemoryIds; spaceId: Id<'space'> | null }) {
  const space = useSpace(spaceId);
  const move = useMoving();
  const sentences = useQuery(
    (view) => (spaceId === null || space ? readMove(view, ids, space ?? null) : []),
    [ids, spaceId, space],
  );
  if (spaceId !== null && !space) return null;
  const publishes = space !== undefined && anonymousReads(space.visibility);
  return (
    <Dialog
      open
      onOpenChange={closeOrganizing}
      size="sm"
      title={space ? `Move to ${space.name}?` : 'Move to no space?'}
      description={sentences.map((sentence) => (
        <span key={sentence} className="block not-first:mt-1.5">
          {sentence}
        </span>
      ))}
      actions={
        <>
          <Button onClick={closeOrganizing}>Cancel</Button>
          <Button variant="primary" onClick={() => move(ids, space ?? null, { confirmed: true })}>
            {publishes ? 'Move and publish' : 'Move'}
          </Button>
        </>
      }
    />
  );
}
