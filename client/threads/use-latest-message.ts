/**
 * Keeps the newest question of a growing page and what follows it in the window, as long as the reader is there: the page
 * scrolls to its end, but never past the beginning of the question, so that a long answer is read from its first line.
 * Watches the window's scroll position and the height of one element.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** So near counts as being there. */
const NEAR_PX = 96;
/** Share of the window that a long question takes at most, above its answer. */
const QUESTION_SHARE = 0.4;
const QUESTIONS = '[data-message]:not([data-answers])';

/** Scroll position that shows the newest question and what follows it, in pixels. */
function latestY(frame: HTMLElement): number {
  const end = document.documentElement.scrollHeight - innerHeight;
  const question = [...frame.querySelectorAll(QUESTIONS)].at(-1);
  if (question === undefined) return end;
  const { top, bottom } = question.getBoundingClientRect();
  const padding = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  return Math.min(end, scrollY + Math.max(top, bottom - QUESTION_SHARE * innerHeight) - padding);
}

/**
 * Attach `frame` to the element that grows; `first` identifies its first child, so that nothing jumps when more is
 * inserted before it.
 */
export function useLatestMessage(first: string | undefined) {
  const [isAtLatest, setIsAtLatest] = useState(true);
  const follows = useRef(true);
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const lastY = useRef(0);
  const toLatest = useCallback(() => {
    if (!frame) return;
    follows.current = true;
    // A reader who went on to the end of the answer is not taken back.
    scrollTo({ top: Math.max(scrollY, latestY(frame)) });
    lastY.current = scrollY;
  }, [frame]);
  useEffect(() => {
    if (!frame) return undefined;
    const look = () => {
      if (scrollY >= latestY(frame) - NEAR_PX) follows.current = true;
      // Otherwise the page has grown since it was scrolled, unless the reader went up.
      else if (scrollY < lastY.current) follows.current = false;
      lastY.current = scrollY;
      setIsAtLatest(follows.current);
    };
    addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(() => {
      // The reader may have just scrolled up, before the scroll event.
      if (scrollY < lastY.current) follows.current = false;
      if (follows.current) toLatest();
      setIsAtLatest(follows.current);
    });
    observer.observe(frame);
    return () => {
      removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [frame, toLatest]);

  // Messages added above push the rest down: the page scrolls by as much.
  const height = useRef(0);
  const before = useRef(first);
  useLayoutEffect(() => {
    const now = document.documentElement.scrollHeight;
    const isLonger = before.current !== undefined && before.current !== first;
    if (isLonger && !follows.current) scrollBy({ top: now - height.current });
    before.current = first;
  }, [first]);
  useLayoutEffect(() => {
    height.current = document.documentElement.scrollHeight;
  });
  return { frame: setFrame, isAtLatest, toLatest };
}
