/**
 * Whether the command palette is open and with which text it starts.
 * The palette itself is elsewhere; buttons and keys open it through here.
 */
import { createStore, useStore } from '#client/shell/external-store.ts';

interface PaletteState {
  open: boolean;
  query: string;
}

const store = createStore<PaletteState>({ open: false, query: '' });

/** Opens the palette, optionally with an initial text. */
export function openPalette(query = ''): void {
  store.set({ open: true, query });
}

export function closePalette(): void {
  store.set({ ...store.get(), open: false });
}

/** Opens it or closes it, as its key does. */
export function togglePalette(): void {
  if (store.get().open) closePalette();
  else openPalette();
}

/** Whether it is open, with the text it was opened with. */
export function usePaletteState(): PaletteState {
  return useStore(store);
}
