/**
 * The virtualizer of a list with its memory of places: which items are in view, where they lie, where one comes back to.
 * Geometry only; focus and drawing are virtual-items.tsx's.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { recallPlace, rememberPlace } from '#client/ui/scroll-memory.ts';

interface EngineOptions {
  count: number;
  keyAt: (index: number) => string;
  sizeAt: (index: number) => number;
  lanes: number;
  gap: number;
  scroller: HTMLElement | null | undefined;
  restoreKey: string | undefined;
}

/** A number that is read once, when the list goes; changing it draws nothing. */
function noteOf(start: number) {
  let noted = start;
  return { read: () => noted, write: (next: number) => void (noted = next) };
}

/** How far down the scrolling element the list begins, for lists below a heading. */
function useScrollMargin(scroller: HTMLElement | null | undefined) {
  const list = useRef<HTMLUListElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    if (!scroller || !list.current) return;
    const top = list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    setMargin(Math.max(0, Math.round(top + scroller.scrollTop)));
  }, [scroller]);
  return { list, margin };
}

/** `active` notes the item that holds the focus, remembered with the place. */
export function useVirtualEngine({ count, keyAt, sizeAt, lanes, gap, scroller, restoreKey }: EngineOptions) {
  const own = useRef<HTMLDivElement>(null);
  const { list, margin } = useScrollMargin(scroller);
  const [place] = useState(() => recallPlace(restoreKey));
  const [active] = useState(() => noteOf(place?.active ?? 0));
  // oxlint-disable-next-line react/incompatible-library -- the compiler is off; its rule about this hook is its own
  const virtualizer = useVirtualizer<HTMLElement, HTMLLIElement>({
    count,
    getScrollElement: () => scroller ?? own.current,
    estimateSize: sizeAt,
    getItemKey: keyAt,
    overscan: 6,
    lanes,
    gap,
    scrollMargin: margin,
    initialRect: { width: 1024, height: 800 },
    ...(place && { initialOffset: place.offset }),
    ...(place?.lanes === lanes && { initialMeasurementsCache: place.measurements }),
  });
  useEffect(() => {
    if (restoreKey === undefined) return undefined;
    return () =>
      rememberPlace(restoreKey, {
        offset: virtualizer.scrollOffset ?? 0,
        active: active.read(),
        lanes,
        measurements: virtualizer.takeSnapshot(),
      });
  }, [restoreKey, virtualizer, lanes, active]);
  return { virtualizer, own, list, margin, active };
}
