/**
 * Which rows of a long list or grid are near the window, and where they stand.
 * Lines have one fixed height, so nothing is measured and going back lands where one was.
 */
import { useCallback, useLayoutEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { CARD_HEIGHT } from '#client/memories/memory-card.tsx';
import { ROW_HEIGHT } from '#client/memories/memory-row.tsx';

/** How a collection is drawn; `split` is a list with the current memory open beside it. */
export type CollectionLayout = 'list' | 'grid' | 'split';

const GAP = 12;
const CARD_MIN_WIDTH = 248;
/** Width below which rows have two lines; equal to the container query `@lg` of the row. */
const NARROW_PX = 512;
/** Lines drawn before and after those in sight. */
const OVERSCAN = 6;
/** Height of what sticks to the top and the bottom of the window. */
const STICKY = { top: 112, bottom: 96 } as const;

function columnsOf(layout: CollectionLayout, width: number): number {
  return layout !== 'grid' ? 1 : Math.max(1, Math.floor((width + GAP) / (CARD_MIN_WIDTH + GAP)));
}

function lineHeightOf(layout: CollectionLayout, width: number): number {
  if (layout === 'grid') return CARD_HEIGHT + GAP;
  return width >= NARROW_PX ? ROW_HEIGHT.wide : ROW_HEIGHT.narrow;
}

interface Box {
  width: number;
  top: number;
}

/** The element's position in the document and its width. */
function useBox(frame: RefObject<HTMLElement | null>): Box {
  const [box, setBox] = useState<Box>({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = () => {
      const top = Math.round(element.getBoundingClientRect().top + window.scrollY);
      const width = element.clientWidth;
      setBox((was) => (was.width === width && was.top === top ? was : { width, top }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [frame]);
  return box;
}

interface Range {
  first: number;
  end: number;
}

function rangeInSight(top: number, lineHeight: number): Range {
  const above = window.scrollY - top;
  return {
    first: Math.max(0, Math.floor(above / lineHeight) - OVERSCAN),
    end: Math.max(0, Math.ceil((above + window.innerHeight) / lineHeight) + OVERSCAN),
  };
}

/** Numbers of the lines near the window; plain arithmetic, so it costs the same for any length. */
function useRange(top: number, lineHeight: number): Range {
  const [range, setRange] = useState<Range>(() => rangeInSight(top, lineHeight));
  useLayoutEffect(() => {
    const look = () =>
      setRange((was) => {
        const now = rangeInSight(top, lineHeight);
        return was.first === now.first && was.end === now.end ? was : now;
      });
    look();
    // At once, or a quick scroll would show a frame without lines.
    const follow = () => flushSync(look);
    window.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('resize', follow);
    return () => {
      window.removeEventListener('scroll', follow);
      window.removeEventListener('resize', follow);
    };
  }, [top, lineHeight]);
  return range;
}

/** Lines to draw for `count` items inside the element of `frame`. */
export function useGridWindow(frame: RefObject<HTMLElement | null>, layout: CollectionLayout, count: number) {
  const box = useBox(frame);
  const columns = columnsOf(layout, box.width);
  const lineHeight = lineHeightOf(layout, box.width);
  const total = Math.ceil(count / columns);
  const range = useRange(box.top, lineHeight);
  const end = Math.min(range.end, total);
  const lines = Array.from({ length: Math.max(0, end - range.first) }, (_unused, index) => {
    const line = range.first + index;
    return { first: line * columns, top: line * lineHeight };
  });
  const scrollTo = useCallback(
    (index: number) => {
      const top = box.top + Math.floor(index / columns) * lineHeight;
      const bottom = top + lineHeight;
      if (top < window.scrollY + STICKY.top) window.scrollTo({ top: top - STICKY.top });
      else if (bottom > window.scrollY + window.innerHeight - STICKY.bottom)
        window.scrollTo({ top: bottom - window.innerHeight + STICKY.bottom });
    },
    [box.top, columns, lineHeight],
  );
  return {
    ...{ columns, lineHeight, lines, scrollTo },
    gap: layout === 'grid' ? GAP : 0,
    height: total * lineHeight,
  };
}
