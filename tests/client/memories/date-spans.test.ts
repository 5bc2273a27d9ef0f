/** Where the days and months of a list begin. */
import { expect, it } from 'vitest';
import {
  dateSpans,
  isOfDays,
  joinSmallSpans,
  spanLabel,
  type DateSpan,
} from '#client/memories/date-spans.ts';

it('finds every border of a list ordered either way, with few looks', () => {
  const days = Array.from({ length: 5_000 }, (_, index) =>
    new Date(Date.UTC(2026, 10, 21, 12) - index * 3_600_000 * 5).toISOString(),
  );
  let looks = 0;
  const spansOf = (list: readonly string[]) =>
    dateSpans(list.length, (index) => {
      looks += 1;
      return list[index] ?? '';
    });
  const spans = spansOf(days);
  expect(looks).toBeLessThan(1_000);
  expect(spans.reduce((sum, { count }) => sum + count, 0)).toBe(days.length);
  expect(spans.map(({ period }) => period)).toEqual([...new Set(days.map((day) => day.slice(0, 7)))]);
  for (const { period, first, count } of spans) {
    expect(days.slice(first, first + count).every((day) => day.startsWith(period))).toBe(true);
  }
  expect(spansOf(days.toReversed()).map(({ count }) => count)).toEqual(
    spans.map(({ count }) => count).toReversed(),
  );
  expect(spansOf([])).toEqual([]);
});

it('joins months with few rows with those that follow, and the last one with the one before', () => {
  const span = (month: string, first: number, count: number) => ({
    period: month,
    until: month,
    first,
    count,
  });
  const spans = [span('2026-05', 0, 2), span('2026-04', 2, 1), span('2026-03', 3, 9), span('2026-02', 12, 1)];
  const joined = joinSmallSpans(spans, 4);
  expect(joined.map(({ first, count }) => [first, count])).toEqual([[0, 13]]);
  expect(joined.map((one) => spanLabel(one))).toEqual(['February – May 2026']);
  expect(joinSmallSpans(spans.slice(0, 3), 4).map(({ count }) => count)).toEqual([12]);
  expect(joinSmallSpans(spans, 1)).toEqual(spans);
});

it('tells the last days apart, joins those with few rows, and never today and yesterday', () => {
  const now = new Date('2026-11-21T12:00:00');
  const days = ['21', '20', '18', '17', '16', '16', '09', '02'].map((day) => `2026-11-${day}T12:00:00`);
  const labels = (moments: readonly string[]) => {
    const spans = dateSpans(moments.length, (index) => moments[index] ?? '', '2026-11-15');
    const mayJoin = (span: DateSpan) => isOfDays(span) && span.period < '2026-11-20';
    return joinSmallSpans(spans, 3, mayJoin).map((span) => [spanLabel(span, now), span.count]);
  };
  expect(labels([...days, '2026-10-30T12:00:00'])).toEqual([
    ['Today', 1],
    ['Yesterday', 1],
    ['16 – 18 November', 4],
    ['November 2026', 2],
    ['October 2026', 1],
  ]);
  expect(labels(days.toReversed()).map(([label]) => label)).toEqual([
    'November 2026',
    '16 – 18 November',
    'Yesterday',
    'Today',
  ]);
});
