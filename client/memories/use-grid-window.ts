/**
 * Which rows of a long list or grid are near the window, and where they stand.
 * Lines have one fixed height, so nothing is measured and going back lands where one was.
 */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useState, type RefObject } from 'react';
import { CARD_HEIGHT } from '#client/memories/memory-card.tsx';
import { ROW_HEIGHT } from '#client/memories/memory-row.tsx';

/** How a collection is drawn. */
export type CollectionLayout = 'list' | 'grid';

const GAP = 12;
const CARD_MIN_WIDTH = 248;
/** Width below which rows have two lines; equal to the container query `@lg` of the row. */
const NARROW_PX = 512;
/** Height of what sticks to the top and the bottom of the window. */
const STICKY = { top: 112, bottom: 96 } as const;

function columnsOf(layout: CollectionLayout, width: number): number {
  return layout === 'list' ? 1 : Math.max(1, Math.floor((width + GAP) / (CARD_MIN_WIDTH + GAP)));
}

function lineHeightOf(layout: CollectionLayout, width: number): number {
  if (layout === 'grid') return CARD_HEIGHT + GAP;
  return width >= NARROW_PX ? ROW_HEIGHT.wide : ROW_HEIGHT.narrow;
}

/** Lines to draw for `count` items inside the element of `frame`. */
export function useGridWindow(frame: RefObject<HTMLElement | null>, layout: CollectionLayout, count: number) {
  const [box, setBox] = useState({ width: 0, top: 0 });
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
  const columns = columnsOf(layout, box.width);
  const lineHeight = lineHeightOf(layout, box.width);
  // oxlint-disable-next-line react/incompatible-library -- the compiler is off; its rule about this hook is its own
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(count / columns),
    estimateSize: () => lineHeight,
    overscan: 6,
    scrollMargin: box.top,
    scrollPaddingStart: STICKY.top,
    scrollPaddingEnd: STICKY.bottom,
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, lineHeight]);
  const lines = virtualizer.getVirtualItems().map((line) => ({
    key: line.key,
    first: line.index * columns,
    top: line.start - box.top,
  }));
  return {
    columns,
    lineHeight,
    gap: layout === 'grid' ? GAP : 0,
    height: virtualizer.getTotalSize(),
    lines,
    scrollTo: (index: number) => virtualizer.scrollToIndex(Math.floor(index / columns)),
  };
}
