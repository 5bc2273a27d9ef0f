/**
 * "3 minutes ago" from two times. Pure; relative-time.tsx updates it.
 */
import { DAY_MS } from '#shared/constants.ts';

const STEPS: readonly (readonly [unit: string, ms: number])[] = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['week', 7 * DAY_MS],
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** The largest unit that fits; "now" within a minute. */
export function relativeAge(moment: number, now: number): string {
  const distance = Math.abs(moment - now);
  const [unit, size] = STEPS.find(([, ms]) => distance >= ms) ?? [];
  if (unit === undefined || size === undefined) return 'now';
  const count = Math.trunc(distance / size);
  const isPast = moment < now;
  if (count === 1 && unit === 'day') return isPast ? 'yesterday' : 'tomorrow';
  if (count === 1 && size > DAY_MS) return `${isPast ? 'last' : 'next'} ${unit}`;
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return isPast ? `${words} ago` : `in ${words}`;
}
