/**
 * A value with listeners, the one mechanism behind every store of the shell. Without React, because public pages have
 * stores and no React.
 */

/** A value with listeners; the same object is returned until it is set again. */
export interface Store<T> {
  get: () => T;
  initial: () => T;
  set: (next: T) => void;
  subscribe: (listener: () => void) => () => void;
}

/** Starts a store; setting the identical value notifies no subscriber. */
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
