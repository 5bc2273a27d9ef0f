/** Follows in components whether single keys are shortcuts. */
import { useStore } from '#client/shell/external-store.ts';
import { shortcutsEnabledStore } from '#client/shell/shortcuts.ts';

/** Whether shortcuts without a modifier are on. */
export function useShortcutsEnabled(): boolean {
  return useStore(shortcutsEnabledStore);
}
