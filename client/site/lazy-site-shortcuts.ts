// The keyboard of the public site. The registry is loaded with the first key that anybody presses,
// because most visitors of a page press none.
import { useEffect, useEffectEvent } from 'react';

const load = () => import('#client/site/site-shortcuts.ts');

/** Search, home and colour mode by key while the header is on the screen. */
export function useSiteShortcuts(goHome: () => void): void {
  const onHome = useEffectEvent(goHome);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let gone = false;
    const start = async (event: KeyboardEvent): Promise<void> => {
      const { startSiteShortcuts } = await load();
      if (!gone) stop = startSiteShortcuts(() => onHome(), event);
    };
    const onFirstKey = (event: KeyboardEvent) => {
      // The browser has its own idea of mod+K, which must not win while the module loads.
      if ((event.metaKey || event.ctrlKey) && event.key === 'k') event.preventDefault();
      void start(event).catch((error: unknown) => console.warn('Shortcuts could not be loaded', error));
    };
    addEventListener('keydown', onFirstKey, { once: true });
    return () => {
      gone = true;
      removeEventListener('keydown', onFirstKey);
      stop?.();
    };
  }, []);
}
