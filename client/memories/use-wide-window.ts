// Whether the window has room for two things beside each other.
import { useCallback, useSyncExternalStore } from 'react';

/** Room for a list and an open memory, in CSS pixels. */
const LIST_AND_MEMORY = 1_100;

/** Follows the window. */
export function useWideWindow(minWidth: number = LIST_AND_MEMORY): boolean {
  const wide = `(min-width: ${minWidth}px)`;
  const subscribe = useCallback(
    (changed: () => void) => {
      const query = matchMedia(wide);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    [wide],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(wide).matches);
}
