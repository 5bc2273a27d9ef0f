/** The switch for shortcuts of a single key, as they are in this browser. */
import { useStore } from '#client/shell/external-store.ts';
import { setShortcutsEnabled, shortcutsEnabledStore } from '#client/shell/shortcuts.ts';
import { Switch } from '#client/ui/switch.tsx';

export function SingleKeysSwitch({ className }: { className?: string }) {
  return (
    <Switch
      label="Single-key shortcuts"
      hint="Turn off if they interfere with speech input or a screen reader. Key combinations keep working."
      checked={useStore(shortcutsEnabledStore)}
      onCheckedChange={setShortcutsEnabled}
      className={className}
    />
  );
}
