/** What every public page must be: accessible in both colour modes and on a phone, light on the wire, quiet in the console, alone. */
import type { Page } from '@playwright/test';
import { gzipSync } from 'node:zlib';
import { sitDown } from '../support/person.ts';
import { type SharedPlace, fillPlace } from '../support/shared-place.ts';
import { ALIVE_BUDGET, htmlBudgetOf, SCRIPT_BUDGET, STYLE_BUDGET } from '../support/page-budgets.ts';
import { takePerson } from '../support/ready-people.ts';
import { IS_WHOLE } from '../support/whole-run.ts';
import { LONG_LOOK } from './support/looks.ts';
import { lookFaults } from './support/screen-faults.ts';
import { expect, started, test as story } from './support/stories.ts';
import { watch, weightOf } from './support/visit.ts';

/** One shared workspace for all stories of this file: a space long enough for a second page. */
const test = story.extend<object, { place: SharedPlace }>({
  place: [async ({ server }, run) => run(await fillPlace(takePerson(server), 45)), { scope: 'worker' }],
});

test.use({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36' });

const NOT_FOUND = '/no/such/page';
/** One page of each kind; in the whole run what else stands on them too. */
const pagesOf = ({ space, memory, thread, workspace }: SharedPlace): string[] => {
  const kinds = [
    '/',
    '/explore',
    '/pricing',
    '/request-access',
    '/blog',
    '/blog/why',
    '/docs',
    '/docs/api',
    '/docs/api/reference',
    '/docs/api/reference/memories',
    NOT_FOUND,
    space,
    `${space}?q=nothing-like-it`,
    `${space}?report=1`,
    memory,
    thread,
    workspace,
  ];
  const others = [
    '/request-access?registered=ok',
    '/blog/how-sync-works',
    '/docs/offline-and-sync',
    `${space}?page=2`,
    `${space}?q=limpets`,
    `${space}?reported=invalid`,
    `${memory}?reported=ok`,
    `${thread}?reported=ok`,
  ];
  return IS_WHOLE ? [...kinds, ...others] : kinds;
};
/** Height of a field of one line, in pixels. */
const LINE = 36;

const SCREENS = [
  { name: 'light', look: 'light', colorScheme: 'light', width: 1280, height: 800 },
  { name: 'phone', look: 'phone', colorScheme: 'light', width: 390, height: 844 },
  { name: 'dark', look: 'dark', colorScheme: 'dark', width: 1280, height: 800 },
  { name: 'phone, dark', look: 'phone', colorScheme: 'dark', width: 390, height: 844 },
] as const;

/** Until fonts and pictures are there. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.fonts.status === 'loaded' &&
      [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
  );
}

for (const { name, look, colorScheme, width, height } of SCREENS) {
  test(`nothing is wrong to see: ${name}`, LONG_LOOK, async ({ page, place }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    for (const path of pagesOf(place)) {
      await page.goto(path);
      await started(page);
      await drawn(page);
      expect([path, await lookFaults(page, look)]).toEqual([path, []]);
    }
  });

  test(`nothing is wrong to see with menus and dialogs open: ${name}`, LONG_LOOK, async ({ page, place }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    await page.goto('/docs');
    if (name.startsWith('phone')) {
      await page.getByRole('button', { name: 'Open menu' }).click();
      await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible();
      expect(await lookFaults(page, look)).toEqual([]);
      await page.getByRole('button', { name: 'Close menu' }).click();
      await page.getByRole('button', { name: 'Documentation', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Documentation', expanded: true })).toBeVisible();
      expect(await lookFaults(page, look)).toEqual([]);
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Sign up' }).click();
    } else {
      await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).click();
    }
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await lookFaults(page, look)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('combobox').fill('backup');
    await expect(page.getByRole('option').first()).toBeVisible();
    expect(await lookFaults(page, look)).toEqual([]);
    for (const path of [place.space, place.memory, place.thread]) {
      await page.goto(path);
      await page.getByRole('link', { name: 'Report' }).click();
      await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible();
      expect([path, await lookFaults(page, look)]).toEqual([path, []]);
    }
  });
}

for (const [width, height] of [
  [1280, 800],
  [390, 844],
  [320, 640],
] as const) {
  test(`the buttons of a report stay in sight and cover no field: ${width} by ${height} @long`, async ({
    page,
    place,
  }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(place.space);
    await started(page);
    await page.getByRole('link', { name: 'Report' }).click();
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Send report' });
    // Whole, and not clipped by what scrolls.
    await expect(send).toBeInViewport({ ratio: 1 });
    const email = dialog.getByRole('textbox', { name: 'Your e-mail' });
    for (const field of [dialog.getByRole('combobox'), dialog.getByRole('textbox').first(), email]) {
      await field.focus();
      await expect(field).toBeInViewport({ ratio: 1 });
      await expect(send).toBeInViewport({ ratio: 1 });
      // A line of it at least stands above the row of buttons (WCAG 2.4.11).
      const [own, foot] = await Promise.all([field.boundingBox(), send.boundingBox()]);
      expect((own?.y ?? 0) + Math.min(own?.height ?? 0, LINE)).toBeLessThan(foot?.y ?? 0);
    }
    await email.fill('reader@example.org');
    expect(await lookFaults(page, 'light')).toEqual([]);
    expect(await lookFaults(page, 'phone')).toEqual([]);
  });
}

test('each page stays within its budgets, calls no other site and does not complain @long', async ({
  browser,
  server,
  place,
}) => {
  for (const path of pagesOf(place)) {
    // Once with the service worker: what it fetches and says is the same on every page, and takes longer than the page.
    const serviceWorkers = path === '/' ? 'allow' : 'block';
    const context = await browser.newContext({ serviceWorkers });
    const page = await context.newPage();
    const { scripts, foreign, complaints } = watch(page, server.url);
    const answer = await page.goto(server.url + path);
    await started(page);
    await page.waitForLoadState('networkidle');
    const html = (await answer?.text()) ?? '';
    const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text]) => text).join('');
    const total = weightOf(scripts);
    const biggest = [...scripts].sort(([, a], [, b]) => b - a).slice(0, 5);
    expect(total, `${path}: ${JSON.stringify(biggest)}`).toBeLessThanOrEqual(SCRIPT_BUDGET);
    expect(total).toBeGreaterThan(0);
    expect(styles).not.toBe('');
    expect(gzipSync(styles).length, `styles of ${path}`).toBeLessThanOrEqual(STYLE_BUDGET);
    expect(gzipSync(html).length, `document of ${path}`).toBeLessThanOrEqual(htmlBudgetOf(path));
    // The browser itself reports the status of a page that is missing.
    const own = complaints.filter((line) => path !== NOT_FOUND || !line.includes('404'));
    expect([path, foreign, own]).toEqual([path, [], []]);
    await context.close();
  }
});

test('a page whose forms and search are in use stays within its budget of script @long', async ({
  page,
  server,
}) => {
  const { scripts, complaints } = watch(page, server.url);
  await page.goto('/docs');
  await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Get early access' });
  await dialog.getByRole('textbox').fill('reader@');
  await dialog.getByRole('button', { name: 'Request access' }).click();
  await expect(dialog.getByText('Invalid email')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('combobox').fill('backup');
  await expect(page.getByRole('option', { name: /backup/i }).first()).toBeVisible();
  expect(weightOf(scripts), JSON.stringify([...scripts])).toBeLessThanOrEqual(ALIVE_BUDGET);
  expect(complaints).toEqual([]);
});

test('the application calls no other site and does not complain @long', async ({ browser, server }) => {
  const person = takePerson(server);
  const { api, workspaceId, slug } = person;
  const { result: space } = await api('space.create', {
    body: { workspaceId, name: 'Reading', slug: 'reading' },
  });
  const { result: memory } = await api('memory.create', {
    body: {
      workspaceId,
      title: 'A page elsewhere',
      url: 'https://example.org/page',
      notes: '![a picture](https://example.org/pixel.png) and [a link](https://example.org/)',
    },
  });
  await api('space_memory.create', { body: { workspaceId, spaceId: space.id, memoryId: memory.id } });
  const context = await browser.newContext();
  await sitDown(context, server.url, person);
  const page = await context.newPage();
  const { foreign, complaints } = watch(page, server.url);
  for (const path of [
    `/${slug}`,
    `/${slug}?memory=${memory.id}`,
    `/${slug}/spaces`,
    `/${slug}/spaces/reading`,
    `/${slug}/threads`,
    `/${slug}/threads/new`,
    `/${slug}/capsule`,
    `/${slug}/settings`,
  ]) {
    await page.goto(server.url + path);
    // An open memory hides the page below it from roles.
    await expect(page.locator('main h1').first()).toBeAttached();
    expect([path, foreign, complaints]).toEqual([path, [], []]);
  }
  await context.close();
});
