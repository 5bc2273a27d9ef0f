/**
 * A list of any length, one item per row.
 * The items are the caller's; scrolling, focus and positions are virtual-items.tsx's.
 */
import { VirtualItems, type VirtualItemsProps } from '#client/ui/virtual-items.tsx';

function neighbour(index: number, key: string): number | undefined {
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[key];
  return by === undefined ? undefined : index + by;
}

/** Needs a height from its parent, or a `scroller`. */
export function VirtualList<T>(props: VirtualItemsProps<T>) {
  return <VirtualItems {...props} lanes={1} neighbour={neighbour} />;
}
