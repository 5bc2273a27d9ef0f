// When a person's next digest is due: at a fixed hour of their own day, regardless of daylight saving.
import { DAY_MS } from '#shared/constants.ts';
import { DIGEST } from '#shared/notifications/limits.ts';
import type { NotificationSettings } from '#shared/notifications/settings.ts';

/** A week and a day, so that a weekly digest whose hour has passed today finds the same weekday again. */
const DAYS_AHEAD = 8;

/** The first moment after `now` at which the digest is due; undefined without digest. */
export function nextDigestAt(
  now: Date,
  { digest, timezone }: Pick<NotificationSettings, 'digest' | 'timezone'>,
): Date | undefined {
  if (digest === 'off') return undefined;
  const today = localDate(now, timezone);
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) {
    // A calendar day without zone, so that adding days needs no thought of hours.
    const day = new Date(today.getTime() + ahead * DAY_MS);
    if (digest === 'weekly' && day.getUTCDay() !== DIGEST.weekday) continue;
    const due = atHour(day, timezone);
    if (due > now) return due;
  }
  throw new Error('No digest is due within a week');
}

/** The calendar day in a zone, as midnight in UTC. */
function localDate(moment: Date, timezone: string): Date {
  return new Date(Math.floor(wallClock(moment, timezone) / DAY_MS) * DAY_MS);
}

/** The moment at which clocks of the zone show the hour of digests on that day. */
function atHour(day: Date, timezone: string): Date {
  const wanted = day.getTime() + DIGEST.hour * 3_600_000;
  let guess = wanted;
  // The second round corrects a first one that fell on the other side of a change of clocks.
  for (let round = 0; round < 2; round += 1) guess += wanted - wallClock(new Date(guess), timezone);
  return new Date(guess);
}

/** Wall clock time of the zone at a moment, in milliseconds as if it were UTC. */
function wallClock(moment: Date, timezone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}
