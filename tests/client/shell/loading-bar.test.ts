/** The loading bar by the clock: 200 ms before it shows, 500 until it hides, 400 until it is back at zero. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  failLoadingBar,
  finishLoadingBar,
  loadingBarStore,
  startLoadingBar,
} from '#client/shell/loading-bar-store.ts';

const state = () => loadingBarStore.get();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  finishLoadingBar();
  vi.runAllTimers();
  vi.useRealTimers();
});

describe('the loading bar', () => {
  it('never shows for what is done within 200 ms', () => {
    const listener = vi.fn<() => void>();
    const stop = loadingBarStore.subscribe(listener);
    startLoadingBar();
    vi.advanceTimersByTime(199);
    finishLoadingBar();
    vi.advanceTimersByTime(5000);
    stop();
    expect(listener).not.toHaveBeenCalled();
  });

  it('shows after 200 ms and grows without ever being full', () => {
    startLoadingBar();
    vi.advanceTimersByTime(199);
    expect(state().visible).toBe(false);
    vi.advanceTimersByTime(1);
    expect(state()).toEqual({ visible: true, progress: 0, failed: false });
    vi.advanceTimersByTime(2000);
    const afterDuration = state().progress;
    expect(afterDuration).toBeGreaterThan(60);
    vi.advanceTimersByTime(60_000);
    expect(state().progress).toBeGreaterThan(afterDuration);
    expect(state().progress).toBeLessThan(100);
  });

  it('is full when done, hidden 500 ms later and at zero 400 ms after that', () => {
    startLoadingBar();
    vi.advanceTimersByTime(300);
    finishLoadingBar();
    expect(state()).toEqual({ visible: true, progress: 100, failed: false });
    vi.advanceTimersByTime(499);
    expect(state().visible).toBe(true);
    vi.advanceTimersByTime(1);
    expect(state()).toEqual({ visible: false, progress: 100, failed: false });
    vi.advanceTimersByTime(399);
    expect(state().progress).toBe(100);
    vi.advanceTimersByTime(1);
    expect(state()).toEqual({ visible: false, progress: 0, failed: false });
  });

  it('shows when what it waited for failed', () => {
    startLoadingBar();
    vi.advanceTimersByTime(300);
    finishLoadingBar();
    failLoadingBar();
    expect(state().failed).toBe(true);
  });

  it('starts again when another page is requested while it fades', () => {
    startLoadingBar();
    vi.advanceTimersByTime(300);
    finishLoadingBar();
    vi.advanceTimersByTime(100);
    startLoadingBar();
    expect(state().visible).toBe(false);
    vi.advanceTimersByTime(200);
    expect(state()).toEqual({ visible: true, progress: 0, failed: false });
  });
});
