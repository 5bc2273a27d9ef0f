/**
 * The heading of a month within a list: it stands above its memories and stays below the page's bar while they are in
 * sight, with their number and a menu of the other months.
 */
import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { HEADING_PX, type PlacedSection } from '#client/memories/collection-plan.ts';
import { useIsWhole } from '#client/replica/use-known.ts';
import { LazyMenu } from '#client/ui/lazy-menu.tsx';

interface MonthHeadingProps {
  section: PlacedSection;
  all: readonly PlacedSection[];
  /** Begins where the edge of a card is, not where the words of a row begin. */
  flush: boolean;
  /** The Tab key stops only in the month of the item that it reaches. */
  active: boolean;
  onGo: (section: PlacedSection) => void;
}

const counted = (count: number): string => count.toLocaleString('en');

/** A line of the list that spans the whole month, so that the heading can stay in sight. */
export function MonthHeading({ section, all, flush, active, onGo }: MonthHeadingProps) {
  const { label = '', count } = section;
  const isCounted = useIsWhole();
  return (
    <li
      className="pointer-events-none absolute inset-x-0 z-10"
      style={{ top: section.top, height: section.height }}
    >
      <div
        style={{ height: HEADING_PX }}
        className={clsx(
          'pointer-events-auto sticky top-[calc(3.25rem+env(safe-area-inset-top))] -mx-1 flex items-center gap-2 bg-paper/95 backdrop-blur-sm',
          flush ? 'px-1.5' : 'px-3',
        )}
      >
        <h2 className="text-sm font-semibold">{label}</h2>
        {isCounted && (
          <span className="text-xs text-ink-faint tabular-nums">
            {counted(count)}
            <span className="sr-only">{count === 1 ? ' memory' : ' memories'}</span>
          </span>
        )}
        <LazyMenu
          button={{
            label: `${label}: go to another month`,
            icon: <ChevronDown />,
            size: 'xs',
            tabIndex: active ? 0 : -1,
            className: '-ms-1',
          }}
          entries={() =>
            all.map((other) => ({
              label: isCounted ? `${other.label ?? ''} (${counted(other.count)})` : (other.label ?? ''),
              run: () => onGo(other),
            }))
          }
        />
      </div>
    </li>
  );
}
