// Whether the search over docs and posts is open. The palette itself is loaded when it opens first.
import { createStore } from '#client/shell/external-store.ts';

export const siteSearchStore = createStore(false);

export function openSiteSearch(): void {
  siteSearchStore.set(true);
}

export function closeSiteSearch(): void {
  siteSearchStore.set(false);
}
