/**
 * The built dashboard in a real browser: what the page's thread does while 50,000 memories arrive, are written to disk
 * and indexed, and somebody types meanwhile (row 8 and S1).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { serveDashboard } from '#tests/support/built-dashboard.ts';
import { pageReport, resetReport, watchPage } from '#tests/support/page-watch.ts';
import { judge, judgeBudget, timingOf, type BenchRow } from './bench-row.ts';
import { fillWith, listed, READY_MS, SETTLE_MS } from './dashboard-data.ts';

const ARRIVING = 50_000;
const ARRIVALS = 3;

/** What somebody does who does not wait: a note, then a search, again and again. */
async function writeAndSearch(page: Page, isOver: () => Promise<boolean>): Promise<void> {
  const capture = page.locator('#main textarea').first();
  do {
    await capture.click();
    await page.keyboard.type('a note while it loads ', { delay: 40 });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('prato', { delay: 60 });
    await pause(150);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  } while (!(await isOver()));
}

async function measureArrival({ shown, fill }: ReturnType<typeof fillWith>) {
  const site = await serveDashboard(fill);
  const profile = new BrowserProfile();
  try {
    const page = await site.open(profile, '', watchPage);
    await page.waitForSelector('[data-item]', { timeout: READY_MS });
    const first = await page.evaluate(() => performance.now());
    await resetReport(page);
    await writeAndSearch(page, async () => (await listed(page)) === shown);
    const all = await page.evaluate(() => performance.now());
    await pause(SETTLE_MS);
    return { ...(await pageReport(page)), took: all - first };
  } finally {
    await profile.remove();
    await site.close();
  }
}

/** Runs the rows of a first load. */
export async function run(): Promise<BenchRow[]> {
  const data = fillWith(ARRIVING);
  const rounds = [];
  for (let round = 0; round < ARRIVALS; round += 1) rounds.push(await measureArrival(data));
  const tasks = rounds.flatMap(({ longTasks }) => longTasks);
  return [
    judge(
      {
        ...{
          id: '8 page',
          scenario: `dashboard: tasks over 50 ms from first rows until ${ARRIVING} are indexed`,
        },
        ...{ subject: timingOf(rounds.map(({ longTasks }) => longTasks.length)), unit: 'tasks' },
        reference: { name: 'one would be one too many', p50: 1, p95: 1 },
      },
      Math.max(...rounds.map(({ longTasks }) => longTasks.length)),
      0,
    ),
    judgeBudget('S1 longest', 'dashboard: longest task meanwhile', { values: [0, ...tasks], limit: 200 }),
    judgeBudget('S1 typing', 'dashboard: key or click to paint meanwhile', {
      ...{ values: rounds.flatMap(({ interactions }) => interactions), limit: 200 },
    }),
    judgeBudget('S1 page', `dashboard: first rows to ${ARRIVING} listed`, {
      ...{ values: rounds.map(({ took }) => took), limit: 15_000 },
    }),
  ];
}
