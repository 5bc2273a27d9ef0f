/** Where the months of a list begin. */
import { expect, it } from 'vitest';
import { joinSmallSpans, monthSpans, spanLabel } from '#client/memories/months.ts';

it('finds every border of a list ordered either way, with few looks', () => {
  const days = Array.from({ length: 5_000 }, (_, index) =>
    new Date(Date.UTC(2026, 10, 21, 12) - index * 3_600_000 * 5).toISOString(),
  );
  let looks = 0;
  const spansOf = (list: readonly string[]) =>
    monthSpans(list.length, (index) => {
      looks += 1;
      return list[index] ?? '';
    });
  const spans = spansOf(days);
  expect(looks).toBeLessThan(1_000);
  expect(spans.reduce((sum, { count }) => sum + count, 0)).toBe(days.length);
  expect(spans.map(({ month }) => month)).toEqual([...new Set(days.map((day) => day.slice(0, 7)))]);
  for (const { month, first, count } of spans) {
    expect(days.slice(first, first + count).every((day) => day.startsWith(month))).toBe(true);
  }
  expect(spansOf(days.toReversed()).map(({ count }) => count)).toEqual(
    spans.map(({ count }) => count).toReversed(),
  );
  expect(spansOf([])).toEqual([]);
});

it('joins months with few rows with those that follow', () => {
  const span = (month: string, first: number, count: number) => ({ month, until: month, first, count });
  const spans = [span('2026-05', 0, 2), span('2026-04', 2, 1), span('2026-03', 3, 9), span('2026-02', 12, 1)];
  const joined = joinSmallSpans(spans, 4);
  expect(joined.map(({ first, count }) => [first, count])).toEqual([
    [0, 12],
    [12, 1],
  ]);
  expect(joined.map(spanLabel)).toEqual(['May 2026 – March 2026', 'February 2026']);
  expect(joinSmallSpans(spans, 1)).toEqual(spans);
});
