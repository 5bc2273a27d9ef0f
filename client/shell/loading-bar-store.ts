/**
 * The state of the loading bar at the top edge: when it appears, its progress, when it disappears. It depends only on time; the
 * code that loads starts and finishes it.
 */
import { createStore } from '#client/shell/store.ts';
import { LOADING_BAR } from '#client/ui/timing.ts';

/** `progress` in percent; `visible` false while it fades. */
export interface LoadingBarState {
  visible: boolean;
  progress: number;
  failed: boolean;
}

const IDLE: LoadingBarState = { visible: false, progress: 0, failed: false };
const TICK_MS = 100;

/** Followed by loading-bar.tsx. */
export const loadingBarStore = createStore<LoadingBarState>(IDLE);

let loading = false;
let throttle: ReturnType<typeof setTimeout> | undefined;
let fade: ReturnType<typeof setTimeout> | undefined;
let tick: ReturnType<typeof setInterval> | undefined;

function stopTimers(): void {
  clearTimeout(throttle);
  clearTimeout(fade);
  clearInterval(tick);
}

/** Comes near the end after the duration and never reaches it by itself. */
function progressAfter(elapsed: number): number {
  return (2 / Math.PI) * 100 * Math.atan((elapsed / LOADING_BAR.durationMs) * 2);
}

function show(): void {
  let elapsed = 0;
  loadingBarStore.set({ visible: true, progress: 0, failed: false });
  tick = setInterval(() => {
    elapsed += TICK_MS;
    loadingBarStore.set({ visible: true, progress: progressAfter(elapsed), failed: false });
  }, TICK_MS);
}

/** Something began to load; the bar appears if it still does after 200 ms. */
export function startLoadingBar(): void {
  if (loading) return;
  loading = true;
  stopTimers();
  loadingBarStore.set(IDLE);
  throttle = setTimeout(show, LOADING_BAR.throttleMs);
}

/** It is done or has failed: full, hidden after 500 ms, back at zero 400 ms later. */
export function finishLoadingBar(): void {
  if (!loading) return;
  loading = false;
  stopTimers();
  if (!loadingBarStore.get().visible) return;
  loadingBarStore.set({ visible: true, progress: 100, failed: false });
  fade = setTimeout(() => {
    loadingBarStore.set({ ...loadingBarStore.get(), visible: false });
    fade = setTimeout(() => loadingBarStore.set(IDLE), LOADING_BAR.resetDelayMs);
  }, LOADING_BAR.hideDelayMs);
}

/** Ends the bar after a failure; a bar that is still visible turns to the error colour. */
export function failLoadingBar(): void {
  const state = loadingBarStore.get();
  if (state.visible) loadingBarStore.set({ ...state, failed: true });
}
