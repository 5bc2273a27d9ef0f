/**
 * Many memories as one block: a virtual list or grid with keys, marks, menus and drag, and the bar for what is marked.
 * Gets its rows ready-made; which rows and why is the page's business.
 */
import { clsx } from 'clsx';
import { SquareCheck } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, type SyntheticEvent } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { BulkBar } from '#client/memories/bulk-bar.tsx';
import { MonthLine } from '#client/memories/month-line.tsx';
import { MemoryItemCard, type ItemActions } from '#client/memories/memory-item-card.tsx';
import { useMemoryRights, useSpacesOf } from '#client/memories/queries.ts';
import { useGridWindow, type CollectionLayout } from '#client/memories/use-grid-window.ts';
import { useListKeys } from '#client/memories/use-list-keys.ts';
import { useMemoryMenu } from '#client/memories/use-memory-menu.tsx';
import { useSelection } from '#client/memories/use-selection.ts';
import { useWideWindow } from '#client/memories/use-wide-window.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { ContextMenu } from '#client/ui/context-menu.tsx';
import { lazyPart } from '#client/ui/lazy-part.tsx';
import type { MenuEntry } from '#client/ui/menu-entry.ts';

const ReadingPane = lazyPart(
  'the reading pane',
  async () => (await import('#client/memories/reading-pane.tsx')).ReadingPane,
);

interface MemoriesCardProps {
  label: string;
  rows: readonly MemoryHead[];
  layout: CollectionLayout;
  /** By which time the rows are ordered, where months should be shown. */
  dated?: 'created' | 'updated' | undefined;
  /** Entries that only make sense where the list stands, for example "Remove from this space". */
  moreEntries?: (row: MemoryHead) => readonly MenuEntry[];
}

/** The acts as one object that stays the same and always does what the latest ones do. */
function useLatestActs(acts: ItemActions): ItemActions {
  const latest = useRef(acts);
  useLayoutEffect(() => {
    latest.current = acts;
  });
  return useMemo(
    () => ({
      entries: (row) => latest.current.entries(row),
      focus: (row) => latest.current.focus(row),
      select: (row, range) => latest.current.select(row, range),
      dragIds: (row) => latest.current.dragIds(row),
    }),
    [],
  );
}

/** One menu for the right click and the long press on any item: one per item of a long list costs too much. */
function useRightClick(rows: readonly MemoryHead[], acts: ItemActions) {
  const under = useRef<string>(undefined);
  const note = (event: SyntheticEvent) => {
    const item = event.target instanceof Element ? event.target.closest('li') : null;
    under.current = item?.querySelector<HTMLElement>('[data-item]')?.dataset['item'];
    // Beside the items the browser's own menu opens.
    if (under.current === undefined) event.stopPropagation();
  };
  const entries = () => {
    const row = rows.find(({ id }) => id === under.current);
    return row ? acts.entries(row) : [];
  };
  return { entries, handlers: { onContextMenuCapture: note, onPointerDownCapture: note } };
}

/** Renders nothing special for an empty list: the page explains why it is empty. */
export function MemoriesCard({ label, rows, layout: chosen, dated, moreEntries }: MemoriesCardProps) {
  const layout = useWideWindow() || chosen !== 'split' ? chosen : 'list';
  const frame = useRef<HTMLDivElement>(null);
  const grid = useGridWindow(frame, layout, rows.length);
  const selecting = useSelection(rows);
  const keys = useListKeys({
    rows,
    selecting,
    columns: grid.columns,
    scrollTo: grid.scrollTo,
    reading: layout === 'split',
  });
  const menuOf = useMemoryMenu();
  const rights = useMemoryRights();
  const spacesOf = useSpacesOf();
  const marked = useMemo(
    () => (selecting.selected.size === 0 ? [] : rows.filter((row) => selecting.selected.has(row.id))),
    [rows, selecting.selected],
  );

  const acts = useLatestActs({
    entries: (row) =>
      menuOf(row, [
        {
          label: selecting.selected.has(row.id) ? 'Deselect' : 'Select',
          icon: <SquareCheck />,
          keys: keysOf('list.select'),
          run: () => selecting.toggle(row.id, false),
        },
        ...(moreEntries?.(row) ?? []),
      ]),
    focus: (row) => keys.setCurrent(row.id),
    select: (row, range) => selecting.toggle(row.id, range),
    dragIds: (row) => (selecting.selected.has(row.id) ? marked.map(({ id }) => id) : [row.id]),
  });
  const rightClick = useRightClick(rows, acts);
  const reading = layout === 'split' ? rows[keys.current] : undefined;
  const list = (
    <>
      {dated !== undefined && (
        <MonthLine rows={rows} by={dated} columns={grid.columns} lineHeight={grid.lineHeight} />
      )}
      <ContextMenu entries={rightClick.entries}>
        <div ref={frame} data-collection className="@container" {...rightClick.handlers}>
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
                    className={clsx('absolute', layout !== 'grid' && 'border-b border-line/60')}
                    style={{
                      top: line.top,
                      height: grid.lineHeight - grid.gap,
                      insetInlineStart: `calc(${share * column}% + ${(grid.gap * column) / grid.columns}px)`,
                      width: `calc(${share}% - ${(grid.gap * (grid.columns - 1)) / grid.columns}px)`,
                    }}
                  >
                    <MemoryItemCard
                      row={row}
                      spaces={spacesOf(row.id)}
                      layout={layout}
                      active={index === keys.current}
                      selected={selecting.selected.has(row.id)}
                      selecting={selecting.selected.size > 0}
                      draggable={row.deletedAt === null && rights('memory.update', row)}
                      acts={acts}
                    />
                  </li>
                );
              }),
            )}
          </ul>
        </div>
      </ContextMenu>
    </>
  );
  return (
    <>
      {/* The same elements in every layout: the list is measured once and keeps its focus. */}
      <div
        data-roomy={layout === 'list' ? undefined : true}
        className={clsx(
          layout === 'split' && 'grid grid-cols-[minmax(18rem,28%)_minmax(0,1fr)] items-start gap-5',
        )}
      >
        <div className="min-w-0 self-stretch">{list}</div>
        {reading && <ReadingPane row={reading} />}
      </div>
      <BulkBar rows={marked} total={rows.length} selecting={selecting} />
    </>
  );
}
