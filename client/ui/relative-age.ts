/**
 * "3 minutes ago" from two times, by Intl. Pure; relative-time.tsx updates it.
 */

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** The exact moment, for those who want to know. */
export const EXACT_TIME = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });

/** The largest unit that fits; "now" within a minute. */
export function relativeAge(moment: number, now: number, locale = 'en'): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' });
  const distance = moment - now;
  for (const [unit, size] of STEPS) {
    if (Math.abs(distance) >= size) return format.format(Math.trunc(distance / size), unit);
  }
  return format.format(0, 'second');
}
