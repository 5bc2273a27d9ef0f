/**
 * Shared parts of a row and a card: the link over the whole item, its checkbox, menu and drag source. The link is the
 * item's only tab stop; the rest is reached by shortcuts of the list or by pointer.
 */
import { clsx } from 'clsx';
import { MoreHorizontal } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import type { MemoryItem } from '#client/memories/memory-item.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import { useMemoryDrag } from '#client/shell/drag.ts';
import { searchWithMemory, type MemoryLinkState } from '#client/shell/memory-address.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { LazyMenu } from '#client/ui/lazy-menu.tsx';

const STATE: MemoryLinkState = { overPage: true };

/** The outer element with its drag; the right click is the list's. */
export function ItemFrame({
  item,
  className,
  children,
}: {
  item: MemoryItem;
  className: string;
  children: ReactNode;
}) {
  const drag = useMemoryDrag<HTMLDivElement>(item.dragIds, item.draggable);
  return (
    <div
      ref={drag}
      data-selected={item.selected || undefined}
      className={clsx('group/item relative', className)}
    >
      {children}
    </div>
  );
}

function hasModifier({ metaKey, ctrlKey, altKey }: MouseEvent): boolean {
  return metaKey || ctrlKey || altKey;
}

/** The title as a link that covers the whole item. */
export function ItemLink({ item, className }: { item: MemoryItem; className?: string }) {
  const { search } = useLocation();
  const handleClick = (event: MouseEvent) => {
    // Beside a reading pane one click shows the memory there; Enter and a double click open it.
    if (item.reading && event.detail === 1 && !event.shiftKey && !item.selecting && !hasModifier(event)) {
      event.preventDefault();
      item.onFocus();
    }
    if (!event.shiftKey && !item.selecting) return;
    // While items are selected, a click selects; shift selects all in between.
    event.preventDefault();
    item.onSelect(event.shiftKey);
  };
  return (
    <Link
      to={{ search: searchWithMemory(search, item.row.id) }}
      state={STATE}
      preventScrollReset
      draggable={false}
      data-item={item.row.id}
      tabIndex={item.active ? 0 : -1}
      aria-current={(item.reading && item.active) || undefined}
      onFocus={item.onFocus}
      onClick={handleClick}
      className={clsx(
        'outline-none after:absolute after:inset-0 after:rounded-[inherit] focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-primary',
        className,
      )}
    >
      {memoryTitle(item.row)}
    </Link>
  );
}

/** The mark for selection; seen on hover, on touch only while selecting. */
export function ItemMark({ item, className }: { item: MemoryItem; className?: string }) {
  return (
    <span
      className={clsx(
        'z-1',
        item.selecting ? 'opacity-100' : 'opacity-0 group-hover/item:opacity-100 focus-within:opacity-100',
        !item.selecting && 'pointer-coarse:hidden',
        className,
      )}
    >
      <Checkbox
        label={`Select ${memoryTitle(item.row)}`}
        hideLabel
        tabIndex={-1}
        checked={item.selected}
        onCheckedChange={() => item.onSelect(false)}
      />
    </span>
  );
}

/** The menu button; always there on touch. */
export function ItemMenu({ item, className }: { item: MemoryItem; className?: string }) {
  return (
    <span
      className={clsx(
        'z-1 opacity-0 group-hover/item:opacity-100 focus-within:opacity-100 has-data-[state=open]:opacity-100 pointer-coarse:opacity-100',
        className,
      )}
    >
      <LazyMenu
        button={{
          label: `Actions for ${memoryTitle(item.row)}`,
          icon: <MoreHorizontal />,
          size: 'sm',
          tabIndex: item.active ? 0 : -1,
        }}
        entries={item.entries}
      />
    </span>
  );
}
