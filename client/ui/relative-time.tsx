/**
 * A time in relative form that is updated while the page is open, with the absolute time on hover. The server and the first
 * paint show the date, since only the reader's clock has "now".
 */
import { useMinuteClock } from '#client/ui/minute-clock.ts';
import { formatMoment } from '#shared/english.ts';
import { relativeAge } from '#client/ui/relative-age.ts';

interface RelativeTimeProps {
  /** ISO text or milliseconds. */
  at: string | number;
  className?: string;
}

/** A `<time>` element with a machine-readable moment; nothing for a text that is no date. */
export function RelativeTime({ at, className }: RelativeTimeProps) {
  const tick = useMinuteClock();
  const moment = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(moment)) return null;
  const iso = new Date(moment).toISOString();
  // A time after the last tick is "now", not "in 20 seconds".
  const now = tick === undefined ? undefined : Math.max(tick, Math.min(moment, tick + 60_000));
  return (
    <time
      dateTime={iso}
      data-age={now === undefined ? '' : undefined}
      title={now === undefined ? undefined : formatMoment(new Date(moment))}
      className={className}
    >
      {now === undefined ? iso.slice(0, 10) : relativeAge(moment, now)}
    </time>
  );
}
