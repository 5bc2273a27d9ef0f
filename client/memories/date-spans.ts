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
 * Spans of a list with equal periods grouped together, in its order: days from `daysFrom` on, months before it, or months
 * alone.
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

/** Spans with at least `least` rows each: those with fewer are joined with the next ones or the one before, where both may be. */
export function joinSmallSpans(
  spans: readonly DateSpan[],
  least: number,
  mayJoin: (span: DateSpan) => boolean = () => true,
): DateSpan[] {
  const joined: DateSpan[] = [];
  for (const [index, span] of spans.entries()) {
    const last = joined.at(-1);
    const next = spans[index + 1];
    const staysSmall = span.count < least && !(next && mayJoin(next));
    if (last && mayJoin(last) && mayJoin(span) && (last.count < least || staysSmall)) {
      joined[joined.length - 1] = { ...last, until: span.until, count: last.count + span.count };
    } else joined.push(span);
  }
  return joined;
}

/** Whether a span is of days, not of months. */
export function isOfDays({ period }: Pick<DateSpan, 'period'>): boolean {
  return period.length > '2026-11'.length;
}

/** Words for a span, the earlier end first: `Today`, `3 November`, `4 – 6 November`, `November 2025 – March 2026`. */
export function spanLabel(span: Pick<DateSpan, 'period' | 'until'>, now?: Date): string {
  const words = isOfDays(span) ? (day: string) => dayLabel(day, now) : monthLabel;
  const [from = '', to = ''] = [span.period, span.until].toSorted();
  if (from === to) return words(from);
  const [first = '', ...rest] = words(from).split(' ');
  const last = words(to);
  // A month or year shared by both is shown once.
  const isShared = rest.length > 0 && last.endsWith(` ${rest.join(' ')}`);
  return `${isShared ? first : words(from)} – ${last}`;
}
