/**
 * The dialogs that tag, file and move memories, one or many: a filter field and a list of what can be chosen.
 * Rendered once by the dashboard; opened through organize-state.ts.
 */
import { useMemo } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { tag as tagSchema } from '#shared/define/fields.ts';
import type { Id } from '#shared/ids.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { VISIBILITY } from '#shared/spaces/visibility.ts';
import { tagMemories } from '#client/memories/actions.ts';
import { HomePicker, MoveQuestion } from '#client/memories/move-modals.tsx';
import { closeOrganizing, useOrganizing } from '#client/memories/organize-state.ts';
import { useMemoriesById, useSpacesOf, useTagCounts } from '#client/memories/queries.ts';
import { useFiling } from '#client/memories/use-filing.ts';
import { SpaceMark } from '#client/spaces/space-mark-card.tsx';
import { SpacePicker } from '#client/spaces/space-picker.tsx';
import { useSpace, useSpaceRights, useSpaces } from '#client/spaces/queries.ts';
import { openModal } from '#client/shell/modals.ts';
import { useCan } from '#client/workspaces/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { PickerList, shareOf, type PickerOption } from '#client/ui/picker-list.tsx';

type MemoryIds = readonly Id<'memory'>[];

function heading(what: string, rows: readonly MemoryHead[]): string {
  return rows.length === 1 ? what : `${what} of ${rows.length} memories`;
}

function TagPicker({ ids }: { ids: MemoryIds }) {
  const rows = useMemoriesById(ids);
  const known = useTagCounts();
  const options = useMemo(() => {
    const counts = new Map(known);
    const own = new Set(rows.flatMap((row) => row.tags));
    const names = [...own, ...known.map(([name]) => name).filter((name) => !own.has(name))];
    return names.map((name): PickerOption => {
      const on = rows.filter((row) => row.tags.includes(name)).length;
      return { value: name, label: name, state: shareOf(on, rows.length), after: counts.get(name) };
    });
  }, [known, rows]);
  const toggle = (name: string) => {
    const isOn = options.find((option) => option.value === name)?.state === 'on';
    void tagMemories(rows, name, !isOn);
  };
  const full = rows.some((row) => row.tags.length >= LIMITS.tagCount);
  return (
    <PickerList
      label={heading('Tags', rows)}
      placeholder="Find or create a tag"
      options={options}
      onToggle={toggle}
      creatable={(text) => (full ? undefined : tagSchema.safeParse(text).data)}
      onCreate={(name) => void tagMemories(rows, name, true)}
      emptyText={full ? `At most ${LIMITS.tagCount} tags` : 'Type to create the first tag'}
    />
  );
}

function FilingPicker({ ids }: { ids: MemoryIds }) {
  const spaces = useSpaces();
  const rights = useSpaceRights();
  const can = useCan();
  const spacesOf = useSpacesOf();
  const file = useFiling();
  const mayCreate = can('space.create');
  const options = spaces
    .filter((space) => rights('space.file', space))
    .map((space): PickerOption => {
      const on = ids.filter((id) => spacesOf(id).some((filed) => filed.id === space.id)).length;
      return {
        value: space.id,
        label: space.name,
        state: shareOf(on, ids.length),
        icon: <SpaceMark color={space.color} />,
      };
    });
  const toggle = (spaceId: string) => {
    const space = spaces.find(({ id }) => id === spaceId);
    const isOn = options.find((option) => option.value === spaceId)?.state === 'on';
    if (space) file(ids, space, { on: !isOn });
  };
  return (
    <>
      <SpacePicker memoryIds={ids} options={options} onToggle={toggle} onMake={closeOrganizing} />
      {mayCreate && (
        <Button
          variant="ghost"
          className="mt-2"
          onClick={() => {
            closeOrganizing();
            openModal('createSpace', { memoryIds: ids });
          }}
        >
          New space with {ids.length === 1 ? 'this memory' : `these ${ids.length} memories`}
        </Button>
      )}
    </>
  );
}

function PublishQuestion({ ids, spaceId }: { ids: MemoryIds; spaceId: Id<'space'> }) {
  const space = useSpace(spaceId);
  const file = useFiling();
  if (!space) return null;
  const what = ids.length === 1 ? 'this memory' : `these ${ids.length} memories`;
  return (
    <Dialog
      open
      onOpenChange={closeOrganizing}
      size="sm"
      title={`Add to ${space.name}?`}
      description={`${VISIBILITY[space.visibility].description} That will include the title, description, summary, address and tags of ${what}. Notes stay in the workspace.`}
      actions={
        <>
          <Button onClick={closeOrganizing}>Cancel</Button>
          <Button
            variant="primary"
            onClick={() => {
              closeOrganizing();
              file(ids, space, { on: true, confirmed: true });
            }}
          >
            Add and publish
          </Button>
        </>
      }
    />
  );
}

/** Title and list of each dialog with a filter field. */
const PICKERS = {
  tags: { title: 'Tags', Picker: TagPicker },
  spaces: { title: 'Add to space', Picker: FilingPicker },
  home: { title: 'Move to', Picker: HomePicker },
} as const;

/** All of them; one at a time. */
export function OrganizeModals() {
  const organizing = useOrganizing();
  if (organizing.what === 'none') return null;
  if (organizing.what === 'publish')
    return <PublishQuestion ids={organizing.ids} spaceId={organizing.spaceId} />;
  if (organizing.what === 'move') return <MoveQuestion ids={organizing.ids} spaceId={organizing.spaceId} />;
  const { what, ids } = organizing;
  const { title, Picker } = PICKERS[what];
  const description = ids.length === 1 ? undefined : `For ${ids.length} memories`;
  return (
    <Dialog open onOpenChange={closeOrganizing} size="sm" title={title} description={description}>
      <Picker ids={ids} />
    </Dialog>
  );
}
