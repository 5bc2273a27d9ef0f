/** What a visit of a public page costs and says: the scripts it fetches, whom else it asks, what it complains about. */
import type { Page } from '@playwright/test';
import { gzipSync } from 'node:zlib';

/** Grows while the page is open; scripts by their address, in bytes. */
export interface Visit {
  scripts: Map<string, number>;
  foreign: string[];
  complaints: string[];
}

/** The browser's word for an answer that the server is busy. What asked asks again: it is no complaint of the page. */
export const isOfBusyServer = (line: string): boolean => line.includes('503 (Service Unavailable)');

/** What stands in the console where a story has blocked the service worker. */
const isOfBlockedWorker = (line: string): boolean =>
  line.includes('Service Worker registration blocked by Playwright') ||
  line.includes('The service worker was not registered');

/** Whether a line of the console comes from how stories run, not from the page. */
export const isOfTheRun = (line: string): boolean => isOfBusyServer(line) || isOfBlockedWorker(line);

/** Watches what a page loads and says. */
export function watch(page: Page, origin: string): Visit {
  const visit: Visit = { scripts: new Map(), foreign: [], complaints: [] };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isOfTheRun(message.text()))
      visit.complaints.push(message.text());
  });
  page.on('pageerror', (error) => visit.complaints.push(error.message));
  page.on('request', (request) => {
    const { protocol } = new URL(request.url());
    if (!request.url().startsWith(origin) && protocol !== 'data:' && protocol !== 'blob:')
      visit.foreign.push(request.url());
  });
  page.on('response', async (response) => {
    if (response.request().resourceType() !== 'script') return;
    const body = await response.body().catch(() => undefined);
    if (body) visit.scripts.set(response.url(), gzipSync(body, { level: 9 }).length);
  });
  return visit;
}

/** All scripts together. */
export function weightOf(scripts: Visit['scripts']): number {
  return [...scripts.values()].reduce((sum, size) => sum + size, 0);
}

declare global {
  var layoutShifts: string[] | undefined;
}

/** Lists what has moved since the page began to load, after a press too, and how far. Before the page is opened. */
export async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    interface Source {
      node: Node | null;
      previousRect: DOMRect;
      currentRect: DOMRect;
    }
    const textOf = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ');
    const moves: string[] = [];
    globalThis.layoutShifts = moves;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const sources: Source[] = Reflect.get(entry, 'sources');
        moves.push(
          ...sources.map(
            ({ node, previousRect, currentRect }) =>
              `${node?.nodeName} “${node?.textContent?.slice(0, 40)}” from ${textOf(previousRect)} to ${textOf(currentRect)}`,
          ),
        );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => globalThis.layoutShifts ?? ['The page was not watched']);
}
