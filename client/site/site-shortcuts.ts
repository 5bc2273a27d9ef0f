// Which keys the public site answers, in the product's one registry of shortcuts.
import { toggleColorMode } from '#client/shell/color-mode.ts';
import { handleShortcutKey, registerShortcut, watchShortcuts } from '#client/shell/shortcuts.ts';
import { openSiteSearch } from '#client/site/site-search-store.ts';

/** Starts listening and answers the key that caused the loading; the result stops it. */
export function startSiteShortcuts(goHome: () => void, first: KeyboardEvent): () => void {
  const undo = [
    registerShortcut({ id: 'palette.open', run: openSiteSearch }),
    registerShortcut({ id: 'search.open', run: openSiteSearch }),
    registerShortcut({ id: 'color-mode.toggle', run: toggleColorMode }),
    registerShortcut({ id: 'go.home', run: goHome }),
    watchShortcuts(),
  ];
  if (!first.repeat) handleShortcutKey(new KeyboardEvent('keydown', first));
  return () => undo.forEach((stop) => stop());
}
