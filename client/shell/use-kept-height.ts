/**
 * Keeps the height that something had when this browser last showed it, so that what stands below stays in its place while
 * it is loaded again.
 */
import { useEffect, useRef, type RefObject } from 'react';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

/** By page: the same list is another one in each workspace. */
const keyOf = (name: string) => `loci-height:${location.pathname} ${name}`;

/** CSS pixels, 0 for nothing at all; undefined where it was never shown. */
export function keptHeight(name: string): number | undefined {
  const stored = readSetting(keyOf(name));
  return stored === undefined ? undefined : Number(stored) || 0;
}

/** Measures what is inside the element, which may have no box of its own, after each drawing. */
export function useKeptHeight(name: string): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current) return;
    const inside = document.createRange();
    inside.selectNodeContents(element.current);
    const height = Math.round(inside.getBoundingClientRect().height);
    if (height !== keptHeight(name)) writeSetting(keyOf(name), String(height));
  });
  return element;
}
