/** Waits, but no longer than until `stop` aborts or the browser reports to `network` that it is back. */
export function pause(ms: number, stop: AbortSignal, network?: EventTarget): Promise<void> {
  return new Promise((resolve) => {
    const end = new AbortController();
    const go = () => {
      clearTimeout(timer);
      end.abort();
      resolve();
    };
    const timer = setTimeout(go, ms);
    network?.addEventListener('online', go, { signal: end.signal });
    stop.addEventListener('abort', go, { signal: end.signal });
    if (stop.aborted) go();
  });
}
