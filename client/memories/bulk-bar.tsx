/**
 * The floating bar for marked memories: how many, and what can be done to all of them at once.
 * Offers only what this person may do to at least one; acts leave the others alone.
 */
import { Archive, ArchiveRestore, FolderInput, FolderPlus, Hash, Trash2, Undo2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { archiveMemories, removeMemories, restoreMemories } from '#client/memories/actions.ts';
import { openHomePicker, openSpacePicker, openTagPicker } from '#client/memories/organize-state.ts';
import { useMemoryRights } from '#client/memories/queries.ts';
import type { Selecting } from '#client/memories/use-selection.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { Button } from '#client/ui/button.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { LiveRegion } from '#client/ui/live-region.tsx';

interface BulkBarProps {
  /** The marked rows. */
  rows: readonly MemoryHead[];
  /** Rows in the whole list. */
  total: number;
  selecting: Selecting;
}

function Acts({ rows, done }: { rows: readonly MemoryHead[]; done: () => void }): ReactNode {
  const rights = useMemoryRights();
  const editable = rows.filter((row) => row.deletedAt === null && rights('memory.update', row));
  const removable = rows.filter((row) => rights('memory.remove', row));
  const deleted = removable.filter((row) => row.deletedAt !== null);
  const ids = editable.map(({ id }) => id);
  const movable = editable.filter((row) => rights('memory.move', row));
  const archiving = editable.some((row) => !row.archived);
  const act = (run: Promise<void>) => {
    void run;
    done();
  };
  return (
    <>
      {editable.length > 0 && (
        <>
          <IconButton
            label="Tags"
            keys={keysOf('memory.tags')}
            icon={<Hash />}
            onClick={() => openTagPicker(ids)}
          />
          <IconButton
            label="Add to space"
            keys={keysOf('memory.move')}
            icon={<FolderPlus />}
            onClick={() => openSpacePicker(ids)}
          />
          {movable.length > 0 && (
            <IconButton
              label="Move to"
              keys={keysOf('memory.home')}
              icon={<FolderInput />}
              onClick={() => openHomePicker(movable.map(({ id }) => id))}
            />
          )}
          <IconButton
            label={archiving ? 'Archive' : 'Unarchive'}
            keys={keysOf('memory.archive')}
            icon={archiving ? <Archive /> : <ArchiveRestore />}
            onClick={() => act(archiveMemories(editable, archiving))}
          />
        </>
      )}
      {deleted.length > 0 && (
        <IconButton label="Restore" icon={<Undo2 />} onClick={() => act(restoreMemories(deleted))} />
      )}
      {removable.length > deleted.length && (
        <IconButton
          label="Delete"
          keys={keysOf('memory.remove')}
          icon={<Trash2 />}
          onClick={() => act(removeMemories(removable))}
        />
      )}
    </>
  );
}

/** Stays mounted so that marking is announced. */
export function BulkBar({ rows, total, selecting }: BulkBarProps) {
  const count = rows.length;
  return (
    <>
      <LiveRegion text={count === 0 ? '' : `${count} selected`} />
      {count > 0 && (
        <div
          role="toolbar"
          aria-label="Selected memories"
          data-surface
          className="fixed inset-x-0 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-30 mx-auto flex w-fit max-w-[calc(100vw-1.5rem)] items-center gap-1 rounded-card bg-raised p-1.5 shadow-pop md:bottom-6"
        >
          <span className="px-2 text-sm font-medium whitespace-nowrap tabular-nums">{count} selected</span>
          {count < total && (
            <Button size="sm" variant="ghost" onClick={selecting.selectAll} className="max-sm:hidden">
              Select all {total}
            </Button>
          )}
          <span aria-hidden="true" className="mx-1 h-5 w-px bg-line" />
          <Acts rows={rows} done={selecting.clear} />
          <span aria-hidden="true" className="mx-1 h-5 w-px bg-line" />
          <IconButton
            label="Clear the selection"
            keys={keysOf('list.clear')}
            icon={<X />}
            onClick={selecting.clear}
          />
        </div>
      )}
    </>
  );
}
