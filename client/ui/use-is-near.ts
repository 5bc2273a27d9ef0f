/** Whether an element is near the visible part of its scroll container, so that expensive content is rendered only there. */
import { useState } from 'react';

/** A ref for the element, and whether it is near; `ahead` is the distance in pixels. */
export function useIsNear(
  ahead: number,
): [(element: HTMLElement | null) => (() => void) | undefined, boolean] {
  const [isNear, setIsNear] = useState(false);
  const observe = (element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setIsNear(entries.at(-1)?.isIntersecting === true),
      { root: element.closest('[data-scroll]'), rootMargin: `${ahead}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  };
  const [stable] = useState(() => observe);
  return [stable, isNear];
}
