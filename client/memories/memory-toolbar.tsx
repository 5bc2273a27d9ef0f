/**
 * The toolbar of an open memory: its kind, whether it is saved, and its actions. Narrow screens show the most important
 * actions and put the rest into the menu.
 */
import { clsx } from 'clsx';
import {
  Archive,
  ArchiveRestore,
  ExternalLink,
  Link2,
  Maximize2,
  Minimize2,
  MoreHorizontal,
  Trash2,
  X,
} from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useLocation } from 'react-router';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { archiveMemories, removeMemories } from '#client/memories/actions.ts';
import { KIND_LABELS } from '#client/memories/memory-kind.tsx';
import { MemorySign } from '#client/memories/memory-sign.tsx';
import { domainOf } from '#shared/memories/memory-text.ts';
import { useMemoryRights } from '#client/memories/queries.ts';
import { memoryAddress, useMemoryMenu } from '#client/memories/use-memory-menu.tsx';
import { copyAddress } from '#client/shell/copy-address.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { buttonStyle } from '#client/ui/button-style.ts';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';

interface MemoryToolbarProps {
  row: MemoryHead;
  /** Whether the viewer fills the window, which it always does on phones. */
  full: boolean;
  onFull: () => void;
  /** Called after the memory left the view it was opened from (deleted). */
  onGone: () => void;
}

/** Buttons by permission; the close button is always there. */
export function MemoryToolbar({ row, full, onFull, onGone }: MemoryToolbarProps) {
  const rights = useMemoryRights();
  const menuOf = useMemoryMenu();
  const { pathname } = useLocation();
  const mayEdit = row.deletedAt === null && rights('memory.update', row);
  const mayRemove = row.deletedAt === null && rights('memory.remove', row);
  return (
    <div className="flex h-13 shrink-0 items-center gap-1 border-b border-line px-4 sm:ps-8 sm:pe-4">
      <span className="flex min-w-0 flex-1 items-center gap-2 text-xs text-ink-faint">
        <MemorySign row={row} />
        <span className="truncate">{domainOf(row.url) ?? KIND_LABELS[row.type]}</span>
      </span>
      {row.url !== null && (
        <a
          href={row.url}
          target="_blank"
          rel="noopener noreferrer"
          className={clsx(buttonStyle({ variant: 'ghost', size: 'sm' }), 'max-sm:hidden')}
        >
          <ExternalLink aria-hidden="true" />
          Open original
        </a>
      )}
      <IconButton
        label="Copy link"
        icon={<Link2 />}
        className="max-sm:hidden"
        onClick={() => void copyAddress(memoryAddress(pathname, row.id))}
      />
      {mayEdit && (
        <IconButton
          label={row.archived ? 'Unarchive' : 'Archive'}
          keys={keysOf('memory.archive')}
          icon={row.archived ? <ArchiveRestore /> : <Archive />}
          onClick={() => void archiveMemories([row], !row.archived)}
        />
      )}
      {mayRemove && (
        <IconButton
          label="Delete"
          keys={keysOf('memory.remove')}
          icon={<Trash2 />}
          onClick={() => {
            onGone();
            void removeMemories([row]);
          }}
        />
      )}
      <DropdownMenu
        trigger={<PlainIconButton label="More" icon={<MoreHorizontal />} />}
        entries={menuOf(row)}
      />
      <IconButton
        label={full ? 'Leave full page' : 'Full page'}
        keys={keysOf('memory.full')}
        icon={full ? <Minimize2 /> : <Maximize2 />}
        className="max-sm:hidden"
        onClick={onFull}
      />
      <Radix.Close asChild>
        <PlainIconButton label="Close" icon={<X />} />
      </Radix.Close>
    </div>
  );
}
