/**
 * Threads one below the other, in blocks of one day; of a long list only the blocks near the window are drawn.
 * Which threads and why is the page's business.
 */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ThreadMatch } from '#client/threads/queries.ts';
import { ThreadLine } from '#client/threads/thread-line.tsx';
import { dayLabel, localDay } from '#client/ui/local-day.ts';

/** A busy day is several blocks; only the first of them has a heading. */
const BLOCK_LINES = 40;
/** Guesses until a block was measured, in pixels. */
const LINE_PX = 44;
const HEADING_PX = 20;
/** Blocks drawn before and after those in sight. */
const OVERSCAN = 1;

interface Block {
  key: string;
  /** Undefined for a list that is not ordered by time. */
  day: string | undefined;
  isFirst: boolean;
  rows: readonly ThreadMatch[];
}

function inPieces(day: string | undefined, rows: readonly ThreadMatch[]): Block[] {
  return Array.from({ length: Math.ceil(rows.length / BLOCK_LINES) }, (_unused, piece) => ({
    key: `${day ?? ''}/${piece}`,
    day,
    isFirst: piece === 0,
    rows: rows.slice(piece * BLOCK_LINES, (piece + 1) * BLOCK_LINES),
  }));
}

function blocksOf(matches: readonly ThreadMatch[], isByDay: boolean): Block[] {
  if (!isByDay) return inPieces(undefined, matches);
  const days = Map.groupBy(matches, ({ thread }) => localDay(thread.deletedAt ?? thread.updated));
  return [...days].flatMap(([day, rows]) => inPieces(day, rows));
}

function Lines({ rows, query, label }: { rows: Block['rows']; query: string; label?: string }) {
  return (
    <ul aria-label={label}>
      {rows.map(({ thread, passage }) => (
        <ThreadLine
          key={thread.id}
          thread={thread}
          found={passage === undefined ? undefined : { passage, query }}
        />
      ))}
    </ul>
  );
}

/** The list's offset from the top of the document. */
function useTop() {
  const frame = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop(Math.round((frame.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
  }, []);
  return { frame, top };
}

interface ThreadListProps {
  matches: readonly ThreadMatch[];
  /** Query of a search, which then decides the order; without one the list has headings for days. */
  query: string;
}

/** The list; an empty one is nothing. */
export function ThreadList({ matches, query }: ThreadListProps) {
  const isSearch = query.trim() !== '';
  const blocks = useMemo(() => blocksOf(matches, !isSearch), [matches, isSearch]);
  const { frame, top } = useTop();
  // oxlint-disable-next-line react/incompatible-library -- the compiler is off; its rule about this hook is its own
  const virtualizer = useWindowVirtualizer({
    count: blocks.length,
    getItemKey: (index) => blocks[index]?.key ?? index,
    estimateSize: (index) => (blocks[index]?.rows.length ?? 0) * LINE_PX + (isSearch ? 0 : HEADING_PX),
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  return (
    <div ref={frame} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((item) => {
        const block = blocks[item.index];
        if (block === undefined) return null;
        return (
          <div
            key={item.key}
            ref={virtualizer.measureElement}
            data-index={item.index}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${item.start - top}px)` }}
          >
            {block.day === undefined ? (
              <Lines rows={block.rows} query={query} label="Found threads" />
            ) : (
              <section
                aria-label={dayLabel(block.day)}
                className={block.isFirst && item.index > 0 ? 'pt-4' : ''}
              >
                {block.isFirst && (
                  <h2 className="px-2 pb-1 text-xs font-medium text-ink-faint">{dayLabel(block.day)}</h2>
                )}
                <Lines rows={block.rows} query={query} />
              </section>
            )}
          </div>
        );
      })}
    </div>
  );
}
