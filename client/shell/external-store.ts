/**
 * A value outside React that components can follow: the one mechanism behind every store of the shell.
 * Knows nothing of what is stored; persistence and timers belong to the store built on it.
 */
import { useSyncExternalStore } from 'react';

/** A value with listeners; the same object is returned until it is set again. */
export interface Store<T> {
  get: () => T;
  initial: () => T;
  set: (next: T) => void;
  subscribe: (listener: () => void) => () => void;
}

/** Starts a store; setting the identical value wakes nobody. */
export function createStore<T>(initial: T): Store<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    initial: () => initial,
    set(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Follows a store; server rendering and hydration see its initial value. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.initial);
}
