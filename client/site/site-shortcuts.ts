/** The shortcuts of the public site, in the product's one registry. */
import { toggleColorMode } from '#client/shell/color-mode.ts';
import { registerShortcut, watchShortcuts } from '#client/shell/shortcuts.ts';

/** From now on. */
export function watchSiteShortcuts(openSearch: () => void): void {
  registerShortcut({ id: 'palette.open', run: openSearch });
  registerShortcut({ id: 'search.open', run: openSearch });
  registerShortcut({ id: 'color-mode.toggle', run: toggleColorMode });
  registerShortcut({ id: 'go.home', run: () => location.assign('/') });
  watchShortcuts();
}
