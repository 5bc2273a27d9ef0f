// Settings of one browser: colours, single keys, and Enter. They are stored there and need no server.
import { setColorMode } from '#client/shell/color-mode.ts';
import { setEnterSends, useEnterSends } from '#client/shell/enter-sends.ts';
import { setShortcutsEnabled } from '#client/shell/shortcuts.ts';
import { useColorMode } from '#client/shell/use-color-mode.ts';
import { useShortcutsEnabled } from '#client/shell/use-shortcuts-enabled.ts';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { Switch } from '#client/ui/switch.tsx';

const MODES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
] as const;

/** Looks and keys as they are in this browser, for every account. */
export function DeviceChoices() {
  const { mode } = useColorMode();
  const shortcuts = useShortcutsEnabled();
  const enterSends = useEnterSends();
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span>Colours</span>
        <SegmentedControl label="Colours" options={MODES} value={mode} onValueChange={setColorMode} />
      </div>
      <Switch
        label="Single-key shortcuts"
        hint="Combinations with Ctrl or Cmd keep working."
        checked={shortcuts}
        onCheckedChange={setShortcutsEnabled}
      />
      <Switch
        label="Enter sends a message"
        hint="When off, Enter breaks the line, and Ctrl or Cmd with Enter sends."
        checked={enterSends}
        onCheckedChange={setEnterSends}
      />
    </>
  );
}
