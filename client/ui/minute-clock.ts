/**
 * One clock for every relative time on the page: it ticks once a minute while something subscribes to it.
 */
import { useSyncExternalStore } from 'react';

const TICK_MS = 60_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, TICK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** The moment of the last tick in milliseconds; undefined on the server. */
export function useMinuteClock(): number | undefined {
  return useSyncExternalStore(
    subscribe,
    () => now,
    () => undefined,
  );
}
