import { pause } from '#client/replica/worker/pause.ts';

/**
 * Waits before another attempt to send, but no longer than until the network is back, `stop` aborts, or the function that
 * `onPause` receives is called.
 */
export function retryPause(
  ms: number,
  stop: AbortSignal,
  onPause: (wake: () => void) => void,
): Promise<void> {
  const wake = new AbortController();
  onPause(() => wake.abort());
  return pause(ms, AbortSignal.any([stop, wake.signal]), globalThis);
}
