/**
 * That this page lost its data on the device and began anew, remembered over the reload: the tab then tells it, until
 * somebody has read it.
 */
import { createStore, useStore } from '#client/shell/external-store.ts';

const KEY = 'loci-recovered';

/** How many changes could not be sent before the page began anew. */
function readNote(): number | undefined {
  try {
    const text = sessionStorage.getItem(KEY);
    return text === null ? undefined : Number(text) || 0;
  } catch {
    // A browser that blocks storage keeps nothing here that could be lost.
    return undefined;
  }
}

const store = createStore<number | undefined>(undefined);

/** Called before the reload, with the number of changes that were set aside instead of sent. */
export function noteRecovery(unsent: number): void {
  try {
    sessionStorage.setItem(KEY, String(unsent));
  } catch (failure) {
    console.info('recovery: it cannot be told after the reload', failure);
  }
}

/** Once, when the dashboard starts. */
export function lookForRecovery(): void {
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

/** Changes that were set aside; undefined when there is nothing to tell. */
export function useRecovery(): number | undefined {
  return useStore(store);
}
