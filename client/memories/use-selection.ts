/**
 * Which items of a list are selected, with ranges from the last selected one. Works on ids and their order; items that
 * left the list do not count.
 */
import { useCallback, useMemo, useState } from 'react';

export interface Selecting {
  selected: ReadonlySet<string>;
  /** Marks or unmarks one, or everything between the last mark and it. */
  toggle: (id: string, range: boolean) => void;
  clear: () => void;
  selectAll: () => void;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Marks within the given order of ids. */
export function useSelection(order: readonly { id: string }[]): Selecting {
  const [marked, setMarked] = useState(NOTHING);
  const [anchor, setAnchor] = useState<string>();
  const selected = useMemo(() => {
    if (marked.size === 0) return NOTHING;
    return new Set(order.filter(({ id }) => marked.has(id)).map(({ id }) => id));
  }, [order, marked]);
  const toggle = useCallback(
    (id: string, range: boolean) => {
      const next = new Set(selected);
      const from = range ? order.findIndex((row) => row.id === anchor) : -1;
      const to = order.findIndex((row) => row.id === id);
      if (from >= 0 && to >= 0) {
        for (const row of order.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(row.id);
      } else if (!next.delete(id)) next.add(id);
      setMarked(next);
      setAnchor(id);
    },
    [order, selected, anchor],
  );
  const clear = useCallback(() => setMarked(NOTHING), []);
  const selectAll = useCallback(() => setMarked(new Set(order.map(({ id }) => id))), [order]);
  return { selected, toggle, clear, selectAll };
}
