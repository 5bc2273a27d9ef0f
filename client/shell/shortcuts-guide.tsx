/** The keyboard shortcuts in a dialog; opened by "?". */
import { setGuideOpen, useGuideOpen } from '#client/shell/guide-state.ts';
import { ShortcutList } from '#client/shell/shortcut-list.tsx';
import { SingleKeysSwitch } from '#client/shell/single-keys-switch.tsx';
import { useShortcut } from '#client/shell/use-shortcut.ts';
import { Dialog } from '#client/ui/dialog.tsx';

/** Once in the shell; `?` opens and closes it. */
export function ShortcutsGuide() {
  const open = useGuideOpen();
  useShortcut('guide.open', () => setGuideOpen(!open), { inDialog: open });
  return (
    <Dialog open={open} onOpenChange={setGuideOpen} title="Keyboard shortcuts" size="lg">
      <ShortcutList />
      <SingleKeysSwitch className="border-t border-line pt-4" />
    </Dialog>
  );
}
