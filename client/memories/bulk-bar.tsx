/**
 * The floating bar for marked memories: how many, and what can be done to all of them at once. Offers only actions that this
 * person may perform on at least one; they skip the others.
 */
import { Archive, ArchiveRestore, FolderInput, FolderPlus, Hash, Trash2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { archiveMemories, removeMemories, restoreMemories } from '#client/memories/actions.ts';
import { openHomePicker, openSpacePicker, openTagPicker } from '#client/memories/organize-state.ts';
import { useMemoryRights } from '#client/memories/queries.ts';
import { SelectionBar } from '#client/shell/selection-bar.tsx';
import type { Selecting } from '#client/shell/use-selection.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { IconButton } from '#client/ui/icon-button.tsx';

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

export function BulkBar({ rows, total, selecting }: BulkBarProps) {
  return (
    <SelectionBar
      label="Selected memories"
      count={rows.length}
      total={total}
      onSelectAll={selecting.selectAll}
      onClear={selecting.clear}
    >
      <Acts rows={rows} done={selecting.clear} />
    </SelectionBar>
  );
}
