/**
 * Which items of a list are selected, with ranges from the last selected one. Works on ids and their order; items that
 * left the list do not count.
 */
import { useCallback, useMemo, useState } from 'react';

export interface Selecting {
  selected: ReadonlySet<string>;
  /** Marks or unmarks one, or everything between the last mark and it. */
  toggle: (id: string, range: boolean) => void;
  /** Marks everything from where the movement began up to `to`; what it leaves again on the way back is unmarked. */
  extend: (from: string, to: string) => void;
  clear: () => void;
  selectAll: () => void;
}

/** A selection that grows with the movement of the current item. */
interface Extension {
  anchor: string;
  at: string;
  /** Ids selected before the movement began. */
  base: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Ids from one item to another, both included and in either direction; none when one of them is not there. */
function idsBetween(order: readonly { id: string }[], one: string, other: string): string[] {
  const from = order.findIndex(({ id }) => id === one);
  const to = order.findIndex(({ id }) => id === other);
  if (from < 0 || to < 0) return [];
  return order.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ id }) => id);
}

/** Selection of rows within this order of ids. */
export function useSelection(order: readonly { id: string }[]): Selecting {
  const [marked, setMarked] = useState(NOTHING);
  const [anchor, setAnchor] = useState<string>();
  const [extension, setExtension] = useState<Extension>();
  const selected = useMemo(() => {
    if (marked.size === 0) return NOTHING;
    return new Set(order.filter(({ id }) => marked.has(id)).map(({ id }) => id));
  }, [order, marked]);
  const toggle = useCallback(
    (id: string, range: boolean) => {
      const next = new Set(selected);
      const between = range && anchor !== undefined ? idsBetween(order, anchor, id) : [];
      if (between.length > 0) between.forEach((each) => next.add(each));
      else if (!next.delete(id)) next.add(id);
      setMarked(next);
      setAnchor(id);
      setExtension(undefined);
    },
    [order, selected, anchor],
  );
  const extend = useCallback(
    (from: string, to: string) => {
      const going = extension?.at === from ? extension : { anchor: from, base: selected };
      setMarked(new Set([...going.base, ...idsBetween(order, going.anchor, to)]));
      setAnchor(to);
      setExtension({ ...going, at: to });
    },
    [order, selected, extension],
  );
  const clear = useCallback(() => {
    setMarked(NOTHING);
    setExtension(undefined);
  }, []);
  const selectAll = useCallback(() => {
    setMarked(new Set(order.map(({ id }) => id)));
    setExtension(undefined);
  }, [order]);
  return { selected, toggle, extend, clear, selectAll };
}
