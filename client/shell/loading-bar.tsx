/**
 * Draws the loading bar and ties it to the router: it starts with a navigation and ends with it.
 * The times are in loading-bar-store.ts.
 */
import { useEffect } from 'react';
import { useNavigation } from 'react-router';
import { useStore } from '#client/shell/external-store.ts';
import { finishLoadingBar, loadingBarStore, startLoadingBar } from '#client/shell/loading-bar-store.ts';
import { LOADING_BAR } from '#shared/constants.ts';

/** Starts and finishes the bar with every navigation of the router around it. */
export function useNavigationLoadingBar(): void {
  const busy = useNavigation().state !== 'idle';
  useEffect(() => {
    if (!busy) return undefined;
    startLoadingBar();
    return finishLoadingBar;
  }, [busy]);
}

/** Three pixels at the top edge, above everything. */
export function LoadingBar() {
  useNavigationLoadingBar();
  const { visible, progress, failed } = useStore(loadingBarStore);
  return (
    <div
      aria-hidden="true"
      data-print="hide"
      data-testid="loading-bar"
      className="pointer-events-none fixed inset-x-0 top-0 z-80 overflow-hidden transition-opacity duration-slow"
      style={{ height: LOADING_BAR.heightPx, opacity: visible ? 1 : 0 }}
    >
      <div
        className={`h-full w-full origin-left transition-transform duration-fast rtl:origin-right ${failed ? 'bg-danger' : 'bg-primary'}`}
        style={{ transform: `scaleX(${progress / 100})` }}
      />
    </div>
  );
}
