/**
 * One stop of the Tab key for a whole list: which item holds it, and where arrow keys move it.
 * Knows positions only; scrolling and drawing are the list's.
 */
import { useState, type KeyboardEvent } from 'react';

/** What a list must answer about its geometry. */
export interface RovingOptions {
  count: number;
  /** Where to start, for a list that comes back. */
  initial?: number;
  /** Index of the neighbour in a direction, or undefined at the edge. */
  neighbour: (index: number, key: string) => number | undefined;
  /** Brings the item into view and gives its main element the focus. */
  focusItem: (index: number) => void;
}

/** The active index, always within the list, and the key handler of the container. */
export function useRovingIndex({ count, initial = 0, neighbour, focusItem }: RovingOptions) {
  const [wanted, setActive] = useState(initial);
  const active = Math.max(0, Math.min(wanted, count - 1));
  const move = (index: number) => {
    const target = Math.max(0, Math.min(index, count - 1));
    if (count === 0) return;
    setActive(target);
    focusItem(target);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    const typing = target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing) return;
    const next = { Home: 0, End: count - 1 }[event.key] ?? neighbour(active, event.key);
    if (next === undefined) return;
    event.preventDefault();
    move(next);
  };
  return { active, setActive, move, onKeyDown };
}
