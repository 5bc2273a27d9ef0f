// The months of a list that is ordered by time: where each begins and how many rows it has. Pure; finds the boundaries
// by binary search, so that fifty thousand rows need a few hundred comparisons.
import { localMonth } from '#client/ui/local-day.ts';

/** Consecutive rows of one month. */
export interface MonthSpan {
  /** `2026-11`. */
  month: string;
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
    spans.push({ month, first, count: beyond - first });
    first = beyond;
  }
  return spans;
}
