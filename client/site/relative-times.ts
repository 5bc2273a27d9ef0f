/** Dates on public pages in words that stay true while the page is open; the server writes them as days. */
import { formatMoment } from '#shared/english.ts';
import { relativeAge } from '#client/ui/relative-age.ts';

const TICK_MS = 60_000;

/** Updates those that are on the page now. */
export function showRelativeTimes(): void {
  const now = Date.now();
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-age]')) {
    const moment = Date.parse(time.dateTime);
    time.title = formatMoment(new Date(moment));
    // The clocks of server and visitor may differ: what has just been written is "now".
    time.textContent = relativeAge(Math.min(moment, now), now);
  }
}

/** Now and every minute. */
export function watchRelativeTimes(): void {
  showRelativeTimes();
  setInterval(showRelativeTimes, TICK_MS);
}
