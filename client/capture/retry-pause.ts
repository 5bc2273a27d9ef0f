/**
 * Waits before another attempt to send, but no longer than until the network is back, `stop` aborts, or the function that
 * `onPause` receives is called.
 */
export function retryPause(
  ms: number,
  stop: AbortSignal,
  onPause: (wake: () => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const end = new AbortController();
    const wake = () => {
      clearTimeout(timer);
      end.abort();
      resolve();
    };
    const timer = setTimeout(wake, ms);
    onPause(wake);
    globalThis.addEventListener('online', wake, { signal: end.signal });
    stop.addEventListener('abort', wake, { signal: end.signal });
  });
}
