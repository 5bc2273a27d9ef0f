/**
 * Light, dark or as the system says: the stored preference and what it comes to, equal in all tabs.
 * The first paint is done by color-mode-script.ts; here is every later change.
 */
import { COLOR_MODE_KEY, THEME_COLORS } from '#client/shell/color-mode-script.ts';
import { createStore, useStore } from '#client/shell/external-store.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

/** What a reader chose. */
export type ColorMode = 'light' | 'dark' | 'system';

interface ColorModeState {
  mode: ColorMode;
  resolved: 'light' | 'dark';
}

const store = createStore<ColorModeState>({ mode: 'system', resolved: 'light' });
const DARK_QUERY = '(prefers-color-scheme: dark)';

function readMode(): ColorMode {
  const stored = readSetting(COLOR_MODE_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function apply(mode: ColorMode): void {
  const systemIsDark = globalThis.matchMedia?.(DARK_QUERY).matches ?? false;
  const dark = mode === 'dark' || (mode === 'system' && systemIsDark);
  const resolved = dark ? 'dark' : 'light';
  document.documentElement.classList.toggle('dark', dark);
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', THEME_COLORS[resolved]);
  const current = store.get();
  if (current.mode !== mode || current.resolved !== resolved) store.set({ mode, resolved });
}

/** Chooses a mode for this browser, in this tab at once and in the others through the storage event. */
export function setColorMode(mode: ColorMode): void {
  writeSetting(COLOR_MODE_KEY, mode === 'system' ? undefined : mode);
  apply(mode);
}

/** Turns what is seen now into its opposite. */
export function toggleColorMode(): void {
  setColorMode(store.get().resolved === 'dark' ? 'light' : 'dark');
}

/** Follows other tabs and the system from now on; answers the function that stops it. Call once at start. */
export function watchColorMode(): () => void {
  apply(readMode());
  const onStorage = (event: StorageEvent) => {
    if (event.key === COLOR_MODE_KEY || event.key === null) apply(readMode());
  };
  const onSystem = () => apply(store.get().mode);
  const query = globalThis.matchMedia(DARK_QUERY);
  globalThis.addEventListener('storage', onStorage);
  query.addEventListener('change', onSystem);
  return () => {
    globalThis.removeEventListener('storage', onStorage);
    query.removeEventListener('change', onSystem);
  };
}

/** The chosen mode and what it comes to; during hydration always system and light. */
export function useColorMode(): ColorModeState {
  return useStore(store);
}
