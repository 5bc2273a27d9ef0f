/**
 * Whether the sidebar is collapsed (wide screens, remembered in this browser) or open as a drawer (phones, never
 * remembered).
 */
import { createStore, useStore } from '#client/shell/external-store.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

interface SidebarState {
  collapsed: boolean;
  drawerOpen: boolean;
}

const KEY = 'loci-sidebar';
/** Below this width the sidebar is a drawer; equal to Tailwind's `md`. */
const NARROW = '(max-width: 47.99rem)';

const store = createStore<SidebarState>({ collapsed: readSetting(KEY) === 'collapsed', drawerOpen: false });

/** Collapses or unfolds the sidebar on wide screens. */
export function setSidebarCollapsed(collapsed: boolean): void {
  writeSetting(KEY, collapsed ? 'collapsed' : undefined);
  store.set({ ...store.get(), collapsed });
}

/** Pulls the drawer of a phone out or pushes it back. */
export function setDrawerOpen(drawerOpen: boolean): void {
  if (store.get().drawerOpen !== drawerOpen) store.set({ ...store.get(), drawerOpen });
}

/** Does whichever of the two fits the width of the window. */
export function toggleSidebar(): void {
  if (globalThis.matchMedia(NARROW).matches) setDrawerOpen(!store.get().drawerOpen);
  else setSidebarCollapsed(!store.get().collapsed);
}

/** Both states. */
export function useSidebarState(): SidebarState {
  return useStore(store);
}

interface SidebarMark {
  /** Added to the name of the button that opens the sidebar. */
  words: string | undefined;
  isOffline: boolean;
}

const mark = createStore<SidebarMark>({ words: undefined, isOffline: false });

/** Marks the button that opens the sidebar, for readers who do not see the sidebar. */
export function markSidebar(words: string | undefined, isOffline: boolean): void {
  mark.set({ words, isOffline });
}

export function useSidebarMark(): SidebarMark {
  return useStore(mark);
}
