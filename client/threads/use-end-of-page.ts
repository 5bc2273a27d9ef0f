/**
 * Scrolls a growing page to its end as long as the reader is there, and reports when the reader has scrolled away.
 * Watches the window's scroll position and the height of one element.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** So near to the end counts as being there. */
const NEAR_PX = 96;

function distanceToEnd(): number {
  return document.documentElement.scrollHeight - innerHeight - scrollY;
}

/**
 * Attach `frame` to the element that grows; `first` identifies its first child, so that nothing jumps when more is
 * inserted before it.
 */
export function useEndOfPage(first: string | undefined) {
  const [isAtEnd, setIsAtEnd] = useState(true);
  const follows = useRef(true);
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const lastY = useRef(0);
  const toEnd = useCallback(() => {
    follows.current = true;
    scrollTo({ top: document.documentElement.scrollHeight });
    lastY.current = scrollY;
  }, []);
  useEffect(() => {
    const look = () => {
      follows.current = distanceToEnd() < NEAR_PX;
      lastY.current = scrollY;
      setIsAtEnd(follows.current);
    };
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  useEffect(() => {
    if (!frame) return undefined;
    const observer = new ResizeObserver(() => {
      // The reader may have just scrolled up, before the scroll event.
      if (scrollY < lastY.current) follows.current = false;
      if (follows.current) toEnd();
      setIsAtEnd(follows.current);
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, [frame, toEnd]);

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
  return { frame: setFrame, isAtEnd, toEnd };
}
