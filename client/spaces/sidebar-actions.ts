/**
 * How people arrange their own sidebar: pin, move, collapse. Pinning and moving can be undone; a move shows no message, because
 * its result is visible.
 */
import { MANY_MAX } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import type { SidebarSection } from '#shared/spaces/sidebar-order.ts';
import type { Space } from '#shared/spaces/space.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { perform } from '#client/shell/perform.ts';
import { undoable } from '#client/shell/undo.ts';

type SpaceId = Id<'space'>;
type Rows = readonly Pick<Space, 'id'>[];

const idsOf = (rows: Rows): SpaceId[] => rows.map(({ id }) => id);

/** Ids above a row of a list, nearest last; at most as many as one mutation accepts. */
function aboveOf(list: Rows, spaceId: SpaceId): SpaceId[] {
  const at = list.findIndex(({ id }) => id === spaceId);
  return idsOf(list.slice(0, Math.max(0, at)));
}

/** Pins spaces below those that are pinned, or unpins them. */
export async function pinSpaces(spaces: readonly Pick<Space, 'id' | 'name'>[], pins: boolean): Promise<void> {
  const spaceIds = idsOf(spaces).slice(0, MANY_MAX);
  const set = (isPinned: boolean) =>
    perform(() => mutate(isPinned ? 'sidebar.pin' : 'sidebar.unpin', { spaceIds }));
  const what = spaces.length === 1 ? spaces[0]?.name : `${spaceIds.length} spaces`;
  await undoable({
    act: () => set(pins),
    undo: async () => void (await set(!pins)),
    title: `${what} ${pins ? 'pinned' : 'unpinned'}`,
  });
}

export interface SidebarPlace {
  section: SidebarSection;
  /** The spaces above it. */
  above: readonly SpaceId[];
}

export function moveSpace(spaceId: SpaceId, from: SidebarPlace, to: SidebarPlace): Promise<boolean> {
  const put = ({ section, above }: SidebarPlace) =>
    perform(() => mutate('sidebar.move', { spaceId, section, above: [...above] }));
  return undoable({ act: () => put(to), undo: async () => void (await put(from)) });
}

export function placeOf(section: SidebarSection, list: Rows, spaceId: SpaceId): SidebarPlace {
  return { section, above: aboveOf(list, spaceId) };
}

/** The place directly above or below a row of a section, for a space that comes from anywhere. */
export function placeBeside(
  section: SidebarSection,
  list: Rows,
  { spaceId, beside, isBelow }: { spaceId: SpaceId; beside: SpaceId; isBelow: boolean },
): SidebarPlace {
  const others = list.filter(({ id }) => id !== spaceId);
  const above = aboveOf(others, beside);
  return { section, above: isBelow ? [...above, beside] : above };
}

/** Hides the rows of a section or shows them again. */
export async function collapseSection(section: SidebarSection, collapsed: boolean): Promise<void> {
  await perform(() => mutate('sidebar.collapse', { section, collapsed }));
}
