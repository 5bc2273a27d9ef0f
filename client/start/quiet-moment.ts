/** When a page does what can wait. Part of every page's first script. */

const LATEST_MS = 2000;

/** Calls in an idle moment, after two seconds at the latest, also in browsers without idle callbacks. */
export function whenIdle(run: () => void): void {
  const idle = globalThis.requestIdleCallback ?? ((late: () => void) => setTimeout(late, LATEST_MS));
  idle(run, { timeout: LATEST_MS });
}
