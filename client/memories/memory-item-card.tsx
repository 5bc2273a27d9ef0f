/**
 * One item of a list, rendered again only when its own data has changed: a list of thousands changes many times a second while
 * it loads, without affecting the items on screen.
 */
import { memo, useMemo } from 'react';
import type { Id } from '#shared/ids.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import type { Space } from '#shared/spaces/space.ts';
import { MemoryCard } from '#client/memories/memory-card.tsx';
import { MemoryRow } from '#client/memories/memory-row.tsx';
import type { CollectionLayout } from '#client/memories/collection-plan.ts';
import type { MenuEntry } from '#client/ui/menu-entry.ts';

/** The list's callbacks for an item; the same object for the whole life of the list. */
export interface ItemActions {
  entries: (row: MemoryHead) => readonly MenuEntry[];
  focus: (row: MemoryHead) => void;
  select: (row: MemoryHead, range: boolean) => void;
  dragIds: (row: MemoryHead) => readonly Id<'memory'>[];
}

interface MemoryItemCardProps {
  row: MemoryHead;
  spaces: readonly Space[] | undefined;
  layout: CollectionLayout;
  /** Width of a card in pixels. */
  width: number;
  active: boolean;
  selected: boolean;
  selecting: boolean;
  at: string;
  dated: boolean;
  draggable: boolean;
  acts: ItemActions;
}

function isSame(one: MemoryItemCardProps, other: MemoryItemCardProps): boolean {
  return (
    one.row === other.row &&
    one.layout === other.layout &&
    one.width === other.width &&
    one.active === other.active &&
    one.selected === other.selected &&
    one.selecting === other.selecting &&
    one.at === other.at &&
    one.dated === other.dated &&
    one.draggable === other.draggable &&
    one.acts === other.acts &&
    one.spaces?.length === other.spaces?.length &&
    (one.spaces ?? []).every((space, index) => space === other.spaces?.[index])
  );
}

export const MemoryItemCard = memo(function MemoryItemCard(props: MemoryItemCardProps) {
  const { row, spaces, layout, width, active, selected, selecting, at, dated, draggable, acts } = props;
  const item = useMemo(
    () => ({
      row,
      spaces,
      active,
      selected,
      selecting,
      at,
      dated,
      draggable,
      reading: layout === 'split',
      entries: () => acts.entries(row),
      onFocus: () => acts.focus(row),
      onSelect: (range: boolean) => acts.select(row, range),
      dragIds: () => acts.dragIds(row),
    }),
    [row, spaces, active, selected, selecting, at, dated, draggable, layout, acts],
  );
  return layout === 'grid' ? (
    <MemoryCard item={item} width={width} />
  ) : (
    <MemoryRow item={item} compact={layout === 'compact'} />
  );
}, isSame);
