// Whether the window has room for a list and an open memory beside it.
import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 1100px)';

function subscribe(changed: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Follows the window. */
export function useWideWindow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);
}
