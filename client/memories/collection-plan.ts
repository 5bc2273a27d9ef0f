// Positions of the items of a list: lines of equal height, or columns of cards with different heights. Pure arithmetic over
// known heights, so nothing is measured on the screen, and going back restores the position.

/** How a collection is drawn; `split` is a list with the current memory open beside it. */
export const COLLECTION_LAYOUTS = ['list', 'compact', 'grid', 'split'] as const;
export type CollectionLayout = (typeof COLLECTION_LAYOUTS)[number];

/** Consecutive items under one heading; without a label they have none. */
export interface PlanSection {
  label: string | undefined;
  first: number;
  count: number;
}

/** Position of a section, heading included. */
export interface PlacedSection extends PlanSection {
  top: number;
  height: number;
}

/** Pixels from the start of the list. */
export interface Place {
  top: number;
  height: number;
  column: number;
}

export type Direction = 'up' | 'down' | 'left' | 'right';

export interface CollectionPlan {
  columns: number;
  height: number;
  sections: readonly PlacedSection[];
  placeOf: (index: number) => Place;
  /** Items that touch a stretch, in reading order. */
  within: (from: number, to: number) => readonly number[];
  /** The item that an arrow key leads to: the same one where there is none in that direction. */
  neighbour: (index: number, direction: Direction) => number;
}

/** Height of the heading of a day or a month. */
export const HEADING_PX = 32;

export const WHOLE: readonly PlanSection[] = [
  { label: undefined, first: 0, count: Number.POSITIVE_INFINITY },
];

const headingOf = ({ label }: PlanSection): number => (label === undefined ? 0 : HEADING_PX);

/** Number of the last entry that is at most `wanted`, in a list in rising order; 0 before all. */
function lastAtMost(length: number, valueOf: (index: number) => number, wanted: number): number {
  let low = 0;
  let high = length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (valueOf(middle) <= wanted) low = middle;
    else high = middle;
  }
  return low;
}

/** The section that contains an item. */
export function sectionOf<S extends PlanSection>(sections: readonly S[], index: number): S | undefined {
  return sections[lastAtMost(sections.length, (at) => sections[at]?.first ?? 0, index)];
}

/** One item per line, all of the same height. */
export function linesPlan(
  count: number,
  lineHeight: number,
  wanted: readonly PlanSection[] = WHOLE,
): CollectionPlan {
  const sections: PlacedSection[] = [];
  let bottom = 0;
  for (const section of wanted) {
    const items = Math.min(section.count, count - section.first);
    const height = headingOf(section) + items * lineHeight;
    sections.push({ ...section, count: items, top: bottom, height });
    bottom += height;
  }
  const topOf = (index: number): number => {
    const section = sectionOf(sections, index);
    return section ? section.top + headingOf(section) + (index - section.first) * lineHeight : 0;
  };
  return {
    columns: 1,
    height: bottom,
    sections,
    placeOf: (index) => ({ top: topOf(index), height: lineHeight, column: 0 }),
    within: (from, to) => {
      const found: number[] = [];
      const first = count === 0 ? 0 : lastAtMost(count, topOf, from);
      for (let index = first; index < count && topOf(index) < to; index += 1) found.push(index);
      return found;
    },
    neighbour: (index, direction) => {
      const to = direction === 'up' ? index - 1 : direction === 'down' ? index + 1 : index;
      return Math.max(0, Math.min(count - 1, to));
    },
  };
}

interface ColumnsInput {
  count: number;
  columns: number;
  gap: number;
  heightOf: (index: number) => number;
  sections?: readonly PlanSection[];
}

/** Each card is placed below the shortest column, the first of equal ones: cards begin in reading order from top to bottom. */
export function columnsPlan({ count, columns, gap, heightOf, sections: wanted = WHOLE }: ColumnsInput) {
  const tops = new Float64Array(count);
  const heights = new Float64Array(count);
  const columnAt = new Uint8Array(count);
  const sections: PlacedSection[] = [];
  let start = 0;
  let tallest = 0;
  for (const section of wanted) {
    const end = Math.min(section.first + section.count, count);
    const ends = Array.from({ length: columns }, () => start + headingOf(section));
    for (let index = section.first; index < end; index += 1) {
      let column = 0;
      for (let other = 1; other < columns; other += 1)
        if ((ends[other] ?? 0) < (ends[column] ?? 0)) column = other;
      const top = ends[column] ?? 0;
      const height = heightOf(index);
      tops[index] = top;
      heights[index] = height;
      columnAt[index] = column;
      ends[column] = top + height + gap;
      tallest = Math.max(tallest, height);
    }
    const height = Math.max(...ends) - start;
    sections.push({ ...section, count: end - section.first, top: start, height });
    start += height;
  }
  const topOf = (index: number): number => tops[index] ?? 0;
  const bottomOf = (index: number): number => topOf(index) + (heights[index] ?? 0);
  const columnOf = (index: number): number => columnAt[index] ?? 0;

  const beside = (index: number, column: number): number => {
    if (column < 0 || column >= columns) return index;
    const section = sectionOf(sections, index);
    const middle = (topOf(index) + bottomOf(index)) / 2;
    const distanceOf = (other: number) => Math.max(topOf(other) - middle, middle - bottomOf(other), 0);
    let best = index;
    for (let other = section?.first ?? 0; other < (section ? section.first + section.count : 0); other += 1) {
      if (topOf(other) > middle + tallest) break;
      if (columnOf(other) === column && (best === index || distanceOf(other) < distanceOf(best)))
        best = other;
    }
    return best;
  };
  const along = (index: number, by: 1 | -1): number => {
    const home = sectionOf(sections, index);
    const column = columnOf(index);
    let best = index;
    let section: PlacedSection | undefined;
    for (let other = index + by; other >= 0 && other < count; other += by) {
      const place = sectionOf(sections, other);
      if (place === home) {
        if (columnOf(other) === column) return other;
        continue;
      }
      // Of the next section with fewer cards in a line, the nearest column counts.
      section ??= place;
      if (place !== section) break;
      if (columnOf(other) === column) return other;
      if (columnOf(other) < column && (best === index || columnOf(other) > columnOf(best))) best = other;
    }
    return best;
  };
  return {
    columns,
    height: Math.max(0, start - (count > 0 ? gap : 0)),
    sections,
    placeOf: (index) => ({ top: topOf(index), height: heights[index] ?? 0, column: columnOf(index) }),
    within: (from, to) => {
      const found: number[] = [];
      const first = count === 0 ? 0 : lastAtMost(count, topOf, from - tallest);
      for (let index = first; index < count && topOf(index) < to; index += 1)
        if (bottomOf(index) > from) found.push(index);
      return found;
    },
    neighbour: (index, direction) =>
      direction === 'left' || direction === 'right'
        ? beside(index, columnOf(index) + (direction === 'left' ? -1 : 1))
        : along(index, direction === 'down' ? 1 : -1),
  } satisfies CollectionPlan;
}
