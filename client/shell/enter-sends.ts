/**
 * Whether Enter sends a message or breaks the line, chosen per browser.
 * mod+Enter sends either way.
 */
import { createStore, useStore } from '#client/shell/external-store.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

const KEY = 'loci-enter-sends';

const store = createStore<boolean | undefined>(undefined);

function current(): boolean {
  return store.get() ?? readSetting(KEY) !== 'off';
}

/** Stores the choice for this browser. */
export function setEnterSends(sends: boolean): void {
  writeSetting(KEY, sends ? undefined : 'off');
  store.set(sends);
}

/** The choice; Enter sends by default. */
export function useEnterSends(): boolean {
  useStore(store);
  return current();
}
