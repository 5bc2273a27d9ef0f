/** When something was saved, short enough for a column: the time of day, or the date. */
import { localDay } from '#client/ui/local-day.ts';
import { useMinuteClock } from '#client/ui/minute-clock.ts';
import { EXACT_TIME } from '#client/ui/relative-age.ts';

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const DAY_MS = 86_400_000;

interface RowTimeProps {
  at: string;
  /** The list has the heading `Yesterday` above its rows: these show the time too. */
  clock: boolean;
  className?: string;
}

/** The exact moment on hover. */
export function RowTime({ at, clock, className }: RowTimeProps) {
  const now = useMinuteClock() ?? 0;
  const moment = Date.parse(at);
  const [day, today] = [localDay(at), localDay(now)];
  const isTimed = day >= (clock ? localDay(now - DAY_MS) : today);
  const format = isTimed ? CLOCK : day.slice(0, 4) === today.slice(0, 4) ? DAY : DAY_OF_YEAR;
  return (
    <time dateTime={at} title={EXACT_TIME.format(moment)} className={className}>
      {format.format(moment)}
    </time>
  );
}
