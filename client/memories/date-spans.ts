// The days and months of a list that is ordered by time: where each begins and how many rows it has. Pure; finds the
// boundaries by binary search, so that fifty thousand rows need a few hundred comparisons.
import { dayLabel, localDay, monthLabel } from '#client/ui/local-day.ts';

/** Consecutive rows of one day or month, or of several months that follow each other. */
export interface DateSpan {
  /** `2026-11` or `2026-11-21`: the month or the day of the first row. */
  period: string;
  /** The same of the last row. */
  until: string;
  first: number;
  count: number;
}

/**
 * Spans of a list in which equal periods stand together, in its order: days from `daysFrom` on, months before it, or
 * months alone.
 */
export function dateSpans(
  length: number,
  momentOf: (index: number) => string,
  daysFrom?: string,
): DateSpan[] {
  const periodAt = (index: number) => {
    const day = localDay(momentOf(index));
    return daysFrom !== undefined && day >= daysFrom ? day : day.slice(0, 7);
  };
  const spans: DateSpan[] = [];
  for (let first = 0; first < length;) {
    const period = periodAt(first);
    let inside = first;
    let beyond = length;
    while (beyond - inside > 1) {
      const middle = (inside + beyond) >>> 1;
      if (periodAt(middle) === period) inside = middle;
      else beyond = middle;
    }
    spans.push({ period, until: period, first, count: beyond - first });
    first = beyond;
  }
  return spans;
}

const MONTH_LENGTH = '2026-11'.length;

/**
 * Spans with at least `least` rows each: those with fewer are joined with the next ones, days with days and months with
 * months. Days from `alone` on stay as they are.
 */
export function joinSmallSpans(spans: readonly DateSpan[], least: number, alone = 'none'): DateSpan[] {
  const joined: DateSpan[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    const mayJoin =
      last !== undefined &&
      last.count < least &&
      last.period.length === span.period.length &&
      last.period < alone &&
      span.period < alone;
    if (mayJoin) joined[joined.length - 1] = { ...last, until: span.until, count: last.count + span.count };
    else joined.push(span);
  }
  return joined;
}

const wordsOf = (period: string, now: Date | undefined): string =>
  period.length === MONTH_LENGTH ? monthLabel(period) : dayLabel(period, now);

/** Words for a span, the earlier end first: `Today`, `3 November`, `16 – 18 November`, `November 2025 – March 2026`. */
export function spanLabel({ period, until }: Pick<DateSpan, 'period' | 'until'>, now?: Date): string {
  if (period === until) return wordsOf(period, now);
  const [from, to] = period < until ? [period, until] : [until, period];
  const [first = '', ...rest] = wordsOf(from, now).split(' ');
  const last = wordsOf(to, now);
  // The month or year that both have is said once.
  const isShared = rest.length > 0 && last.endsWith(` ${rest.join(' ')}`);
  return `${isShared ? first : wordsOf(from, now)} – ${last}`;
}
