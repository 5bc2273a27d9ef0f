/** Where items of a list stand, what of it is in sight, and where the arrow keys lead. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  columnsPlan,
  HEADING_PX,
  linesPlan,
  type CollectionPlan,
  type Direction,
} from '#client/memories/collection-plan.ts';

const TWO = [
  { label: 'May', first: 0, count: 3 },
  { label: 'April', first: 3, count: 2 },
];

function plannedTops(plan: CollectionPlan, count: number): number[] {
  return Array.from({ length: count }, (_unused, index) => plan.placeOf(index).top);
}

describe('lines', () => {
  it('stand below each other, with a heading before each section', () => {
    const plan = linesPlan(5, 44, TWO);
    expect(plannedTops(plan, 5)).toEqual([32, 76, 120, 196, 240]);
    expect(plan.height).toBe(5 * 44 + 2 * HEADING_PX);
    expect(plan.sections.map(({ top, height }) => [top, height])).toEqual([
      [0, 164],
      [164, 120],
    ]);
    expect(plan.within(90, 215)).toEqual([1, 2, 3]);
    expect(linesPlan(0, 44).within(0, 500)).toEqual([]);
  });

  it('end at both ends', () => {
    const plan = linesPlan(5, 44, TWO);
    expect(plan.neighbour(0, 'up')).toBe(0);
    expect(plan.neighbour(2, 'down')).toBe(3);
    expect(plan.neighbour(4, 'down')).toBe(4);
  });
});

describe('columns', () => {
  // Column 0: 0, 3, 4; column 1: 1; column 2: 2, 5.
  const heights = [50, 300, 100, 60, 60, 40];
  const plan = columnsPlan({ count: 6, columns: 3, gap: 10, heightOf: (index) => heights[index] ?? 0 });

  it('take each card below the shortest', () => {
    expect(heights.map((_unused, index) => plan.placeOf(index))).toEqual([
      { top: 0, height: 50, column: 0 },
      { top: 0, height: 300, column: 1 },
      { top: 0, height: 100, column: 2 },
      { top: 60, height: 60, column: 0 },
      { top: 110, height: 60, column: 2 },
      { top: 130, height: 40, column: 0 },
    ]);
    expect(plan.height).toBe(300);
  });

  it('lead the arrows to the card beside, above or below', () => {
    const walk = (from: number, ...directions: Direction[]) =>
      directions.reduce((at, direction) => plan.neighbour(at, direction), from);
    expect(walk(0, 'down')).toBe(3);
    expect(walk(3, 'down')).toBe(5);
    expect(walk(5, 'up', 'up')).toBe(0);
    expect(walk(3, 'right')).toBe(1);
    expect(walk(1, 'right')).toBe(4);
    expect(walk(2, 'right')).toBe(2);
    expect(walk(0, 'left')).toBe(0);
    expect(walk(1, 'down')).toBe(1);
  });

  it('begin anew in each section, also for the arrows', () => {
    const sections = [
      { label: 'May', first: 0, count: 3 },
      { label: 'April', first: 3, count: 1 },
      { label: 'March', first: 4, count: 2 },
    ];
    const months = columnsPlan({ count: 6, columns: 3, gap: 10, heightOf: () => 100, sections });
    expect(months.placeOf(3)).toEqual({ top: 110 + 2 * HEADING_PX, height: 100, column: 0 });
    // April has one card: the way down from May's last column goes over it.
    expect(months.neighbour(2, 'down')).toBe(3);
    expect(months.neighbour(3, 'down')).toBe(4);
    expect(months.neighbour(5, 'up')).toBe(3);
    expect(months.neighbour(3, 'up')).toBe(0);
  });

  it('begin in reading order, never overlap, and show everything that touches a stretch', () => {
    const input = fc.record({
      heights: fc.array(fc.integer({ min: 40, max: 600 }), { minLength: 1, maxLength: 200 }),
      columns: fc.integer({ min: 1, max: 9 }),
      from: fc.integer({ min: -200, max: 9_000 }),
      length: fc.integer({ min: 1, max: 2_000 }),
      border: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(input, ({ heights: each, columns, from, length, border }) => {
        const first = Math.floor(each.length * border);
        const sections = [
          { label: 'One', first: 0, count: first },
          { label: 'Other', first, count: each.length - first },
        ];
        const wall = columnsPlan({
          count: each.length,
          columns,
          gap: 12,
          heightOf: (at) => each[at] ?? 0,
          sections,
        });
        const places = each.map((_unused, index) => wall.placeOf(index));
        const ends = new Map<number, number>();
        let before = 0;
        for (const { top, height, column } of places) {
          expect(top).toBeGreaterThanOrEqual(before);
          expect(top).toBeGreaterThanOrEqual(ends.get(column) ?? 0);
          ends.set(column, top + height);
          before = top;
        }
        const touching = places.flatMap(({ top, height }, index) =>
          top < from + length && top + height > from ? [index] : [],
        );
        expect(wall.within(from, from + length)).toEqual(touching);
        expect(wall.height).toBeGreaterThanOrEqual(Math.max(...ends.values()));
      }),
    );
  });
});
