/**
 * Registers the handler of a shortcut while a component is mounted. Keys and labels are in shortcut-catalogue.ts; a
 * component never names a key.
 */
import { useEffectEvent, useLayoutEffect } from 'react';
import type { ShortcutId } from '#client/shell/shortcut-catalogue.ts';
import { registerShortcut } from '#client/shell/shortcuts.ts';

interface ShortcutOptions {
  enabled?: boolean;
  inDialog?: boolean;
  /** Checked when the key is pressed; the same function for the life of the component. */
  when?: () => boolean;
}

/** Runs `run` for the keys of `id`; always the latest closure, without registering again. */
export function useShortcut(
  id: ShortcutId,
  run: (event: KeyboardEvent) => void,
  { enabled = true, inDialog = false, when }: ShortcutOptions = {},
): void {
  const onRun = useEffectEvent(run);
  // Before the paint: what can be seen can be used, also by the first key.
  useLayoutEffect(() => {
    if (!enabled) return undefined;
    return registerShortcut({
      id,
      inDialog,
      run: (event) => onRun(event),
      ...(when ? { enabled: when } : {}),
    });
  }, [id, enabled, inDialog, when]);
}
