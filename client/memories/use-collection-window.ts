/**
 * Which items of a long list or grid are near the window, and their positions. Heights are known without measuring: equal ones
 * for lines, computed ones for cards. Cards far away get an estimated height until there is time for them.
 */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { DAY_MS } from '#shared/constants.ts';
import type { MemoryHead } from '#shared/memories/memory.ts';
import { cardFace, cardSize, hasCardFace } from '#client/memories/card-face.ts';
import {
  columnsPlan,
  linesPlan,
  WHOLE,
  type CollectionLayout,
  type CollectionPlan,
  type PlanSection,
} from '#client/memories/collection-plan.ts';
import { rowTime, type ListTime } from '#client/memories/list-view.ts';
import { ROW_HEIGHT } from '#client/memories/memory-row.tsx';
import { dateSpans, isOfDays, joinSmallSpans, spanLabel } from '#client/memories/date-spans.ts';
import { whenIdle } from '#client/start/quiet-moment.ts';
import { localDay } from '#client/ui/local-day.ts';
import { useMinuteClock } from '#client/ui/minute-clock.ts';

const GAP = 12;
const CARD_MIN_WIDTH = 248;
/** Width below which rows have two lines; equal to the container query `@lg` of the row. */
const NARROW_PX = 512;
/** Rendered above and below the visible part. */
const OVERSCAN_PX = 400;
/** The list is drawn again after this much scrolling. */
const STEP_PX = 120;
/** Height of sticky elements at the top and the bottom of the window. */
const STICKY_PX = { top: 108, bottom: 96 } as const;
/** Cards whose height is computed at once; those after them wait for an idle moment. */
const EXACT_AT_ONCE = 150;
const SLICE_MS = 8;
const ESTIMATED_PX = 220;

interface Box {
  width: number;
  top: number;
}

function boxOf(element: Element | null): Box {
  if (!element) return { width: 0, top: 0 };
  const { top } = element.getBoundingClientRect();
  return { width: element.clientWidth, top: Math.round(top + window.scrollY) };
}

/** Where the list of each page was, by its address, and the width that the window had. */
const lastBoxes = new Map<string, Box & { windowWidth: number }>();

function lastBox(): Box | undefined {
  const last = lastBoxes.get(location.pathname);
  return last?.windowWidth === window.innerWidth ? last : undefined;
}

/**
 * The element's position in the document and its width. A list that was on the screen before begins where it was, and at a
 * start where the list of the snapshot is: measuring a new element would lay out the whole page before its rows are in it.
 */
function useBox(frame: RefObject<HTMLElement | null>): Box {
  const [box, setBox] = useState(
    () => lastBox() ?? boxOf(document.querySelector('#screen-snapshot [data-collection]')),
  );
  const isMeasured = useRef(box.width > 0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = () => {
      const now = boxOf(element);
      lastBoxes.set(location.pathname, { ...now, windowWidth: window.innerWidth });
      setBox((was) => (was.width === now.width && was.top === now.top ? was : now));
    };
    if (!isMeasured.current) measure();
    isMeasured.current = false;
    // Before the frame is painted.
    const observer = new ResizeObserver(() => flushSync(measure));
    observer.observe(element);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [frame]);
  return box;
}

interface Stretch {
  from: number;
  to: number;
}

function stretchInSight(top: number, overscan: number): Stretch {
  const above = Math.floor((window.scrollY - top) / STEP_PX) * STEP_PX;
  return { from: above - overscan, to: above + STEP_PX + window.innerHeight + overscan };
}

/** The stretch of the list near the window, in steps; it costs the same for any length. */
function useStretch(top: number): Stretch {
  // What is out of sight is drawn after the first paint.
  const [stretch, setStretch] = useState<Stretch>(() => stretchInSight(top, 0));
  const seenFrom = useRef(top);
  useEffect(() => whenIdle(() => setStretch(stretchInSight(top, OVERSCAN_PX))), [top]);
  useLayoutEffect(() => {
    const look = () =>
      setStretch((was) => {
        const now = stretchInSight(top, OVERSCAN_PX);
        return was.from === now.from && was.to === now.to ? was : now;
      });
    if (seenFrom.current !== top) look();
    seenFrom.current = top;
    // At once, or a quick scroll would show a frame without items.
    const follow = () => flushSync(look);
    window.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('resize', follow);
    return () => {
      window.removeEventListener('scroll', follow);
      window.removeEventListener('resize', follow);
    };
  }, [top]);
  return stretch;
}

/** Computes the faces of all rows when idle; returns how often estimated heights were replaced. */
function useFaces(rows: readonly MemoryHead[], isNeeded: boolean): number {
  const [finished, setFinished] = useState(0);
  useEffect(() => {
    if (!isNeeded || rows.every(hasCardFace)) return undefined;
    let isCurrent = true;
    let next = 0;
    const slice = () => {
      if (!isCurrent) return;
      const end = performance.now() + SLICE_MS;
      for (; next < rows.length && performance.now() < end; next += 1) {
        const row = rows[next];
        if (row) cardFace(row);
      }
      if (next < rows.length) whenIdle(slice);
      else setFinished((before) => before + 1);
    };
    whenIdle(slice);
    return () => {
      isCurrent = false;
    };
  }, [rows, isNeeded]);
  return finished;
}

/** Height of each card, exact for as many as can be computed at once. */
function heightsOf(rows: readonly MemoryHead[], width: number): (index: number) => number {
  let allowance = EXACT_AT_ONCE;
  return (index) => {
    const row = rows[index];
    if (!row) return 0;
    if (!hasCardFace(row)) {
      if (allowance === 0) return ESTIMATED_PX;
      allowance -= 1;
    }
    return cardSize(row, width).height;
  };
}

/** Number of days with headings of their own, today included. */
const DAYS = 7;
/** Days before yesterday with fewer rows are joined. */
const LEAST_OF_DAYS = 3;

/** Headings by day for the last week and by month before it, by month alone for cards; none where there would be only one. */
function useSections(
  rows: readonly MemoryHead[],
  by: ListTime | undefined,
  columns: number,
): readonly PlanSection[] {
  const today = localDay(useMinuteClock() ?? 0);
  return useMemo(() => {
    if (by === undefined) return WHOLE;
    const now = new Date(`${today}T12:00:00`);
    const isCards = columns > 1;
    const days = isCards ? undefined : localDay(now.getTime() - (DAYS - 1) * DAY_MS);
    const dates = dateSpans(
      rows.length,
      (index) => {
        const row = rows[index];
        return row ? rowTime(row, by) : '';
      },
      days,
    );
    // A month with fewer cards than columns would leave most of its line empty, and a heading over each row is noise.
    const yesterday = localDay(now.getTime() - DAY_MS);
    const spans = isCards
      ? joinSmallSpans(dates, columns)
      : joinSmallSpans(dates, LEAST_OF_DAYS, (span) => isOfDays(span) && span.period < yesterday);
    if (spans.length < 2 && spans[0]?.period !== yesterday) return WHOLE;
    return spans.map((span) => ({ label: spanLabel(span, now), first: span.first, count: span.count }));
  }, [rows, by, columns, today]);
}

/** Keeps the visible rows at their position when estimated heights become exact. */
function useSteadyScroll(plan: CollectionPlan, finished: number, top: number): void {
  const before = useRef({ plan, finished });
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { plan, finished };
    if (old.finished === finished) return;
    const from = window.scrollY + STICKY_PX.top - top;
    if (from <= 0) return;
    const [first] = old.plan.within(from, from + window.innerHeight);
    if (first === undefined) return;
    window.scrollBy({ top: plan.placeOf(first).top - old.plan.placeOf(first).top });
  });
}

function rowHeightOf(layout: CollectionLayout, width: number): number {
  const heights = layout === 'compact' ? ROW_HEIGHT.compact : ROW_HEIGHT.list;
  return width >= NARROW_PX ? heights.wide : heights.narrow;
}

interface CollectionInput {
  rows: readonly MemoryHead[];
  layout: CollectionLayout;
  /** By which time the rows are ordered, where dates are shown. */
  dated: ListTime | undefined;
}

/** The plan of the whole list, the part to draw inside the element of `frame`, and ways to scroll. */
export function useCollectionWindow(
  frame: RefObject<HTMLElement | null>,
  { rows, layout, dated }: CollectionInput,
) {
  const { width, top } = useBox(frame);
  const isGrid = layout === 'grid';
  const columns = isGrid ? Math.max(1, Math.floor((width + GAP) / (CARD_MIN_WIDTH + GAP))) : 1;
  const columnWidth = (width - GAP * (columns - 1)) / columns;
  const lineHeight = rowHeightOf(layout, width);
  const sections = useSections(rows, dated, columns);
  const finished = useFaces(rows, isGrid);
  const plan: CollectionPlan = useMemo(() => {
    if (!isGrid) return linesPlan(rows.length, lineHeight, sections);
    // Before the first measurement there are no columns.
    const count = width === 0 ? 0 : rows.length;
    return columnsPlan({ count, columns, gap: GAP, heightOf: heightsOf(rows, columnWidth), sections });
    // oxlint-disable-next-line react/exhaustive-deps -- `finished` says that estimated heights are known now.
  }, [isGrid, rows, lineHeight, sections, width, columns, columnWidth, finished]);
  useSteadyScroll(plan, finished, top);
  const { from, to } = useStretch(top);
  const scrollTo = useCallback(
    (index: number) => {
      const place = plan.placeOf(index);
      const start = top + place.top;
      const end = start + place.height;
      if (start < window.scrollY + STICKY_PX.top) window.scrollTo({ top: start - STICKY_PX.top });
      else if (end > window.scrollY + window.innerHeight - STICKY_PX.bottom)
        window.scrollTo({ top: end - window.innerHeight + STICKY_PX.bottom });
    },
    [plan, top],
  );
  const scrollToSection = useCallback(
    (start: number) => window.scrollTo({ top: top + start - BAR_PX }),
    [top],
  );
  return {
    plan,
    scrollTo,
    scrollToSection,
    gap: isGrid ? GAP : 0,
    columnWidth,
    indices: plan.within(from, to),
    sections: plan.sections.filter(
      (section) => section.label !== undefined && section.top < to && section.top + section.height > from,
    ),
  };
}

/** Height of the page's bar on wide screens, under which a heading stays. */
const BAR_PX = 60;
