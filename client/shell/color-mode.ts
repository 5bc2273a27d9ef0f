/**
 * The colour mode (light, dark or system): the stored preference and its effect, the same in all tabs.
 * first-paint-script.ts sets it for the first paint; every later change is here.
 */
import { COLOR_MODE_KEY, THEME_COLORS } from '#client/shell/first-paint-script.ts';
import { createStore } from '#client/shell/store.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

export type ColorMode = 'light' | 'dark' | 'system';

export interface ColorModeState {
  mode: ColorMode;
  resolved: 'light' | 'dark';
}

export const colorModeStore = createStore<ColorModeState>({ mode: 'system', resolved: 'light' });
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
  const current = colorModeStore.get();
  if (current.mode !== mode || current.resolved !== resolved) colorModeStore.set({ mode, resolved });
}

/** Chooses a mode for this browser, in this tab at once and in the others through the storage event. */
export function setColorMode(mode: ColorMode): void {
  writeSetting(COLOR_MODE_KEY, mode === 'system' ? undefined : mode);
  apply(mode);
}

/** Switches to the opposite of the current mode. */
export function toggleColorMode(): void {
  setColorMode(colorModeStore.get().resolved === 'dark' ? 'light' : 'dark');
}

/** Follows other tabs and the system from now on; returns the function that stops it. Call once at start. */
export function watchColorMode(): () => void {
  apply(readMode());
  const onStorage = (event: StorageEvent) => {
    if (event.key === COLOR_MODE_KEY || event.key === null) apply(readMode());
  };
  const onSystem = () => apply(colorModeStore.get().mode);
  const query = globalThis.matchMedia(DARK_QUERY);
  globalThis.addEventListener('storage', onStorage);
  query.addEventListener('change', onSystem);
  return () => {
    globalThis.removeEventListener('storage', onStorage);
    query.removeEventListener('change', onSystem);
  };
}
