/**
 * How components subscribe to a store. Independent of the stored data; persistence and timers belong to the store built on it.
 */
import { useSyncExternalStore } from 'react';
import type { Store } from '#client/shell/store.ts';

export { createStore, type Store } from '#client/shell/store.ts';

/** Follows a store; server rendering sees its initial value. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.initial);
}
