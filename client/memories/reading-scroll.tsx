/**
 * The scrolling part around an open memory: it opens at the passage that a citation led to, or where its reader stopped, also
 * when the text only arrives in pieces.
 */
import { clsx } from 'clsx';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { readingPlace, saveReadingPlace } from '#client/memories/reading-place.ts';
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
    let wanted = isCited ? 0 : readingPlace(memoryId);
    let top = wanted;
    // A text changes its height while it is formatted, so the place is sought until the reader moves.
    const reach = () => {
      if (wanted > 0) element.scrollTop = wanted;
    };
    const letGo = () => {
      if (wanted > 0) top = element.scrollTop;
      wanted = 0;
    };
    const follow = () => {
      const isReachable = element.scrollHeight - element.clientHeight >= wanted;
      if (wanted > 0 && (!isReachable || Math.abs(element.scrollTop - wanted) <= 1)) return;
      wanted = 0;
      top = element.scrollTop;
    };
    const save = () => saveReadingPlace(memoryId, top);
    // Reports once at the beginning too, after layout and before painting.
    const observer = new ResizeObserver(reach);
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
