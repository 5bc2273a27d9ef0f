// What a page did with its main thread and how long people waited for it, as the browser itself reports it.
import type { Page } from 'playwright-core';

/** Durations in milliseconds since the page began or since the last reset. */
export interface PageReport {
  /** Tasks over 50 ms; the browser reports no shorter ones. */
  longTasks: number[];
  /** From each key press or click to the next paint; the browser reports those of 16 ms and more, in steps of 8. */
  interactions: number[];
  /** Time in the handlers of each key press or click. */
  handling: number[];
  /** Between painted frames while something was being watched. */
  frames: number[];
}

declare global {
  var pageWatch: PageReport & { watchFrames(on: boolean): void };
}

/** Runs in the page before anything else does. */
export function watchPage(): void {
  const report: PageReport = { longTasks: [], interactions: [], handling: [], frames: [] };
  const observe = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      ...(type === 'event' ? { durationThreshold: 16 } : {}),
    });
  observe('longtask', (entry) => report.longTasks.push(entry.duration));
  observe('event', (entry) => {
    if (!(entry instanceof PerformanceEventTiming) || entry.interactionId === 0) return;
    report.interactions.push(entry.duration);
    report.handling.push(entry.processingEnd - entry.processingStart);
  });
  let isWatching = false;
  let last = 0;
  const step = (now: number) => {
    if (!isWatching) return;
    if (last > 0) report.frames.push(now - last);
    last = now;
    requestAnimationFrame(step);
  };
  globalThis.pageWatch = Object.assign(report, {
    watchFrames(on: boolean) {
      isWatching = on;
      last = 0;
      if (on) requestAnimationFrame(step);
    },
  });
}

/** What was seen so far. */
export async function pageReport(page: Page): Promise<PageReport> {
  return await page.evaluate(() => {
    const { longTasks, interactions, handling, frames } = globalThis.pageWatch;
    return { longTasks, interactions, handling, frames };
  });
}

/** Forgets what was seen so far. */
export async function resetReport(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const list of [pageWatch.longTasks, pageWatch.interactions, pageWatch.handling, pageWatch.frames])
      list.length = 0;
  });
}
