/**
 * Remembers over a reload that this page lost its data on the device: the tab shows it until it has been read.
 */
import { createStore, useStore } from '#client/shell/external-store.ts';
import { readTab, writeTab } from '#client/shell/tab-storage.ts';

const KEY = 'loci-recovered';

const store = createStore<number | undefined>(undefined);

/** Called before the reload, with the number of changes that were set aside instead of sent. */
export function recordRecovery(unsent: number): void {
  writeTab(KEY, unsent);
}

/** Once, when the dashboard starts. */
export function checkForRecovery(): void {
  const unsent = readTab(KEY);
  store.set(unsent === undefined ? undefined : Number(unsent) || 0);
}

/** It was read. */
export function closeRecovery(): void {
  store.set(undefined);
  writeTab(KEY, undefined);
}

/** Number of changes that were set aside; undefined when there is nothing to show. */
export function useRecovery(): number | undefined {
  return useStore(store);
}
