/**
 * The built dashboard in a real browser with 10,000 memories on the device, beside the budgets of the front end: warm
 * start, routes, palette, keys of a search, scrolling.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { openDashboard } from '#tests/support/built-dashboard.ts';
import { pageReport, resetReport, watchPage } from '#tests/support/page-watch.ts';
import { judgeBudget, type BenchRow } from './bench-row.ts';
import { allListed, SETTLE_MS } from './dashboard-data.ts';
import type { HostedDashboard } from './dashboard-host.ts';
import { hostDashboard } from './hosted-dashboard.ts';

const HELD = 10_000;
const VISITS = 7;
const PALETTES = 15;
const FRAME_MS = 16.7;

/** Milliseconds from the start of the navigation to the first item being painted. */
async function firstItem(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const painted = () => {
          const channel = new MessageChannel();
          channel.port1.addEventListener('message', () => resolve(performance.now()));
          channel.port1.start();
          requestAnimationFrame(() => channel.port2.postMessage(0));
        };
        const look = () => {
          if (document.querySelector('[data-item]') === null) return false;
          painted();
          return true;
        };
        if (look()) return;
        const observer = new MutationObserver(() => look() && observer.disconnect());
        observer.observe(document, { childList: true, subtree: true });
      }),
  );
}

async function measureWarm(site: HostedDashboard, profile: BrowserProfile): Promise<number[]> {
  const times: number[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const page = await openDashboard(profile, site, watchPage);
    times.push(await firstItem(page));
    await page.close();
  }
  return times;
}

/** From a click on a link of the sidebar to the heading of its page being painted. */
async function measureRoutes(page: Page): Promise<number[]> {
  const visit = (name: string) =>
    page.evaluate(
      (wanted) =>
        new Promise<number>((resolve) => {
          const link = [...document.querySelectorAll<HTMLElement>('aside a, nav a')].find(
            (element) => element.textContent?.trim() === wanted || element.ariaLabel === wanted,
          );
          if (!link) throw new Error(`No link ${wanted}`);
          const before = document.querySelector('main h1')?.textContent;
          const observer = new MutationObserver(() => {
            if (document.querySelector('main h1')?.textContent === before) return;
            observer.disconnect();
            const channel = new MessageChannel();
            channel.port1.addEventListener('message', () => resolve(performance.now() - start));
            channel.port1.start();
            requestAnimationFrame(() => channel.port2.postMessage(0));
          });
          observer.observe(document, { childList: true, subtree: true, characterData: true });
          const start = performance.now();
          link.click();
        }),
      name,
    );
  const names = ['Threads', 'Capsule', 'Home'];
  for (const name of names) await visit(name);
  const times: number[] = [];
  for (let round = 0; round < VISITS; round += 1) {
    for (const name of names) {
      times.push(await visit(name));
      await pause(150);
    }
  }
  return times;
}

/** From the keys of the palette to its field being painted. */
async function measurePalette(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < PALETTES; round += 1) {
    const opened = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let start = 0;
          const begin = (event: KeyboardEvent) => {
            if (event.key !== 'k') return;
            start = event.timeStamp;
            window.removeEventListener('keydown', begin, true);
          };
          window.addEventListener('keydown', begin, true);
          const observer = new MutationObserver(() => {
            if (document.querySelector('[role="dialog"] input') === null) return;
            observer.disconnect();
            const channel = new MessageChannel();
            channel.port1.addEventListener('message', () => resolve(performance.now() - start));
            channel.port1.start();
            requestAnimationFrame(() => channel.port2.postMessage(0));
          });
          observer.observe(document, { childList: true, subtree: true });
        }),
    );
    await page.keyboard.press('Control+k');
    times.push(await opened);
    await page.keyboard.press('Escape');
    await page.waitForSelector('[role="dialog"]', { state: 'detached' });
    await pause(200);
  }
  return times;
}

/** Time in handlers per key of a search. */
async function measureKeys(page: Page): Promise<number[]> {
  await page.keyboard.press('Control+k');
  await page.waitForSelector('[role="dialog"] input');
  await resetReport(page);
  for (const words of ['prato', 'stone la', 'tag:', 'niver']) {
    await page.keyboard.type(words, { delay: 80 });
    await pause(200);
    for (let left = words.length; left > 0; left -= 1) await page.keyboard.press('Backspace');
  }
  const { handling } = await pageReport(page);
  await page.keyboard.press('Escape');
  return handling;
}

/** Scrolls through the list as a wheel does, a screen in ten frames. */
async function measureScroll(page: Page) {
  await resetReport(page);
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let left = 300;
        pageWatch.watchFrames(true);
        const step = () => {
          window.scrollBy(0, 80);
          left -= 1;
          if (left > 0) requestAnimationFrame(step);
          else {
            pageWatch.watchFrames(false);
            resolve();
          }
        };
        requestAnimationFrame(step);
      }),
  );
  const { frames, longTasks } = await pageReport(page);
  return { longTasks, dropped: frames.filter((frame) => frame > FRAME_MS * 1.5).length / frames.length };
}

/** Runs the rows of a device that has everything. */
export async function run(): Promise<BenchRow[]> {
  const site = await hostDashboard(HELD);
  const profile = new BrowserProfile();
  try {
    const cold = await openDashboard(profile, site, watchPage);
    await allListed(cold, site.shown);
    await cold.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await pause(SETTLE_MS);
    await cold.close();
    const warm = await measureWarm(site, profile);
    const page = await openDashboard(profile, site, watchPage);
    await allListed(page, site.shown);
    await pause(SETTLE_MS / 2);
    const routes = await measureRoutes(page);
    const palette = await measurePalette(page);
    const keys = await measureKeys(page);
    const scroll = await measureScroll(page);
    return [
      judgeBudget('F13 warm', `warm start with service worker and ${HELD} memories, first items`, {
        ...{ values: warm, limit: 500 },
      }),
      judgeBudget('F13 route', 'dashboard route, click to painted view', {
        ...{ values: routes, limit: 2 * FRAME_MS, by: 'p50' as const },
      }),
      judgeBudget('F13 palette', 'palette, keys to painted field', { values: palette, limit: 50 }),
      judgeBudget('F13 search key', 'a key in the palette, time in handlers', { values: keys, limit: 16 }),
      judgeBudget('F13 scroll tasks', `scrolling ${HELD}: longest task over 50 ms`, {
        ...{ values: [0, ...scroll.longTasks], limit: 50 },
      }),
      judgeBudget('F13 scroll frames', `scrolling ${HELD}: dropped frames`, {
        ...{ values: [scroll.dropped * 100], limit: 1, unit: '%' },
      }),
    ];
  } finally {
    await profile.remove();
    site.close();
  }
}
