/**
 * Memories per day as bars; the same numbers as a table for those who do not see bars.
 * No library: thirty rectangles.
 */
import type { Usage } from '#shared/workspaces/usage.ts';
import { countMemories, countOf, formatCount, formatDay } from '#shared/english.ts';
import { noonOf } from '#client/ui/local-day.ts';

const dayName = (day: string): string => formatDay(noonOf(day));

/** So many memories of a day fill the height at least, so that a few do not look like many. */
const FEW = 5;

/** The tallest day fills the height, unless it has few. */
export function UsageChart({ series }: { series: Usage['series'] }) {
  const top = Math.max(...series.map(({ memories }) => memories));
  const total = series.reduce((sum, { memories }) => sum + memories, 0);
  const messages = series.reduce((sum, entry) => sum + entry.messages, 0);
  const first = series[0];
  const last = series.at(-1);
  return (
    <figure>
      <div aria-hidden="true" className="flex h-28 items-end gap-px border-b border-line sm:gap-0.5">
        {series.map(({ date, memories }) => (
          <div
            key={date}
            className="flex h-full flex-1 items-end"
            title={`${dayName(date)}: ${countMemories(memories)}`}
          >
            <div
              className="w-full rounded-t-sm bg-primary forced-colors:bg-[Highlight]"
              style={{ height: memories === 0 ? 0 : `max(3px, ${(100 * memories) / Math.max(FEW, top)}%)` }}
            />
          </div>
        ))}
      </div>
      <div aria-hidden="true" className="mt-1 flex justify-between text-xs text-ink-muted">
        <span>{first && dayName(first.date)}</span>
        <span>{last && dayName(last.date)}</span>
      </div>
      <figcaption className="mt-2 text-sm text-ink-muted">
        {countMemories(total)} and {countOf(messages, 'message')}.
        {total > 0 && ` Most memories on one day: ${formatCount(top)}.`}
      </figcaption>
      <table className="sr-only">
        <caption>Memories and messages per day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Memories</th>
            <th scope="col">Messages</th>
          </tr>
        </thead>
        <tbody>
          {series.map((entry) => (
            <tr key={entry.date}>
              <th scope="row">{dayName(entry.date)}</th>
              <td>{entry.memories}</td>
              <td>{entry.messages}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
