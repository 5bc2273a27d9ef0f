/**
 * The built dashboard in a real browser with 10,000 memories on the device, beside the budgets of the front end: warm
 * start, routes, palette, keys of a search, scrolling.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { openDashboard, slowDown } from '#tests/support/built-dashboard.ts';
import { pageReport, resetReport, watchPage } from '#tests/support/page-watch.ts';
import { judgeBudget, timingOf, type BenchRow } from './bench-row.ts';
import { allListed, SETTLE_MS } from './dashboard-data.ts';
import type { HostedDashboard } from './dashboard-host.ts';
import { hostDashboard } from './hosted-dashboard.ts';

const HELD = 10_000;
const VISITS = 7;
const PALETTES = 15;
const FRAME_MS = 16.7;

/** Milliseconds from the start of the navigation to the first such element being painted. */
async function itemPainted(page: Page, selector: string): Promise<number> {
  return await page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const painted = () => {
          const channel = new MessageChannel();
          channel.port1.addEventListener('message', () => resolve(performance.now()));
          channel.port1.start();
          requestAnimationFrame(() => channel.port2.postMessage(0));
        };
        const look = () => {
          if (document.querySelector(wanted) === null) return false;
          painted();
          return true;
        };
        if (look()) return;
        const observer = new MutationObserver(() => look() && observer.disconnect());
        observer.observe(document, { childList: true, subtree: true });
      }),
    selector,
  );
}

/** Milliseconds to the first rows and to the live list, each with its paint. */
interface WarmTimes {
  rows: number[];
  alive: number[];
}

/** How many times slower than this machine the processor of the page is. */
type Slowdown = 1 | 4;

async function measureWarm(
  site: HostedDashboard,
  profile: BrowserProfile,
  rate: Slowdown,
): Promise<WarmTimes> {
  const times: WarmTimes = { rows: [], alive: [] };
  for (let visit = 0; visit < VISITS; visit += 1) {
    const page = await openDashboard(profile, site, watchPage, rate);
    const [rows, alive] = await Promise.all([
      itemPainted(page, '[data-item]'),
      itemPainted(page, '#root [data-item]'),
    ]);
    times.rows.push(rows);
    times.alive.push(alive);
    await page.close();
  }
  return times;
}

/** The same rows as a page of nothing but markup and styles. */
async function measureStatic(
  site: HostedDashboard,
  profile: BrowserProfile,
  rate: Slowdown,
): Promise<number[]> {
  const shown = await openDashboard(profile, site, watchPage);
  await allListed(shown, site.shown);
  const body = await shown.evaluate(() => document.querySelector('#root')?.innerHTML ?? '');
  const styles = await shown.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].map(({ href }) => href),
  );
  await shown.close();
  const links = styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('');
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><html lang="en"><head>${links}</head><body>${body}</body></html>`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The static page has no port');
  const times: number[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const page = await (await profile.context()).newPage();
    await slowDown(page, rate);
    await page.goto(`http://127.0.0.1:${address.port}/`, { waitUntil: 'commit' });
    times.push(await itemPainted(page, '[data-item]'));
    await page.close();
  }
  server.close();
  return times;
}

/** A row with a budget for the median, and the static page as what is possible. */
function warmRows(rate: Slowdown, warm: WarmTimes, page: readonly number[]): BenchRow[] {
  const budgets = { 1: { rows: 300, alive: 700 }, 4: { rows: 900, alive: 2_000 } }[rate];
  const beside = `static page with the same rows ${timingOf(page).p50.toFixed(0)} ms`;
  const at = `at ${rate}x CPU with ${HELD} memories (${beside})`;
  return [
    judgeBudget(`15 rows ${rate}x`, `warm start, first rows, ${at}`, {
      values: warm.rows,
      limit: budgets.rows,
      by: 'p50' as const,
    }),
    judgeBudget(`15 alive ${rate}x`, `warm start, list alive, ${at}`, {
      values: warm.alive,
      limit: budgets.alive,
      by: 'p50' as const,
    }),
  ];
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
    const starts: BenchRow[] = [];
    for (const rate of [1, 4] as const) {
      const warm = await measureWarm(site, profile, rate);
      starts.push(...warmRows(rate, warm, await measureStatic(site, profile, rate)));
    }
    const page = await openDashboard(profile, site, watchPage);
    await allListed(page, site.shown);
    await pause(SETTLE_MS / 2);
    const routes = await measureRoutes(page);
    const palette = await measurePalette(page);
    const keys = await measureKeys(page);
    const scroll = await measureScroll(page);
    return [
      ...starts,
      judgeBudget('F13 route', 'dashboard route, click to painted view', {
        values: routes,
        limit: 2 * FRAME_MS,
        by: 'p50' as const,
      }),
      judgeBudget('F13 palette', 'palette, keys to painted field', { values: palette, limit: 50 }),
      judgeBudget('F13 search key', 'a key in the palette, time in handlers', { values: keys, limit: 16 }),
      judgeBudget('F13 scroll tasks', `scrolling ${HELD}: longest task over 50 ms`, {
        values: [0, ...scroll.longTasks],
        limit: 50,
      }),
      judgeBudget('F13 scroll frames', `scrolling ${HELD}: dropped frames`, {
        values: [scroll.dropped * 100],
        limit: 1,
        unit: '%',
      }),
    ];
  } finally {
    await profile.remove();
    site.close();
  }
}
