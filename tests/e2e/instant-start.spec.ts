/** A warm start: the last screen of a list is there before the application runs, and only for the person whose screen it is. */
import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { apiAt, sitDown, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { screenFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';
import { watchShifts } from './support/visit.ts';

test.use({ serviceWorkers: 'allow' });

const TITLES = ['Ripe pears', 'Tide table', 'A <b>bold</b> title & more'];
const STORE = 'screen-snapshots';

/** Someone with a few memories, at this browser, whose list has been seen once. */
async function seenBefore(page: Page, server: ServerProcess): Promise<Person> {
  const { url } = server;
  const person = takePerson(server);
  const { api, workspaceId } = person;
  for (const title of TITLES) await api('memory.create', { body: { workspaceId, title } });
  await sitDown(page.context(), url, person);
  await page.goto(`${url}/${person.slug}`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await snapshotTaken(page, person);
  return person;
}

/** Texts of everything stored, by the address that it belongs to. */
function stored(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async (name) => {
    if (!(await caches.has(name))) return {};
    const cache = await caches.open(name);
    const found: Record<string, string> = {};
    for (const request of await cache.keys()) {
      const address = new URL(request.url).searchParams.get('at') ?? '';
      found[address] = (await (await cache.match(request))?.text()) ?? '';
    }
    return found;
  }, STORE);
}

async function snapshotTaken(page: Page, { slug }: Person): Promise<void> {
  await expect.poll(async () => (await stored(page))[`/${slug}`] ?? '').toContain(TITLES[0]);
}

const live = (page: Page) => page.locator('#root').getByRole('list', { name: 'Home' });
const rowOf = (page: Page, title = 'Ripe pears') =>
  page.locator('#screen-snapshot [data-item]', { hasText: title });

/** Runs no script of the page from now on; the service worker goes on. */
async function withoutScript(context: BrowserContext, page: Page): Promise<CDPSession> {
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setScriptExecutionDisabled', { value: true });
  return session;
}

test('the live list does not wait until the device has been read @long', async ({ page, server }) => {
  await seenBefore(page, server);
  await page.addInitScript(() => {
    class SilentWorker extends EventTarget {
      postMessage(): void {}
      terminate(): void {}
    }
    Object.assign(globalThis, { Worker: SilentWorker });
  });
  await page.reload();
  for (const title of TITLES) await expect(live(page).getByRole('link', { name: title })).toBeVisible();
  await expect(page.locator('#screen-snapshot')).toHaveCount(0);
});

test('the rows are painted without any script, and the live list takes their place without a shift', async ({
  context,
  page,
  server,
}) => {
  const ada = await seenBefore(page, server);
  const before = await page.evaluate(() =>
    document.querySelector('#root [data-item]')?.getBoundingClientRect(),
  );
  const session = await withoutScript(context, page);
  await page.reload();
  for (const title of TITLES) await expect(rowOf(page, title)).toBeVisible();
  expect(await rowOf(page, TITLES[2]).textContent()).toBe(TITLES[2]);
  expect(await page.locator('#screen-snapshot script, #screen-snapshot b').count()).toBe(0);
  const box = await page.locator('#screen-snapshot [data-item]').first().boundingBox();
  // Not the width: the web font may not have been there the first time.
  expect(box).toMatchObject({ x: before?.x, y: before?.y, height: before?.height });
  // The list alone is for screen readers, once it is there.
  await expect(page.getByRole('list', { name: 'Home' })).toHaveCount(0);

  await session.send('Emulation.setScriptExecutionDisabled', { value: false });
  const shifts = await watchShifts(page);
  await page.reload();
  await expect(live(page).getByRole('link', { name: 'Ripe pears' })).toBeVisible();
  await expect(page.locator('#screen-snapshot')).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Home' })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  expect(await shifts()).toEqual([]);
  expect(await screenFaults(page)).toEqual([]);

  // The installed application starts at an address of its own.
  await session.send('Emulation.setScriptExecutionDisabled', { value: true });
  await page.goto(`${server.url}/login?source=pwa`);
  await expect(rowOf(page)).toBeVisible();
  await session.send('Emulation.setScriptExecutionDisabled', { value: false });
  await page.goto(`${server.url}/login?source=pwa`);
  await expect(page).toHaveURL(`${server.url}/${ada.slug}`);
  await expect(live(page).getByRole('link', { name: 'Ripe pears' })).toBeVisible();
});

test('it is shown at the width that it was taken at, in the colours of now @long', async ({
  context,
  page,
  server,
}) => {
  await seenBefore(page, server);
  const session = await withoutScript(context, page);
  await page.reload();
  await expect(rowOf(page)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(rowOf(page)).toBeHidden();
  await session.send('Emulation.setScriptExecutionDisabled', { value: false });

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await expect(live(page)).toBeVisible();
  await expect
    .poll(async () => Object.values(await stored(page)).filter((text) => text.includes('"width":390')))
    .toHaveLength(2);
  // The mode is set by the page's first line, before anything is painted.
  const seen = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(seen).toBe('rgb(13, 20, 32)');
});

test('the first key and the first click are answered by the live screen @long', async ({ page, server }) => {
  await seenBefore(page, server);
  await page.reload({ waitUntil: 'commit' });
  // The first script listens from some moment on; then the key is its own and no longer the browser's.
  await expect
    .poll(() =>
      page.evaluate(() => {
        const press = { key: 'k', ctrlKey: true, bubbles: true, cancelable: true };
        return !document.documentElement.dispatchEvent(new KeyboardEvent('keydown', press));
      }),
    )
    .toBe(true);
  await page.keyboard.type('tide');
  await expect(page.getByRole('dialog', { name: 'Search and commands' }).getByRole('combobox')).toHaveValue(
    'tide',
  );
  await page.keyboard.press('Escape');
  await page.reload({ waitUntil: 'commit' });
  await page.locator('[data-item]', { hasText: 'Tide table' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Tide table' })).toBeVisible();
});

test('it is there with the server dead @long', async ({ context, page, ownServer }) => {
  await seenBefore(page, ownServer);
  await ownServer.kill();
  const session = await withoutScript(context, page);
  await page.reload();
  await expect(rowOf(page)).toBeVisible();
  await session.send('Emulation.setScriptExecutionDisabled', { value: false });
  await page.reload();
  await expect(live(page).getByRole('link', { name: 'Ripe pears' })).toBeVisible();
  await expect(page.locator('#screen-snapshot')).toHaveCount(0);
});

test('logging out removes it, and a later visitor sees a form @long', async ({ context, page, server }) => {
  const ada = await seenBefore(page, server);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('**/login?clear=true');
  await expect.poll(() => stored(page)).toEqual({});
  await withoutScript(context, page);
  await page.goto(`${server.url}/${ada.slug}`);
  expect(await page.content()).not.toContain('Ripe pears');
});

test('the end of a session elsewhere removes it @long', async ({ page, server }) => {
  const ada = await seenBefore(page, server);
  await apiAt(server.url, ada.token)('auth.logout', {});
  await page.reload();
  await page.waitForURL('**/login**');
  await expect.poll(() => stored(page)).toEqual({});
});

test('another session on the same device sees nothing of it, however it began', async ({
  context,
  page,
  server,
}) => {
  const ada = await seenBefore(page, server);
  const bob = takePerson(server);
  const session = await withoutScript(context, page);
  for (const present of [bob, undefined, { token: `${ada.token}x` }, { token: '%' }]) {
    await context.clearCookies();
    if (present) await sitDown(context, server.url, present);
    for (const address of [`/${ada.slug}`, '/login?source=pwa', `/${ada.slug}?at=/${ada.slug}`]) {
      await page.goto(server.url + address);
      expect(await page.content(), address).not.toContain('Ripe pears');
    }
  }
  // And bob's own screens take no word of it.
  await page.evaluate(() => localStorage.clear());
  await context.clearCookies();
  await sitDown(context, server.url, bob);
  await session.send('Emulation.setScriptExecutionDisabled', { value: false });
  await page.goto(`${server.url}/${ada.slug}`);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.goto(`${server.url}/${bob.slug}`);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await expect(page.getByText('Ripe pears')).toHaveCount(0);
});
