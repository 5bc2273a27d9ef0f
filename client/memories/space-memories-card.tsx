/**
 * The memories of one space: filtered and ordered as in the address, a drop target for memories, and actions to add and
 * remove them. The page around it describes the space.
 */
import { clsx } from 'clsx';
import { Archive, FolderMinus, FolderPlus, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import type { Space } from '#shared/spaces/space.ts';
import { ListFilters } from '#client/memories/list-filters.tsx';
import { isFiltered, timeOf, type ListView } from '#client/memories/list-view.ts';
import { ListSourceContext } from '#client/memories/list-source.ts';
import { MemoriesCard } from '#client/memories/memories-card.tsx';
import { MemoryPicker } from '#client/memories/memory-picker.tsx';
import { useMemoriesIn, useMemoryRows, useSpaceLinks } from '#client/memories/queries.ts';
import { selectMemories } from '#client/memories/select-memories.ts';
import { useFiling } from '#client/memories/use-filing.ts';
import { useLayoutChoice } from '#client/memories/use-layout-choice.ts';
import { useListView } from '#client/memories/use-list-view.ts';
import { useKnown } from '#client/replica/use-known.ts';
import { useSpaceRights } from '#client/spaces/queries.ts';
import { FirstSyncNotice } from '#client/shell/first-sync-notice.tsx';
import { useMemoryDrop } from '#client/shell/drag.ts';
import { openModal } from '#client/shell/modals.ts';
import { Button } from '#client/ui/button.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import type { MenuEntry } from '#client/ui/menu-entry.ts';

/** A button with the dialog that files existing memories in the space. */
export function AddMemoriesButton({ space, prominent = false }: { space: Space; prominent?: boolean }) {
  const [open, setOpen] = useState(false);
  const file = useFiling();
  return (
    <>
      <Button
        {...(prominent ? {} : { size: 'sm' as const })}
        icon={<FolderPlus />}
        onClick={() => setOpen(true)}
      >
        Add memories
      </Button>
      {open && (
        <Candidates
          space={space}
          close={() => setOpen(false)}
          add={(rows) => file(rows, space, { on: true })}
        />
      )}
    </>
  );
}

function Candidates({
  space,
  close,
  add,
}: {
  space: Space;
  close: () => void;
  add: (ids: readonly MemoryHead['id'][]) => void;
}) {
  const all = useMemoryRows('active');
  const links = useSpaceLinks();
  const rows = useMemo(() => {
    const filed = new Set<string>();
    for (const { spaceId, memoryId } of links) if (spaceId === space.id) filed.add(memoryId);
    return all.filter((row) => !row.archived && !filed.has(row.id));
  }, [all, links, space.id]);
  return (
    <MemoryPicker
      open
      onOpenChange={close}
      title={`Add to ${space.name}`}
      rows={rows}
      emptyText={rows.length === 0 ? 'Every memory is already in this space.' : 'No memory with this title.'}
      onAdd={add}
    />
  );
}

/** Why the list is empty. */
function Nothing({ space, view, clear }: { space: Space; view: ListView; clear: () => void }) {
  const rights = useSpaceRights();
  if (isFiltered(view)) {
    return (
      <EmptyState
        title="Nothing matches these filters"
        action={<Button onClick={clear}>Clear filters</Button>}
      />
    );
  }
  if (view.scope === 'archived') return <EmptyState title="Nothing archived in here" />;
  const may = rights('space.file', space);
  return (
    <EmptyState
      title="Nothing in this space yet"
      action={
        may && (
          <>
            <Button
              variant="primary"
              icon={<Plus />}
              onClick={() => openModal('createMemory', { spaceId: space.id })}
            >
              Save a memory
            </Button>
            <AddMemoriesButton space={space} prominent />
          </>
        )
      }
    >
      {may
        ? 'Save something new here, or add what you already have. Memories can also be dragged onto the space in the sidebar.'
        : 'What is added to this space appears here.'}
    </EmptyState>
  );
}

function useRemoval(space: Space): (row: MemoryHead) => readonly MenuEntry[] {
  const file = useFiling();
  const rights = useSpaceRights();
  const may = rights('space.file', space);
  return (row) => [
    may && {
      label: 'Remove from this space',
      icon: <FolderMinus />,
      run: () => file([row.id], space, { on: false }),
    },
  ];
}

const WITHOUT_SPACE = ['space'] as const;

/** Pass the space's id as key. */
export function SpaceMemories({ space }: { space: Space }) {
  const [asked, setView] = useListView();
  const view = useMemo(
    (): ListView => ({ ...asked, space: [], scope: asked.scope === 'archived' ? asked.scope : 'active' }),
    [asked],
  );
  const [layout, setLayout] = useLayoutChoice(space.id);
  const newestFirst = useMemoriesIn(space.id);
  const links = useSpaceLinks();
  const source = useMemo(() => ({ newestFirst, links }), [newestFirst, links]);
  const rows = useMemo(() => selectMemories(source, view), [source, view]);
  const archived = useKnown(
    (replica) => replica.memoriesIn(space.id).filter((row) => row.archived).length,
    [space.id],
  );
  const moreEntries = useRemoval(space);
  const rights = useSpaceRights();
  const file = useFiling();
  const { ref, over } = useMemoryDrop<HTMLDivElement>(
    (ids) => file(ids, space, { on: true }),
    rights('space.file', space),
  );
  const label = view.scope === 'archived' ? `Archived in ${space.name}` : `Memories in ${space.name}`;
  return (
    <div
      ref={ref}
      className={clsx(
        'flex flex-col gap-1.5 rounded-card',
        over && 'outline-2 outline-offset-4 outline-primary',
      )}
    >
      {(rows.length > 0 || isFiltered(view)) && (
        <ListSourceContext value={source}>
          <ListFilters
            view={view}
            onView={setView}
            layout={layout}
            onLayout={setLayout}
            without={WITHOUT_SPACE}
          />
        </ListSourceContext>
      )}
      {rows.length > 0 ? (
        <MemoriesCard
          key={view.scope}
          label={label}
          rows={rows}
          layout={layout}
          dated={timeOf(view)}
          within={space.id}
          moreEntries={moreEntries}
        />
      ) : (
        <FirstSyncNotice>
          <Nothing
            space={space}
            view={view}
            clear={() => setView({ ...view, tag: [], type: [], origin: [] })}
          />
        </FirstSyncNotice>
      )}
      {(view.scope === 'archived' || (archived !== undefined && archived > 0)) && (
        <Button
          size="sm"
          variant="ghost"
          className="self-center"
          icon={<Archive />}
          onClick={() => setView({ ...view, scope: view.scope === 'archived' ? 'active' : 'archived' })}
        >
          {view.scope === 'archived' ? 'Back to the space' : `${archived} archived`}
        </Button>
      )}
    </div>
  );
}
