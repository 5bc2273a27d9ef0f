/** The public pages for all readers: without script on a phone, enlarged, by keyboard; and what is closed is gone from the device too. */
import type { Page } from '@playwright/test';
import { takePerson } from '../support/ready-people.ts';
import { type SharedPlace, fillPlace } from '../support/shared-place.ts';
import { keptPaths } from './support/kept-pages.ts';
import { LONG_LOOK } from './support/looks.ts';
import { axeFaults } from './support/screen-faults.ts';
import { expect, test as story } from './support/stories.ts';

const test = story.extend<object, { place: SharedPlace }>({
  place: [async ({ server }, run) => run(await fillPlace(takePerson(server), 41)), { scope: 'worker' }],
});

// What looks like a robot gets plain text for an address that does not exist.
test.use({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36' });

const pagesOf = ({ space, memory, thread, workspace }: SharedPlace): string[] => [
  '/',
  '/explore',
  '/pricing',
  '/request-access',
  '/blog',
  '/blog/why',
  '/blog/how-sync-works',
  '/docs',
  '/docs/api',
  '/docs/offline-and-sync',
  '/no/such/page',
  space,
  `${space}?report=1`,
  memory,
  `${memory}?report=1`,
  thread,
  workspace,
];

/** What the menu of a phone leads to, by name. */
const MENU = new Map([
  ['Home', /:\d+\/$/],
  ['Explore', /\/explore$/],
  ['Pricing', /\/pricing$/],
  ['Blog', /\/blog$/],
  ['Docs', /\/docs$/],
  ['Sign in', /\/request-access$/],
  ['Sign up', /\/request-access$/],
]);

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('on a phone every place can be reached, and nothing is drawn that does nothing @long', async ({
    page,
    place,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const menu = page.getByRole('navigation', { name: 'Menu' });
    for (const path of pagesOf(place)) {
      await page.goto(path);
      await expect(menu.getByRole('link')).toHaveText([...MENU.keys()]);
      const dead = page.locator('button:not([type=submit])').filter({ visible: true });
      expect([path, await dead.count()]).toEqual([path, 0]);
    }
    for (const [name, address] of MENU) {
      await page.goto(place.space);
      await menu.getByRole('link', { name }).click();
      await expect(page).toHaveURL(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    await page.goto('/docs/offline-and-sync');
    await page.getByRole('link', { name: 'All pages' }).click();
    await expect(page).toHaveURL(/\/docs$/);
    await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click();
    await expect(page).toHaveURL(/\/docs\/settings$/);
  });
});

/** Serves documents as a browser without script takes them, so that axe, which is a script, can look at them. */
async function takeScriptsAway(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue();
    const response = await route.fetch();
    const html = await response.text();
    const body = html.replaceAll(/<script\b.*?<\/script>/gs, '').replaceAll(/<\/?noscript>/g, '');
    await route.fulfill({ response, body });
  });
}

for (const [name, colorScheme, width] of [
  ['light', 'light', 1280],
  ['dark', 'dark', 1280],
  ['phone, dark', 'dark', 390],
] as const) {
  test(`axe finds nothing on pages without script: ${name}`, LONG_LOOK, async ({ page, place }) => {
    await takeScriptsAway(page);
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    for (const path of pagesOf(place)) {
      await page.goto(path);
      await expect(page.locator('script')).toHaveCount(0);
      expect([path, await axeFaults(page)]).toEqual([path, []]);
    }
  });
}

test('nothing is cut off or scrolls sideways at twice the size and at 320 pixels @long', async ({
  page,
  place,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const width of [640, 320]) {
    await page.setViewportSize({ width, height: 512 });
    for (const path of pagesOf(place)) {
      await page.goto(path);
      const beyond = await page.evaluate(() => {
        const edge = document.documentElement.clientWidth;
        if (document.documentElement.scrollWidth <= edge) return [];
        return [...document.querySelectorAll('body *')]
          .filter((element) => element.getBoundingClientRect().right > edge + 1)
          .map((element) => element.outerHTML.slice(0, 120));
      });
      expect([width, path, beyond]).toEqual([width, path, []]);
    }
  }
});

test('the keyboard reaches everything: skip link, menu, search', async ({ page, place }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(place.space);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  const menu = page.getByRole('button', { name: 'Open menu' });
  await menu.focus();
  await page.keyboard.press('Enter');
  const links = page.getByRole('navigation', { name: 'Menu' });
  // A person presses on once there is something to reach.
  await expect(links).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(links.getByRole('link', { name: 'Home' })).toBeFocused();
  await links.getByRole('link', { name: 'Blog' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/blog$/);
  await expect(page.getByRole('navigation', { name: 'Menu' })).toBeHidden();
  const search = page.getByRole('button', { name: 'Search', exact: true });
  await search.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(search).toBeFocused();
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a space that was closed is gone at the next visit, also from what the device kept', async ({
    page,
    ownServer,
  }) => {
    const { owner, space } = await fillPlace(takePerson(ownServer), 3);
    const kept = () => keptPaths(page, 'pages');
    await page.goto(ownServer.url + space);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await page.goto(`${ownServer.url}${space}?q=limpets`);
    await page.goto(ownServer.url + space);
    await expect.poll(kept).toContain(space);
    const { workspaceId } = owner;
    const { result } = await owner.api('space.list', { params: { workspaceId }, query: {} });
    const id = result[0]?.id;
    if (!id) throw new Error('The space is not there');
    await owner.api('space.update', { params: { workspaceId, id }, body: { visibility: 'private' } });
    expect((await page.goto(ownServer.url + space))?.status()).toBe(404);
    await expect(page.getByText('Tide pools')).toHaveCount(0);
    await expect.poll(kept).not.toContain(space);
    await ownServer.kill();
    await page.goto(ownServer.url + space);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not on this device');
    await expect(page.getByText('Tide pools')).toHaveCount(0);
  });
});
