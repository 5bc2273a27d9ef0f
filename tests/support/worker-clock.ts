// Replicas of a real browser at another time: their worker believes that so many days have passed, and what it does every
// few minutes (Replicache's sweeps of clients, groups and databases) it does at once.
import type { BrowserContext, Page } from 'playwright-core';

/** Runs in the worker before anything of the application. */
function moveClock(days: number): void {
  const [RealDate, realTimeout, realInterval] = [Date, setTimeout, setInterval];
  const now = () => RealDate.now() + days * 24 * 3_600_000;
  const waits: number[] = [];
  const sooner = (ms = 0) => {
    if (ms < 5 * 60_000) return ms;
    waits.push(ms);
    return 50;
  };
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given) => Reflect.construct(target, given.length > 0 ? given : [now()]),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  Object.assign(globalThis, {
    waits,
    setTimeout: (call: () => void, ms?: number) => realTimeout(call, sooner(ms)),
    setInterval: (call: () => void, ms?: number) => realInterval(call, sooner(ms)),
  });
}

/** From now on pages of this browser open their replicas so many days later. */
export async function startReplicasAfter(context: BrowserContext, days: number): Promise<void> {
  const workers = '**/replica-worker-*.js';
  await context.unroute(workers);
  await context.route(workers, async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: `(${moveClock.toString()})(${days});\n${await response.text()}`,
    });
  });
}

/** How often the replicas of a page, at another time, began to wait so long: what comes before the wait has run. */
export async function waitsOf(page: Page, ms: number): Promise<number> {
  const all = await Promise.all(
    page
      .workers()
      .map((worker) =>
        worker.evaluate((): unknown => Object.getOwnPropertyDescriptor(globalThis, 'waits')?.value),
      ),
  );
  return all.flat().filter((wait) => wait === ms).length;
}
