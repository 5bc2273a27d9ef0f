/**
 * Whether the guide of keyboard shortcuts is open.
 * A store, because menus and keys open it from anywhere.
 */
import { createStore, useStore } from '#client/shell/external-store.ts';

const store = createStore(false);

export function setGuideOpen(open: boolean): void {
  store.set(open);
}

export function useGuideOpen(): boolean {
  return useStore(store);
}
