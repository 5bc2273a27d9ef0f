/**
 * The heading of a day or a month within a list: a word on a rule. It is shown above its memories and sticks below the page's
 * bar while they are visible, with a menu of the other dates.
 */
import { ChevronDown } from 'lucide-react';
import { HEADING_PX, type PlacedSection } from '#client/memories/collection-plan.ts';
import { useIsWhole } from '#client/replica/use-known.ts';
import { LazyMenu } from '#client/ui/lazy-menu.tsx';
import { formatCount, countMemories } from '#shared/english.ts';

interface DateHeadingProps {
  section: PlacedSection;
  all: readonly PlacedSection[];
  /** The Tab key stops only in the section of the item that it reaches. */
  active: boolean;
  onGo: (section: PlacedSection) => void;
}

/** A line of the list that spans the whole section, so that the heading can stay in sight. */
export function DateHeading({ section, all, active, onGo }: DateHeadingProps) {
  const { label = '', count } = section;
  const isCounted = useIsWhole();
  return (
    <li
      className="pointer-events-none absolute inset-x-0 z-10"
      style={{ top: section.top, height: section.height }}
    >
      <div
        style={{ height: HEADING_PX }}
        className="group/date pointer-events-auto sticky top-(--bar) flex items-center bg-paper/95 pt-1.5 backdrop-blur-sm"
      >
        <h2 className="me-3 text-xs font-medium text-ink-faint">{label}</h2>
        {isCounted && <span className="sr-only">{countMemories(count)}</span>}
        <span aria-hidden="true" className="h-px flex-1 bg-line" />
        <LazyMenu
          button={{
            label: `${label}: go to another month`,
            icon: <ChevronDown />,
            size: 'xs',
            tabIndex: active ? 0 : -1,
            className:
              'pointer-fine:absolute pointer-fine:end-0 pointer-fine:bg-paper pointer-fine:opacity-0 group-hover/date:opacity-100 focus-visible:opacity-100 data-[state=open]:opacity-100',
          }}
          entries={() =>
            all.map((other) => ({
              label: isCounted ? `${other.label ?? ''} (${formatCount(other.count)})` : (other.label ?? ''),
              run: () => onGo(other),
            }))
          }
        />
      </div>
    </li>
  );
}
