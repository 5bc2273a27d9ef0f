/**
 * The scrolling part around an open memory: it opens at the passage that a citation led to, or where its reader stopped, also
 * when the text only arrives in pieces.
 */
import { clsx } from 'clsx';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { placeIn, readingPlace, saveReadingPlace, scrollTopOf } from '#client/memories/reading-place.ts';
import { TAKEN_OVER, useCitedPassage, useShownPassage } from '#client/memories/use-cited-passage.ts';

interface ReadingScrollProps {
  memoryId: string;
  className: string;
  children: ReactNode;
}

/** Mount it with the memory's id as key. */
export function ReadingScroll({ memoryId, className, children }: ReadingScrollProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [root, setRoot] = useState<HTMLElement>();
  const passage = useCitedPassage(memoryId);
  const isCited = passage !== undefined;
  useShownPassage(root, passage);
  useLayoutEffect(() => {
    const element = frame.current;
    setRoot(element ?? undefined);
    const content = element?.firstElementChild;
    if (!element || !content) return undefined;
    const wanted = isCited ? undefined : readingPlace(memoryId);
    // A text comes in pieces and changes its height, so the place is held until the reader moves.
    let isHeld = wanted !== undefined;
    let held = 0;
    const hold = () => {
      const top = wanted && isHeld ? scrollTopOf(element, wanted) : undefined;
      if (top === undefined) return;
      element.scrollTop = top;
      held = element.scrollTop;
    };
    const letGo = () => {
      isHeld = false;
    };
    const follow = () => {
      const isCutOff = element.scrollHeight - element.clientHeight < held;
      if (!isCutOff && Math.abs(element.scrollTop - held) > 1) isHeld = false;
    };
    const save = () => saveReadingPlace(memoryId, isHeld ? wanted : placeIn(element));
    // Reports once at the beginning too, after layout and before painting.
    const observer = new ResizeObserver(hold);
    observer.observe(content);
    element.addEventListener('scroll', follow, { passive: true });
    for (const type of TAKEN_OVER) element.addEventListener(type, letGo, { passive: true });
    addEventListener('pagehide', save);
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', follow);
      for (const type of TAKEN_OVER) element.removeEventListener(type, letGo);
      removeEventListener('pagehide', save);
      save();
    };
  }, [memoryId, isCited]);
  return (
    <div ref={frame} data-scroll className={clsx('[overflow-anchor:none]', className)}>
      {children}
    </div>
  );
}
