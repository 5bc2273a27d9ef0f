// The order of spaces in a person's sidebar: the position of a moved one, and the sorting of a list of spaces. Without zod,
// because the page arranges its sidebar before schemas are loaded.

export const SIDEBAR_SECTIONS = ['pinned', 'spaces'] as const;
export type SidebarSection = (typeof SIDEBAR_SECTIONS)[number];

/**
 * The list with `id` after the last of `above` that is in it, or at its beginning when none is. Defined by neighbours and not
 * by a position, so that a move made offline means the same in a list that has changed since.
 */
export function placed<T extends string>(list: readonly T[], id: T, above: readonly T[]): T[] {
  const others = list.filter((each) => each !== id);
  const known = new Set(others);
  const neighbour = above.findLast((each) => known.has(each));
  return others.toSpliced(neighbour === undefined ? 0 : others.indexOf(neighbour) + 1, 0, id);
}

export interface SidebarOrder {
  pinned: readonly string[];
  order: readonly string[];
}

/** Spaces as the sidebar shows them, each once. `byName` is all of them by name. */
export function arrangeSpaces<T extends { id: string }>(
  byName: readonly T[],
  { pinned, order }: SidebarOrder,
): Record<SidebarSection, readonly T[]> {
  const left = new Map(byName.map((space) => [space.id, space]));
  const taken = (ids: readonly string[]): T[] =>
    ids.flatMap((id) => {
      const space = left.get(id);
      left.delete(id);
      return space ?? [];
    });
  const shownPinned = taken(pinned);
  return { pinned: shownPinned, spaces: [...taken(order), ...left.values()] };
}
