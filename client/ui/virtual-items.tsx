/**
 * What virtual-list.tsx and virtual-grid.tsx share: draws only what is in view of a list of any length.
 * Says every item's place and the whole size to assistive technology; one Tab stop, arrow keys, Home and End.
 */
import type { VirtualItem } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { useEffect, useImperativeHandle, type FocusEvent, type ReactNode, type Ref } from 'react';
import { useRovingIndex } from '#client/ui/use-roving-index.ts';
import { useVirtualEngine } from '#client/ui/use-virtual-engine.ts';

/** Spread on the one element of an item that takes the focus (its link or button). */
export interface RovingProps {
  tabIndex: 0 | -1;
  'data-roving': true;
}

/** Moves the list from outside, for j and k. */
export interface VirtualHandle {
  move: (by: number) => void;
  focus: (index: number) => void;
  active: () => number;
}

/** What lists and grids have in common; give a new React key when `restoreKey` changes. */
export interface VirtualItemsProps<T> {
  /** Name of the list for screen readers. */
  label: string;
  items: readonly T[];
  itemKey: (item: T) => string;
  estimateSize: (item: T) => number;
  renderItem: (item: T, place: { index: number; active: boolean; roving: RovingProps }) => ReactNode;
  gap?: number;
  /** The element that scrolls when it is not the list itself; null while it is not mounted yet. */
  scroller?: HTMLElement | null;
  /** Comes back to the same place when mounted again with the same key. */
  restoreKey?: string;
  handle?: Ref<VirtualHandle>;
  onActiveChange?: (index: number) => void;
  className?: string;
}

interface LanesProps<T> extends VirtualItemsProps<T> {
  lanes: number;
  /** Index of the neighbour for an arrow key, given the measured items. */
  neighbour: (index: number, key: string, measured: readonly VirtualItem[]) => number | undefined;
}

function itemAt<T>(items: readonly T[], index: number): T {
  const found = items[index];
  if (found === undefined) throw new RangeError(`No item ${index} of ${items.length}`);
  return found;
}

function useFocusedItem<T>(props: LanesProps<T>, engine: ReturnType<typeof useVirtualEngine>) {
  const { virtualizer, list, active: remembered } = engine;
  const { handle, onActiveChange } = props;
  const roving = useRovingIndex({
    count: props.items.length,
    initial: remembered.read(),
    neighbour: (index, key) => props.neighbour(index, key, virtualizer.measurementsCache),
    focusItem: (index) => {
      virtualizer.scrollToIndex(index);
      focusWhenThere(list.current, index);
    },
  });
  const { active, setActive, move } = roving;
  useImperativeHandle(handle, () => ({ move: (by) => move(active + by), focus: move, active: () => active }));
  useEffect(() => {
    remembered.write(active);
    onActiveChange?.(active);
  }, [active, remembered, onActiveChange]);
  const onFocus = (event: FocusEvent) => {
    const item = event.target.closest<HTMLElement>('[data-index]');
    if (item) setActive(Number(item.dataset['index']));
  };
  return { active, onFocus, onKeyDown: roving.onKeyDown };
}

/** Scrolls itself unless `scroller` is given. */
export function VirtualItems<T>(props: LanesProps<T>) {
  const { items, lanes, gap = 0, scroller, restoreKey, label, renderItem } = props;
  const engine = useVirtualEngine({
    count: items.length,
    keyAt: (index) => props.itemKey(itemAt(items, index)),
    sizeAt: (index) => props.estimateSize(itemAt(items, index)),
    lanes,
    gap,
    scroller,
    restoreKey,
  });
  const { virtualizer, own, list, margin } = engine;
  const { active, onFocus, onKeyDown } = useFocusedItem(props, engine);
  return (
    <div
      ref={own}
      data-scroll
      className={clsx(scroller === undefined && 'h-full overflow-y-auto overscroll-contain', props.className)}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys bubble from the focused item */}
      <ul
        ref={list}
        aria-label={label}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        className="relative w-full list-none"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map((row) => (
          <li
            key={row.key}
            ref={virtualizer.measureElement}
            data-index={row.index}
            aria-setsize={items.length}
            aria-posinset={row.index + 1}
            className="absolute top-0"
            style={placeOf(row, { lanes, gap, margin })}
          >
            {renderItem(itemAt(items, row.index), {
              index: row.index,
              active: row.index === active,
              roving: { tabIndex: row.index === active ? 0 : -1, 'data-roving': true },
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}

function placeOf(row: VirtualItem, { lanes, gap, margin }: { lanes: number; gap: number; margin: number }) {
  const width = `(100% - ${(lanes - 1) * gap}px) / ${lanes}`;
  return {
    width: `calc(${width})`,
    insetInlineStart: `calc((${width} + ${gap}px) * ${row.lane})`,
    transform: `translateY(${row.start - margin}px)`,
  };
}

/** The item may be drawn only after the scroll: tries for a few frames. */
function focusWhenThere(list: HTMLElement | null, index: number, attempts = 20): void {
  const target = list?.querySelector<HTMLElement>(`[data-index="${index}"] [data-roving]`);
  if (target) target.focus({ preventScroll: true });
  else if (attempts > 0) requestAnimationFrame(() => focusWhenThere(list, index, attempts - 1));
}
