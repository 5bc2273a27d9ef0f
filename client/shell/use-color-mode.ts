/** Follows the colour mode in components. */
import { colorModeStore, type ColorModeState } from '#client/shell/color-mode.ts';
import { useStore } from '#client/shell/external-store.ts';

/** The chosen mode and the resulting one. */
export function useColorMode(): ColorModeState {
  return useStore(colorModeStore);
}
