/** Every page of an error can be read by all people: in light and dark, on a phone, with the words of what happened. */
import type { Page } from '@playwright/test';
import { startBalancer, type Balancer } from '../support/balancer.ts';
import { createEmbeddedRig, query } from '../support/embedded-rig.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { sharePlace, type SharedPlace } from '../support/shared-place.ts';
import { IS_WHOLE_MATRIX } from './support/looks.ts';
import { lookFaults } from './support/screen-faults.ts';
import { expect, started, test } from './support/stories.ts';

// What looks like a robot gets the status in words, and what a worker keeps is no answer of the server.
test.use({
  baseURL: undefined,
  serviceWorkers: 'block',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
});

const LEAN = [
  { look: 'light', colorScheme: 'light', width: 1280, height: 800 },
  { look: 'phone', colorScheme: 'light', width: 390, height: 844 },
] as const;
const SCREENS = IS_WHOLE_MATRIX
  ? ([
      ...LEAN,
      { look: 'dark', colorScheme: 'dark', width: 1280, height: 800 },
      { look: 'phone', colorScheme: 'dark', width: 390, height: 844 },
    ] as const)
  : LEAN;
/** More searches than are allowed in a minute. */
const SEARCHES = 40;

const rig = createEmbeddedRig();
let databaseUrl: string;
let wire: Balancer;
let server: ServerProcess;
let place: SharedPlace;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  const database = await rig.start();
  databaseUrl = database.url;
  const behindWire = new URL(databaseUrl);
  const port = Number(behindWire.port);
  wire = await startBalancer(() => [port]);
  behindWire.host = `127.0.0.1:${wire.port}`;
  server = await startServerProcess({ env: { DATABASE_URL: behindWire.href } });
  place = await sharePlace(server.url, 'errors', 1);
});
test.afterAll(async () => {
  await server.dispose();
  await wire.close();
  await rig.clear();
});

/** Looks at one error on every kind of screen; `open` returns its status. */
async function look(
  page: Page,
  { status, heading }: { status: number; heading: string },
  open: () => Promise<number>,
) {
  for (const { look: view, colorScheme, width, height } of SCREENS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    expect(await open()).toBe(status);
    await started(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.getByRole('link', { name: 'Back to home' })).toBeVisible();
    expect([status, width, await lookFaults(page, view)]).toEqual([status, width, []]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.screenshot({ path: `test-results/error-${status}-${colorScheme}-${width}.png` });
  }
}

const visit = (page: Page, path: string) => async () => (await page.goto(server.url + path))?.status() ?? 0;

test('a malformed address and one that does not exist', async ({ page }) => {
  test.setTimeout(480_000);
  await look(page, { status: 400, heading: 'Bad Request' }, visit(page, '/%E0%A4%A'));
  await look(page, { status: 404, heading: 'Page not found' }, visit(page, '/no/such/page'));
  await look(page, { status: 404, heading: 'Page not found' }, visit(page, `${place.space}?page=99`));
});

test('too many searches', async ({ page }) => {
  test.setTimeout(480_000);
  const path = '/explore?q=anemone';
  await page.goto(server.url);
  await look(page, { status: 429, heading: 'Too Many Requests' }, async () => {
    for (;;) {
      const status = await visit(page, path)();
      if (status === 429) return status;
      // The minute may have ended since the last screen.
      await page.evaluate(
        ({ address, times }) => Promise.all(Array.from({ length: times }, () => fetch(address))),
        { address: path, times: SEARCHES },
      );
    }
  });
});

test('a fault of the server, and a database that is away', async ({ page }) => {
  test.setTimeout(480_000);
  await query(databaseUrl, 'drop table "public_visit"');
  await look(page, { status: 500, heading: 'Internal error' }, visit(page, place.space));
  await wire.close();
  await look(page, { status: 503, heading: 'Service Unavailable' }, visit(page, place.space));
});
