/** When a page does what can wait. Part of every page's first script, so it must stay tiny. */

const LATEST_MS = 2000;

/** Calls in an idle moment, after two seconds at the latest, also in browsers that cannot tell. */
export function whenIdle(run: () => void): void {
  const idle = globalThis.requestIdleCallback ?? ((late: () => void) => setTimeout(late, LATEST_MS));
  idle(run, { timeout: LATEST_MS });
}

/** Lets the browser paint and answer before the next piece of work. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
