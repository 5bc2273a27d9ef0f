/**
 * Remembers over a reload that this page lost its data on the device: the tab shows it until it has been read.
 */
import { createStore, useStore } from '#client/shell/external-store.ts';

const KEY = 'loci-recovered';

/** How many changes could not be sent before the page reloaded. */
function readNote(): number | undefined {
  try {
    const text = sessionStorage.getItem(KEY);
    return text === null ? undefined : Number(text) || 0;
  } catch {
    // A browser that blocks storage has nothing here that could be lost.
    return undefined;
  }
}

const store = createStore<number | undefined>(undefined);

/** Called before the reload, with the number of changes that were set aside instead of sent. */
export function recordRecovery(unsent: number): void {
  try {
    sessionStorage.setItem(KEY, String(unsent));
  } catch (failure) {
    console.info('recovery: it cannot be told after the reload', failure);
  }
}

/** Once, when the dashboard starts. */
export function checkForRecovery(): void {
  store.set(readNote());
}

/** It was read. */
export function closeRecovery(): void {
  store.set(undefined);
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // What cannot be removed could not be written either.
  }
}

/** Number of changes that were set aside; undefined when there is nothing to show. */
export function useRecovery(): number | undefined {
  return useStore(store);
}
