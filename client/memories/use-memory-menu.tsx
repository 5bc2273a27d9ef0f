/**
 * Everything that can be done to one memory, as menu entries: the same list for the button and the right click.
 * Leaves out what this person may not do.
 */
import {
  Archive,
  ArchiveRestore,
  CopyPlus,
  ExternalLink,
  FolderInput,
  FolderPlus,
  Hash,
  Pencil,
  RotateCw,
  PanelRightOpen,
  Trash2,
  Undo2,
} from 'lucide-react';
import { useLocation } from 'react-router';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { archiveMemories, removeMemories, restoreMemories, retryMemory } from '#client/memories/actions.ts';
import { canRetry } from '#client/memories/memory-status.tsx';
import { openHomePicker, openSpacePicker, openTagPicker } from '#client/memories/organize-state.ts';
import { useMemoryRights } from '#client/memories/queries.ts';
import { copyAddress } from '#client/shell/copy-address.ts';
import { searchWithMemory, useOpenMemory } from '#client/shell/memory-address.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import type { MenuEntry } from '#client/ui/menu-entry.ts';

/** Full address of a memory over the home page of its workspace. */
export function memoryAddress(pathname: string, memoryId: string): string {
  const slug = pathname.split('/')[1] ?? '';
  return `${location.origin}/${slug}${searchWithMemory('', memoryId)}`;
}

/** Builds the entries of a memory; `more` is placed before destructive entries. */
export function useMemoryMenu(): (row: MemoryHead, more?: readonly MenuEntry[]) => MenuEntry[] {
  const rights = useMemoryRights();
  const openMemory = useOpenMemory();
  const { pathname } = useLocation();
  return (row, more = []) => {
    const mayEdit = rights('memory.update', row);
    const mayRemove = rights('memory.remove', row);
    if (row.deletedAt !== null) {
      return [
        ...more,
        mayRemove && { label: 'Restore', icon: <Undo2 />, run: () => void restoreMemories([row]) },
      ];
    }
    return [
      { label: 'Open', icon: <PanelRightOpen />, keys: keysOf('list.open'), run: () => openMemory(row.id) },
      mayEdit && {
        label: 'Edit',
        icon: <Pencil />,
        keys: keysOf('memory.edit'),
        run: () => openMemory(row.id, { edit: true }),
      },
      row.url !== null && {
        label: 'Open original',
        icon: <ExternalLink />,
        run: () => void window.open(row.url ?? '', '_blank', 'noopener,noreferrer'),
      },
      {
        label: 'Copy link',
        icon: <CopyPlus />,
        run: () => void copyAddress(memoryAddress(pathname, row.id)),
      },
      { kind: 'line' },
      mayEdit && {
        label: 'Tags…',
        icon: <Hash />,
        keys: keysOf('memory.tags'),
        run: () => openTagPicker([row.id]),
      },
      mayEdit && {
        label: 'Add to space…',
        icon: <FolderPlus />,
        keys: keysOf('memory.move'),
        run: () => openSpacePicker([row.id]),
      },
      rights('memory.move', row) && {
        label: 'Move to…',
        icon: <FolderInput />,
        keys: keysOf('memory.home'),
        run: () => openHomePicker([row.id]),
      },
      mayEdit &&
        canRetry(row) && { label: 'Try again', icon: <RotateCw />, run: () => void retryMemory(row) },
      ...more,
      mayEdit && {
        label: row.archived ? 'Unarchive' : 'Archive',
        icon: row.archived ? <ArchiveRestore /> : <Archive />,
        keys: keysOf('memory.archive'),
        run: () => void archiveMemories([row], !row.archived),
      },
      mayRemove && {
        label: 'Delete',
        icon: <Trash2 />,
        tone: 'danger',
        keys: keysOf('memory.remove'),
        run: () => void removeMemories([row]),
      },
    ];
  };
}
