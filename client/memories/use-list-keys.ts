/**
 * The keyboard of a collection: which item is current, and what each key of the shortcut table does to it or to the marks.
 * Moves the real focus, so that screen readers follow.
 */
import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import type { CollectionPlan, Direction } from '#client/memories/collection-plan.ts';
import { archiveMemories, removeMemories } from '#client/memories/actions.ts';
import { openHomePicker, openSpacePicker, openTagPicker } from '#client/memories/organize-state.ts';
import { useMemoryRights } from '#client/memories/queries.ts';
import type { Selecting } from '#client/shell/use-selection.ts';
import { useOpenMemory } from '#client/shell/memory-address.ts';
import { hasPageFocus } from '#client/shell/page-focus.ts';
import { useShortcut } from '#client/shell/use-shortcut.ts';

interface ListKeysInput {
  rows: readonly MemoryHead[];
  selecting: Selecting;
  plan: CollectionPlan;
  scrollTo: (index: number) => void;
  /** The current item is open in a pane beside the list, so that the first key leads to the next one. */
  reading: boolean;
}

const IN_PAGE = { when: hasPageFocus } as const;

const ARROWS: ReadonlyMap<string, Direction> = new Map([
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right'],
]);

/** Index of the current item with the ways to move it. */
export function useListKeys({ rows, selecting, plan, scrollTo, reading }: ListKeysInput) {
  const [currentId, setCurrentId] = useState<string>();
  const wanted = useRef<string>(undefined);
  const found = currentId === undefined ? -1 : rows.findIndex((row) => row.id === currentId);
  const current = found >= 0 ? found : 0;

  const focusItem = useCallback((id: string): boolean => {
    const link = document.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`);
    link?.focus({ preventScroll: true });
    return link !== null;
  }, []);
  // The item may only be drawn after the list has scrolled to it.
  useEffect(() => {
    if (wanted.current !== undefined && focusItem(wanted.current)) wanted.current = undefined;
  });

  const moveTo = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    setCurrentId(row.id);
    scrollTo(rows.indexOf(row));
    if (!focusItem(row.id)) wanted.current = row.id;
  };
  const isFocused = () => document.activeElement?.closest('[data-collection]') != null;
  const step = (by: number) => moveTo(isFocused() || reading ? current + by : current);
  /** Moves and selects the items between; from outside of the list it starts with the current item. */
  const extendTo = (index: number) => {
    const to = isFocused() ? Math.max(0, Math.min(rows.length - 1, index)) : current;
    const [from, until] = [rows[current], rows[to]];
    if (!from || !until) return;
    selecting.extend(from.id, until.id);
    moveTo(to);
  };

  const rights = useMemoryRights();
  const openMemory = useOpenMemory();
  const targets = (action: 'memory.update' | 'memory.move' | 'memory.remove') => {
    const marked = rows.filter((row) => selecting.selected.has(row.id));
    const here = isFocused() ? rows.slice(current, current + 1) : [];
    return (marked.length > 0 ? marked : here).filter((row) => row.deletedAt === null && rights(action, row));
  };
  /** The current item, from the list and from the pane that shows it. */
  const single = () => {
    const isRead = reading && document.activeElement?.closest('[data-reading-pane]') != null;
    return isFocused() || isRead ? rows[current] : undefined;
  };

  useShortcut('list.next', () => step(1), IN_PAGE);
  useShortcut('list.previous', () => step(-1), IN_PAGE);
  useShortcut('list.extend-next', () => extendTo(current + 1), IN_PAGE);
  useShortcut('list.extend-previous', () => extendTo(current - 1), IN_PAGE);
  useShortcut('list.open', () => single() && openMemory(single()?.id ?? ''));
  useShortcut('list.select', () => single() && selecting.toggle(single()?.id ?? '', false));
  useShortcut('list.select-range', () => single() && selecting.toggle(single()?.id ?? '', true));
  useShortcut('list.clear', selecting.clear, { enabled: selecting.selected.size > 0 });
  useShortcut('memory.edit', () => single() && openMemory(single()?.id ?? '', { edit: true }));
  /** Moves to the item that becomes current when this one leaves the list. */
  const stepOn = () => {
    if (!isFocused() || selecting.selected.size > 0) return;
    const heir = rows[current + 1] ?? rows[current - 1];
    if (!heir) return;
    setCurrentId(heir.id);
    wanted.current = heir.id;
  };
  useShortcut('memory.archive', () => {
    const rowsToMove = targets('memory.update');
    stepOn();
    void archiveMemories(
      rowsToMove,
      rowsToMove.some((row) => !row.archived),
    );
    selecting.clear();
  });
  useShortcut('memory.remove', () => {
    const rowsToRemove = targets('memory.remove');
    stepOn();
    void removeMemories(rowsToRemove);
    selecting.clear();
  });
  useShortcut('memory.tags', () => openTagPicker(targets('memory.update').map(({ id }) => id)));
  useShortcut('memory.move', () => openSpacePicker(targets('memory.update').map(({ id }) => id)));
  useShortcut('memory.home', () => openHomePicker(targets('memory.move').map(({ id }) => id)));

  const targetOf = (key: string): number | undefined => {
    if (key === 'Home') return 0;
    if (key === 'End') return rows.length - 1;
    const direction = ARROWS.get(key);
    const isSideways = direction === 'left' || direction === 'right';
    if (direction === undefined || (isSideways && plan.columns === 1)) return undefined;
    return plan.neighbour(current, direction);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    const isLink = event.target instanceof HTMLElement && event.target.dataset['item'] !== undefined;
    const to = isLink ? targetOf(event.key) : undefined;
    if (to === undefined) return;
    event.preventDefault();
    if (event.shiftKey) extendTo(to);
    else moveTo(to);
  };
  return { current, setCurrent: setCurrentId, handleKeyDown };
}
