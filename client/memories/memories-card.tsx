/**
 * Many memories as one block: a virtual list or grid with keys, marks, menus and drag, and the bar for what is marked.
 * Gets its rows ready-made; which rows and why is the page's business.
 */
import { clsx } from 'clsx';
import { SquareCheck } from 'lucide-react';
import { useMemo, useRef } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { BulkBar } from '#client/memories/bulk-bar.tsx';
import { MemoryCard } from '#client/memories/memory-card.tsx';
import type { MemoryItem } from '#client/memories/memory-item.ts';
import { MemoryRow } from '#client/memories/memory-row.tsx';
import { useMemoryRights, useSpacesOf } from '#client/memories/queries.ts';
import { useGridWindow, type CollectionLayout } from '#client/memories/use-grid-window.ts';
import { useListKeys } from '#client/memories/use-list-keys.ts';
import { useMemoryMenu } from '#client/memories/use-memory-menu.tsx';
import { useSelection } from '#client/memories/use-selection.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import type { MenuEntry } from '#client/ui/menu-entry.ts';

interface MemoriesCardProps {
  label: string;
  rows: readonly MemoryHead[];
  layout: CollectionLayout;
  /** Entries that only make sense where the list stands, for example "Remove from this space". */
  moreEntries?: (row: MemoryHead) => readonly MenuEntry[];
}

/** Renders nothing special for an empty list: the page says why it is empty. */
export function MemoriesCard({ label, rows, layout, moreEntries }: MemoriesCardProps) {
  const frame = useRef<HTMLDivElement>(null);
  const grid = useGridWindow(frame, layout, rows.length);
  const selecting = useSelection(rows);
  const keys = useListKeys({ rows, selecting, columns: grid.columns, scrollTo: grid.scrollTo });
  const menuOf = useMemoryMenu();
  const rights = useMemoryRights();
  const spacesOf = useSpacesOf();
  const marked = useMemo(
    () => rows.filter((row) => selecting.selected.has(row.id)),
    [rows, selecting.selected],
  );

  const itemOf = (row: MemoryHead, index: number): MemoryItem => ({
    row,
    spaces: spacesOf(row.id),
    index,
    total: rows.length,
    active: index === keys.current,
    selected: selecting.selected.has(row.id),
    selecting: selecting.selected.size > 0,
    entries: () =>
      menuOf(row, [
        {
          label: selecting.selected.has(row.id) ? 'Deselect' : 'Select',
          icon: <SquareCheck />,
          keys: keysOf('list.select'),
          run: () => selecting.toggle(row.id, false),
        },
        ...(moreEntries?.(row) ?? []),
      ]),
    onFocus: () => keys.setCurrent(row.id),
    onSelect: (range) => selecting.toggle(row.id, range),
    dragIds: () => (selecting.selected.has(row.id) ? marked.map(({ id }) => id) : [row.id]),
    draggable: row.deletedAt === null && rights('memory.update', row),
  });
  const Item = layout === 'grid' ? MemoryCard : MemoryRow;
  return (
    <>
      <div ref={frame} data-collection className="@container">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys bubble from the focused link */}
        <ul
          aria-label={label}
          onKeyDown={keys.handleKeyDown}
          className="relative"
          style={{ height: grid.height }}
        >
          {grid.lines.flatMap((line) =>
            rows.slice(line.first, line.first + grid.columns).map((row, column) => {
              const index = line.first + column;
              const share = 100 / grid.columns;
              return (
                <li
                  key={row.id}
                  aria-setsize={rows.length}
                  aria-posinset={index + 1}
                  className={clsx('absolute', layout === 'list' && 'border-b border-line/60')}
                  style={{
                    top: line.top,
                    height: grid.lineHeight - grid.gap,
                    insetInlineStart: `calc(${share * column}% + ${(grid.gap * column) / grid.columns}px)`,
                    width: `calc(${share}% - ${(grid.gap * (grid.columns - 1)) / grid.columns}px)`,
                  }}
                >
                  <Item item={itemOf(row, index)} />
                </li>
              );
            }),
          )}
        </ul>
      </div>
      <BulkBar rows={marked} total={rows.length} selecting={selecting} />
    </>
  );
}
