/** `/{workspace_slug}/settings/keyboard`: what keys do in this browser, and all shortcuts. */
import { setEnterSends, useEnterSends } from '#client/shell/enter-sends.ts';
import { ShortcutList } from '#client/shell/shortcut-list.tsx';
import { SingleKeysSwitch } from '#client/shell/single-keys-switch.tsx';
import { Switch } from '#client/ui/switch.tsx';
import { SettingsFrame, SettingsSection } from '#client/workspaces/settings-frame.tsx';

export function KeyboardPage() {
  const enterSends = useEnterSends();
  return (
    <SettingsFrame title="Keyboard">
      <SettingsSection title="In this browser" lead="The same for every account that uses it.">
        <SingleKeysSwitch />
        <Switch
          label="Enter sends a message"
          hint="When off, Enter breaks the line, and Ctrl or Cmd with Enter sends."
          checked={enterSends}
          onCheckedChange={setEnterSends}
        />
      </SettingsSection>
      <SettingsSection title="Shortcuts">
        <ShortcutList />
      </SettingsSection>
    </SettingsFrame>
  );
}
