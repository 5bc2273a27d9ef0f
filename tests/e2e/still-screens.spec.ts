/**
 * Nothing moves while a screen loads, in the window of a desk and of a phone: neither at the first visit, when nothing is known
 * of what the server will say, nor at the next.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { PAGES, type PageRow } from '#shared/pages.ts';
import { logInAsDemo } from './support/demo.ts';
import { windowOf, type Look } from './support/looks.ts';
import { expect, test } from './support/stories.ts';
import { watchShifts } from './support/visit.ts';

/** Pages without a parameter other than the workspace, which is the demo person's. */
const addressesOf = (isWanted: (page: PageRow) => boolean): string[] =>
  Object.values<PageRow>(PAGES)
    .filter(isWanted)
    .map(({ path }) => path.replace(':workspace_slug', 'demo'))
    .filter((path) => !/[:*]/.test(path));

/** The answers of the server come when the screen has been painted without them. */
const LATE_MS = 400;
/** Longer than it takes to answer all that a screen asks, one thing after the other. */
const SETTLED_MS = 1_800;

const SITE = addressesOf(({ guard }) => guard === 'none');
const DASHBOARD = addressesOf(({ layout }) => layout === 'dashboard');

/** Opens each, and lists what moved on it. */
async function movesOn(page: Page, addresses: readonly string[]): Promise<Record<string, string[]>> {
  const moves: Record<string, string[]> = {};
  const shifts = await watchShifts(page);
  for (const address of addresses) {
    await page.goto(address);
    // The application keeps a connection, so the network is never idle.
    await page.waitForTimeout(SETTLED_MS);
    const moved = await shifts();
    if (moved.length > 0) moves[address] = moved;
  }
  return moves;
}

for (const look of ['light', 'phone'] satisfies Look[]) {
  /** A page in that window, far away from the server. */
  const pageIn = async (browser: Browser, url: string): Promise<Page> => {
    const context = await browser.newContext({ ...windowOf(look), baseURL: url });
    await context.route('**/v1/**', async (route) => {
      await pause(LATE_MS);
      await route.continue();
    });
    return context.newPage();
  };

  test(`the site and the ways in stand still, ${look} @long`, async ({ browser, server }) => {
    test.setTimeout(180_000);
    const page = await pageIn(browser, server.url);
    expect(await movesOn(page, SITE)).toEqual({});
    await page.context().close();
  });

  test(`every screen of the application stands still, ${look} @long`, async ({ browser, server }) => {
    test.setTimeout(180_000);
    const page = await pageIn(browser, server.url);
    await logInAsDemo(page);
    const places = ['/demo/spaces/garden', '/demo/spaces/journal'];
    const screens = [...DASHBOARD, ...places];
    expect(await movesOn(page, screens)).toEqual({});
    expect(await movesOn(page, screens)).toEqual({});
    await page.context().close();
  });
}
