/**
 * Many memories as one block: a virtual list or grid with keys, marks, menus and drag, and the bar for selected ones. The page
 * passes the selected and ordered rows.
 */
import { clsx } from 'clsx';
import { SquareCheck } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState, type SyntheticEvent } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import type { Space } from '#shared/spaces/space.ts';
import { BulkBar } from '#client/memories/bulk-bar.tsx';
import type { CollectionLayout, PlacedSection } from '#client/memories/collection-plan.ts';
import { DateHeading } from '#client/memories/date-heading.tsx';
import { rowTime, type ListTime } from '#client/memories/list-view.ts';
import { MemoryItemCard, type ItemActions } from '#client/memories/memory-item-card.tsx';
import { useKnownSpacesOf, useMemoryRights } from '#client/memories/queries.ts';
import { useCollectionWindow } from '#client/memories/use-collection-window.ts';
import { useListKeys } from '#client/memories/use-list-keys.ts';
import { useMemoryMenu } from '#client/memories/use-memory-menu.tsx';
import { usePaneWidth } from '#client/shell/use-pane-width.ts';
import { useSelection } from '#client/shell/use-selection.ts';
import { useWideWindow } from '#client/memories/use-wide-window.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { ContextMenu } from '#client/ui/context-menu.tsx';
import { lazyPart } from '#client/ui/lazy-part.tsx';
import type { MenuEntry } from '#client/ui/menu-entry.ts';
import { ResizeHandle } from '#client/ui/resize-handle.tsx';

const ReadingPane = lazyPart(
  'the reading pane',
  async () => (await import('#client/memories/reading-pane.tsx')).ReadingPane,
);

/** Of the list beside the reading pane, in pixels; usually a quarter of the window. */
const LIST_WIDTH = { min: 288, max: 800 } as const;
const usualListWidth = () =>
  Math.round(Math.min(LIST_WIDTH.max, Math.max(LIST_WIDTH.min, globalThis.innerWidth / 4)));

interface MemoriesCardProps {
  label: string;
  rows: readonly MemoryHead[];
  layout: CollectionLayout;
  /** By which time the rows are ordered, where dates should be shown. */
  dated?: ListTime | undefined;
  /** The space whose list it is: not named on each of its items. */
  within?: Space['id'];
  /** Entries that only make sense on the page of the list, for example "Remove from this space". */
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

/** Headings and items as they are read: each heading before the first of its items that is drawn. */
function readingOrder(
  sections: readonly PlacedSection[],
  indices: readonly number[],
): readonly (PlacedSection | number)[] {
  if (sections.length === 0) return indices;
  const order: (PlacedSection | number)[] = [];
  let next = 0;
  for (const index of indices) {
    for (let section = sections[next]; section && section.first <= index; section = sections[next]) {
      order.push(section);
      next += 1;
    }
    order.push(index);
  }
  return [...order, ...sections.slice(next)];
}

/** Renders nothing special for an empty list: the page explains why it is empty. */
export function MemoriesCard({ label, rows, layout: chosen, dated, within, moreEntries }: MemoriesCardProps) {
  const layout = useWideWindow() || chosen !== 'split' ? chosen : 'list';
  const [usual] = useState(usualListWidth);
  const pane = usePaneWidth('loci-reading-list-width', usual);
  const frame = useRef<HTMLDivElement>(null);
  const { plan, indices, sections, ...view } = useCollectionWindow(frame, { rows, layout, dated });
  const selecting = useSelection(rows);
  const keys = useListKeys({
    rows,
    selecting,
    plan,
    scrollTo: view.scrollTo,
    reading: layout === 'split',
  });
  const menuOf = useMemoryMenu();
  const rights = useMemoryRights();
  const spacesOf = useKnownSpacesOf();
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
  const share = 100 / plan.columns;
  const list = (
    <ContextMenu entries={rightClick.entries}>
      <div ref={frame} data-collection className="@container" {...rightClick.handlers}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys bubble from the focused link */}
        <ul
          aria-label={label}
          onKeyDown={keys.handleKeyDown}
          className="relative"
          style={{ height: plan.height }}
        >
          {readingOrder(sections, indices).map((entry) => {
            if (typeof entry !== 'number') {
              return (
                <DateHeading
                  key={`date/${entry.first}`}
                  section={entry}
                  all={plan.sections}
                  active={keys.current >= entry.first && keys.current < entry.first + entry.count}
                  onGo={({ top }) => view.scrollToSection(top)}
                />
              );
            }
            const row = rows[entry];
            if (!row) return null;
            const place = plan.placeOf(entry);
            return (
              <li
                key={row.id}
                aria-setsize={rows.length}
                aria-posinset={entry + 1}
                className="absolute"
                style={{
                  top: place.top,
                  height: place.height,
                  insetInlineStart: `calc(${share * place.column}% + ${(view.gap * place.column) / plan.columns}px)`,
                  width: `calc(${share}% - ${(view.gap * (plan.columns - 1)) / plan.columns}px)`,
                }}
              >
                <MemoryItemCard
                  row={row}
                  spaces={spacesOf(row.id)?.filter(({ id }) => id !== within)}
                  layout={layout}
                  width={view.columnWidth}
                  active={entry === keys.current}
                  selected={selecting.selected.has(row.id)}
                  selecting={selecting.selected.size > 0}
                  at={rowTime(row, dated)}
                  dated={dated !== undefined}
                  draggable={row.deletedAt === null && rights('memory.update', row)}
                  acts={acts}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </ContextMenu>
  );
  return (
    <>
      {/* The same elements in every layout: the list is measured once and keeps its focus. */}
      <div
        data-roomy={layout === 'grid' || layout === 'split' ? true : undefined}
        className={clsx(layout === 'split' && 'grid items-start gap-5')}
        style={
          layout === 'split'
            ? { gridTemplateColumns: `minmax(${LIST_WIDTH.min}px, min(${pane.width}px, 60%)) minmax(0, 1fr)` }
            : undefined
        }
      >
        <div className="relative min-w-0 self-stretch">
          {list}
          {layout === 'split' && (
            <ResizeHandle
              label="Width of the list"
              value={pane.width}
              initial={usual}
              {...LIST_WIDTH}
              onResize={pane.resize}
              className="-me-2.5"
            />
          )}
        </div>
        {reading && <ReadingPane row={reading} />}
      </div>
      <BulkBar rows={marked} total={rows.length} selecting={selecting} />
    </>
  );
}
