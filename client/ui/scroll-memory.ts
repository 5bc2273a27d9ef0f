/**
 * Where each list was scrolled to when it was left, so that coming back shows the same place.
 * Lives as long as the page; keys are the caller's (usually the history entry's).
 */
import type { VirtualItem } from '@tanstack/react-virtual';

/** Offset in pixels, the active item, and measured sizes, so that the place is exact on the first frame. */
export interface ScrollPlace {
  offset: number;
  active: number;
  lanes: number;
  measurements: VirtualItem[];
}

const KEPT = 50;
const places = new Map<string, ScrollPlace>();

/** The remembered place, if any. */
export function recallPlace(key: string | undefined): ScrollPlace | undefined {
  return key === undefined ? undefined : places.get(key);
}

/** Remembers a place; the oldest of fifty is forgotten. */
export function rememberPlace(key: string, place: ScrollPlace): void {
  places.delete(key);
  places.set(key, place);
  const oldest = places.keys().next().value;
  if (places.size > KEPT && oldest !== undefined) places.delete(oldest);
}
