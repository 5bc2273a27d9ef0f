// The months of a list that is ordered by time: where each begins and how many rows it has. Pure; finds the boundaries
// by binary search, so that fifty thousand rows need a few hundred comparisons.
import { localMonth, monthLabel } from '#client/ui/local-day.ts';

/** Consecutive rows of one month, or of several that follow each other. */
export interface MonthSpan {
  /** `2026-11`: the month of the first row. */
  month: string;
  /** The month of the last row. */
  until: string;
  first: number;
  count: number;
}

/** Spans of a list in which equal months stand together, in its order. */
export function monthSpans(length: number, momentOf: (index: number) => string): MonthSpan[] {
  const monthAt = (index: number) => localMonth(momentOf(index));
  const spans: MonthSpan[] = [];
  for (let first = 0; first < length;) {
    const month = monthAt(first);
    let inside = first;
    let beyond = length;
    while (beyond - inside > 1) {
      const middle = (inside + beyond) >>> 1;
      if (monthAt(middle) === month) inside = middle;
      else beyond = middle;
    }
    spans.push({ month, until: month, first, count: beyond - first });
    first = beyond;
  }
  return spans;
}

/** Spans with at least `least` rows each: months with fewer are joined with those that follow. */
export function joinSmallSpans(spans: readonly MonthSpan[], least: number): MonthSpan[] {
  const joined: MonthSpan[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last && last.count < least) {
      joined[joined.length - 1] = { ...last, until: span.until, count: last.count + span.count };
    } else joined.push(span);
  }
  return joined;
}

/** Words for a span, as `November 2026` or `March 2026 – November 2025`. */
export function spanLabel({ month, until }: MonthSpan): string {
  return month === until ? monthLabel(month) : `${monthLabel(month)} – ${monthLabel(until)}`;
}
