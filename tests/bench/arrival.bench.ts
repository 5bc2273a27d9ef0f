/**
 * The built dashboard in a real browser: what the page's thread does while 50,000 memories arrive, are written to disk
 * and indexed, while no person does anything and while one types (row 8 and S1).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { BrowserProfile } from '#tests/support/browser-profile.ts';
import { openDashboard } from '#tests/support/built-dashboard.ts';
import { pageReport, resetReport, watchPage } from '#tests/support/page-watch.ts';
import { judge, judgeBudget, timingOf, type BenchRow } from './bench-row.ts';
import { listed, READY_MS, SETTLE_MS } from './dashboard-data.ts';
import type { HostedDashboard } from './dashboard-host.ts';
import { hostDashboard } from './hosted-dashboard.ts';

const ARRIVING = 50_000;
const ARRIVALS = 3;

/** What a person does who does not wait: a note, then a search, again and again. */
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

/** What a person does who waits. */
async function watch(_page: Page, isOver: () => Promise<boolean>): Promise<void> {
  while (!(await isOver())) await pause(200);
}

async function measureArrival(site: HostedDashboard, meanwhile: typeof watch) {
  const profile = new BrowserProfile();
  try {
    const page = await openDashboard(profile, site, watchPage);
    await page.waitForSelector('[data-item]', { timeout: READY_MS });
    const first = await page.evaluate(() => performance.now());
    await resetReport(page);
    await meanwhile(page, async () => (await listed(page)) === site.shown);
    const all = await page.evaluate(() => performance.now());
    await pause(SETTLE_MS);
    return { ...(await pageReport(page)), took: all - first };
  } finally {
    await profile.remove();
  }
}

type Arrival = Awaited<ReturnType<typeof measureArrival>>;

function judgeTasks(rounds: readonly Arrival[], how: string): BenchRow {
  const counts = rounds.map(({ longTasks }) => longTasks.length);
  return judge(
    {
      id: '8 page',
      scenario: `dashboard: tasks over 50 ms until ${ARRIVING} are indexed, ${how}`,
      subject: timingOf(counts),
      unit: 'tasks',
      reference: {
        name: 'one would be one too many',
        p50: 1,
        p95: 1,
      },
    },
    Math.max(...counts),
    0,
  );
}

/** Runs the rows of a first load, counted from its first rows. */
export async function run(): Promise<BenchRow[]> {
  const site = await hostDashboard(ARRIVING);
  const watched: Arrival[] = [];
  const typed: Arrival[] = [];
  for (let round = 0; round < ARRIVALS; round += 1) {
    watched.push(await measureArrival(site, watch));
    typed.push(await measureArrival(site, writeAndSearch));
  }
  site.close();
  const took = (rounds: readonly Arrival[]) => rounds.map((round) => round.took);
  const tasks = [...watched, ...typed].flatMap(({ longTasks }) => longTasks);
  return [
    judgeTasks(watched, 'only watched'),
    judgeTasks(typed, 'while a person types'),
    judgeBudget('S1 longest', 'dashboard: longest task of both', { values: [0, ...tasks], limit: 200 }),
    judgeBudget('S1 typing', 'dashboard: key or click to paint meanwhile', {
      values: typed.flatMap(({ interactions }) => interactions),
      limit: 200,
    }),
    judgeBudget('S1 page', `dashboard: first rows to ${ARRIVING} listed, only watched`, {
      values: took(watched),
      limit: 15e3,
    }),
    judgeBudget('S1 page', `dashboard: first rows to ${ARRIVING} listed, while a person types`, {
      values: took(typed),
      limit: 15e3,
    }),
  ];
}
