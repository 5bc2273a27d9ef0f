/**
 * The month of the visible memories, as a heading that stays while the list scrolls, with a menu of the other months.
 * Rendered right before the list.
 */
import { ChevronDown } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { monthSpans, type MonthSpan } from '#client/memories/months.ts';
import { Button } from '#client/ui/button.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { monthLabel } from '#client/ui/local-day.ts';

interface MonthLineProps {
  rows: readonly MemoryHead[];
  /** By which time the list is ordered. */
  by: 'created' | 'updated';
  columns: number;
  lineHeight: number;
}

/** Height of the page's bar, under which the heading stays. */
const BAR_PX = 52;

function spanAt(spans: readonly MonthSpan[], index: number): MonthSpan | undefined {
  return spans.findLast((span) => span.first <= index) ?? spans[0];
}

/** Renders nothing when everything is of one month. */
export function MonthLine({ rows, by, columns, lineHeight }: MonthLineProps) {
  const spans = useMemo(() => monthSpans(rows.length, (index) => rows[index]?.[by] ?? ''), [rows, by]);
  const line = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const hasLine = spans.length > 1;
  useEffect(() => {
    if (!hasLine) return undefined;
    const look = () => {
      const own = line.current;
      const list = own?.nextElementSibling;
      if (!own || !list) return;
      const covered = own.getBoundingClientRect().bottom - list.getBoundingClientRect().top;
      setTop(Math.max(0, Math.floor(covered / lineHeight)) * columns);
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [hasLine, columns, lineHeight]);
  if (!hasLine) return null;
  const current = spanAt(spans, top);
  const goTo = (span: MonthSpan) => {
    const own = line.current;
    const list = own?.nextElementSibling;
    if (!own || !list) return;
    const start = list.getBoundingClientRect().top + scrollY;
    scrollTo({ top: start + Math.floor(span.first / columns) * lineHeight - BAR_PX - own.offsetHeight });
  };
  return (
    <div
      ref={line}
      className="sticky top-[calc(3.25rem+env(safe-area-inset-top))] z-10 -mx-1 flex items-center gap-2 bg-canvas/95 px-1 py-1 backdrop-blur-sm"
    >
      <h2 className="sr-only">{monthLabel(current?.month ?? '')}</h2>
      <DropdownMenu
        trigger={
          <Button
            size="sm"
            variant="ghost"
            aria-label={`${monthLabel(current?.month ?? '')}: go to another month`}
          >
            {monthLabel(current?.month ?? '')}
            <ChevronDown aria-hidden="true" className="size-3.5! opacity-70" />
          </Button>
        }
        entries={() =>
          spans.map((span) => ({
            label: `${monthLabel(span.month)} (${span.count.toLocaleString('en')})`,
            run: () => goTo(span),
          }))
        }
      />
    </div>
  );
}
