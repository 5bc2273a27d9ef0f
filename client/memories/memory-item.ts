/**
 * The properties of a row and a card of a list: the memory, its place, and its keyboard, selection and drag behaviour.
 * Types only; memory-row.tsx and memory-card.tsx render them.
 */
import type { Id } from '#shared/ids.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import type { Space } from '#shared/spaces/space.ts';
import type { MenuEntry } from '#client/ui/menu-entry.ts';

export interface MemoryItem {
  row: MemoryHead;
  /** Undefined while they are not known. */
  spaces: readonly Space[] | undefined;
  /** The time that it shows. */
  at: string;
  /** The one item that the Tab key reaches. */
  active: boolean;
  selected: boolean;
  /** The heading above it in the list shows its day. */
  dated: boolean;
  /** The active item is open in a pane beside the list. */
  reading: boolean;
  /** Something in the list is selected: marks stay visible. */
  selecting: boolean;
  entries: () => readonly MenuEntry[];
  onFocus: () => void;
  /** `range` = everything up to here, as with shift. */
  onSelect: (range: boolean) => void;
  dragIds: () => readonly Id<'memory'>[];
  draggable: boolean;
}
