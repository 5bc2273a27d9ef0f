/**
 * Draws the loading bar and ties it to the router: it starts with a navigation and ends with it.
 * The times are in loading-bar-store.ts.
 */
import { useEffect } from 'react';
import { useNavigation } from 'react-router';
import { useStore } from '#client/shell/external-store.ts';
import { finishLoadingBar, loadingBarStore, startLoadingBar } from '#client/shell/loading-bar-store.ts';
import { LoadingBarTrack } from '#client/shell/loading-bar-track.tsx';

/** Starts and finishes the bar with every navigation of the router around it. */
function useNavigationLoadingBar(): void {
  const busy = useNavigation().state !== 'idle';
  useEffect(() => {
    if (!busy) return undefined;
    startLoadingBar();
    return finishLoadingBar;
  }, [busy]);
}

/** Once in the root of the application. */
export function LoadingBar() {
  useNavigationLoadingBar();
  return <LoadingBarTrack {...useStore(loadingBarStore)} />;
}
