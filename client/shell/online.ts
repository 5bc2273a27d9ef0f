/**
 * Whether the server can be reached, as far as this page knows. The replica's status decides where there is one; the
 * browser's own flag is only a first guess.
 */
import { useSyncExternalStore } from 'react';
import { useSyncStatus } from '#client/replica/use-sync-status.ts';

function subscribe(listener: () => void): () => void {
  globalThis.addEventListener('online', listener);
  globalThis.addEventListener('offline', listener);
  return () => {
    globalThis.removeEventListener('online', listener);
    globalThis.removeEventListener('offline', listener);
  };
}

/** False while sync is offline or the browser has no network; only below a replica provider. */
export function useIsOnline(): boolean {
  const { state } = useSyncStatus();
  const browser = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return browser && state !== 'offline';
}
