/**
 * The browser extension in a real Chromium: signing in by OAuth, saving a page behind a log-in as the person sees it, note,
 * tags and space, quotes, the same page again, no connection, and an ended connection.
 */
import { page as pageOf, serveSite, type LocalSite } from '../support/local-site.ts';
import { listMemories, sitDown, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { startExtensionBrowser, type ExtensionBrowser } from './support/extension-browser.ts';
import { axeFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';
import type { Page } from '@playwright/test';

const PROSE =
  'Barnacles glue themselves to rock head first and then kick food into their mouths with their feet. ' +
  'They spend the rest of their lives in the same place, which makes the choice of a rock the one that counts.';
const article = (title: string) =>
  `<html lang="en"><head><title>${title}</title></head><body><nav>Menu</nav><article><h1>${title}</h1>
   <p id="first">${PROSE}</p><p id="drawn"></p></article><form><input type="hidden" name="csrf" value="SECRET-TOKEN"></form>
   <script>document.querySelector('#drawn').textContent = 'Drawn by a script for the one who is logged in. ${PROSE}'</script>
   </body></html>`;

/** Pages for who has the cookie of the site. */
const behindLogIn =
  (title: string): Parameters<typeof serveSite>[0][string] =>
  (request, response) => {
    const isIn = request.headers.cookie?.includes('member=yes') === true;
    const answer = isIn
      ? pageOf(article(title))
      : pageOf('<form><input type="password"></form>', { 'set-cookie': 'member=yes' }, 401);
    answer(request, response);
  };

let site: LocalSite;
let browser: ExtensionBrowser;
test.beforeEach(async () => {
  site = await serveSite({
    '/handbook': behindLogIn('Handbook'),
    '/tides': behindLogIn('Tides'),
    '/rocks': behindLogIn('Rocks'),
  });
  browser = await startExtensionBrowser();
});
test.afterEach(async () => {
  await browser.close();
  await site.close();
});

async function signIn(popup: Page, url: string): Promise<void> {
  const server = popup.getByLabel('Server');
  await server.fill('http://intranet.example');
  await popup.getByRole('button', { name: 'Sign in' }).click();
  await expect(popup.getByText('Use https')).toBeVisible();
  await server.fill(url);
  const asking = browser.context.waitForEvent('page');
  await popup.getByRole('button', { name: 'Sign in' }).click();
  const consent = await asking;
  // As a popup does when another window comes to the front.
  await popup.close();
  const closed = consent.waitForEvent('close');
  await consent.getByRole('button', { name: 'Allow access' }).click();
  await closed;
  const isConnected = () =>
    browser.background.evaluate(async () => {
      const { account } = await chrome.storage.local.get('account');
      return Object(account).tokens !== undefined;
    });
  await expect.poll(isConnected).toBe(true);
}

async function open(path: string): Promise<Page> {
  const page = await browser.context.newPage();
  await page.goto(site.url + path);
  return page;
}

const rowsOf = (person: Person) => listMemories(person);

async function pageText({ workspaceId, token }: Person, url: string, id: string): Promise<string> {
  const response = await fetch(`${url}/v1/memories/${workspaceId}/${id}/page`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return response.text();
}

test('the extension saves what a person sees, once, with and without a connection @long', async ({
  server,
}) => {
  const ada = takePerson(server);
  const { workspaceId } = ada;
  const { result: space } = await ada.api('space.create', {
    body: { workspaceId, name: 'Shore', description: null },
  });
  await sitDown(browser.context, server.url, ada);

  const handbook = await open('/handbook');
  await handbook.goto(`${site.url}/handbook`);
  await expect(handbook.getByText('Drawn by a script')).toBeVisible();

  await test.step('signing in', async () => {
    const popup = await browser.press(handbook);
    await expect(popup.getByRole('heading', { name: 'Sign in to Loci' })).toBeVisible();
    expect(await axeFaults(popup)).toEqual([]);
    await popup.screenshot({ path: 'test-results/extension-sign-in.png' });
    await signIn(popup, server.url);
  });

  await test.step('one press saves, then note, tags and space', async () => {
    const popup = await browser.press(handbook);
    await expect(popup.getByRole('heading', { name: 'Saved', exact: true })).toBeVisible();
    await popup.getByLabel('Note').fill('Read chapter two');
    await popup.getByLabel('Tags').fill('Sea, #rules, sea');
    await popup.getByLabel('Space').selectOption('Shore');
    await popup.getByRole('button', { name: 'Save changes' }).click();
    await expect(popup.getByRole('status')).toHaveText('Changes saved');
    expect(await axeFaults(popup)).toEqual([]);
    await popup.screenshot({ path: 'test-results/extension-saved.png' });
    await popup.emulateMedia({ colorScheme: 'dark' });
    await expect(popup.locator('html')).toHaveClass(/dark/);
    expect(await axeFaults(popup)).toEqual([]);
    await popup.screenshot({ path: 'test-results/extension-saved-dark.png' });
    await popup.close();
    const [row, ...others] = await rowsOf(ada);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      title: 'Handbook',
      url: `${site.url}/handbook`,
      contentStatus: 'completed',
      spaceId: space.id,
      origin: 'browser_extension',
      notes: 'Read chapter two',
      tags: ['sea', 'rules'],
    });
    const text = await pageText(ada, server.url, row?.id ?? '');
    expect(text).toContain('Drawn by a script for the one who is logged in');
    for (const secret of ['SECRET-TOKEN', 'Menu']) expect(text).not.toContain(secret);
  });

  await test.step('the same page again, with a selection as a quote', async () => {
    await handbook.locator('#first').selectText();
    const popup = await browser.press(handbook);
    await expect(popup.getByRole('heading', { name: 'Already saved' })).toBeVisible();
    await expect(popup.getByLabel('Note')).toHaveValue('Read chapter two');
    // Nothing was sent for it: the text is the one of before.
    await expect(popup.getByText(/^Since \d+ \w+ \d{4}$/)).toBeVisible();
    expect(await axeFaults(popup)).toEqual([]);
    await popup.screenshot({ path: 'test-results/extension-there.png' });
    await popup.getByRole('button', { name: 'Save again' }).click();
    await expect(popup.getByText(/text renewed$/)).toBeVisible();
    await popup.getByRole('button', { name: 'Add as quote' }).click();
    await expect(popup.getByLabel('Note')).toBeFocused();
    await popup.getByRole('button', { name: 'Save changes' }).click();
    await expect(popup.getByRole('status')).toHaveText('Changes saved');
    await popup.screenshot({ path: 'test-results/extension-known.png' });
    await popup.close();
    const rows = await rowsOf(ada);
    expect(rows).toMatchObject([{ notes: `Read chapter two\n\n> ${PROSE}` }]);
  });

  await test.step('a page that was saved by mistake is taken back', async () => {
    const rocks = await open('/rocks');
    const popup = await browser.press(rocks);
    await popup.getByRole('button', { name: 'Undo' }).click();
    await expect(popup.getByRole('heading', { name: 'Removed again' })).toBeVisible();
    expect(await axeFaults(popup)).toEqual([]);
    await popup.screenshot({ path: 'test-results/extension-undone.png' });
    await popup.close();
    expect(await rowsOf(ada)).toHaveLength(1);
    // What was there before is not the extension's to remove.
    const known = await browser.press(handbook);
    await expect(known.getByRole('heading', { name: 'Already saved' })).toBeVisible();
    await expect(known.getByRole('button', { name: 'Undo' })).toBeHidden();
    await known.close();
    await rocks.close();
  });

  await test.step('a selection by the menu', async () => {
    // Menus are drawn by the system; this is what the browser says when the entry is chosen.
    await browser.background.evaluate(async (address) => {
      const [tab] = (await chrome.tabs.query({})).filter(({ url }) => url === address);
      const chosen = { menuItemId: 'save-quote', selectionText: 'the choice of a rock', editable: false };
      const event: unknown = chrome.contextMenus.onClicked;
      (event as { dispatch(...given: unknown[]): void }).dispatch(chosen, tab);
    }, handbook.url());
    const sign = () =>
      browser.background.evaluate(async (address) => {
        const [tab] = (await chrome.tabs.query({})).filter(({ url }) => url === address);
        return chrome.action.getBadgeText({ tabId: tab?.id });
      }, handbook.url());
    await expect.poll(sign).toBe('✓');
    const [row, ...others] = await rowsOf(ada);
    expect(others).toEqual([]);
    for (const part of ['Read chapter two', '> Barnacles glue', '> the choice of a rock'])
      expect(row?.notes).toContain(part);
  });

  await test.step('without a connection nothing is lost, and a lost answer saves nothing twice', async () => {
    const tides = await open('/tides');
    await browser.context.setOffline(true);
    const popup = await browser.press(tides);
    await expect(popup.getByRole('heading', { name: 'Saved on this device' })).toBeVisible();
    await popup.getByLabel('Note').fill('Low water first');
    await popup.getByRole('button', { name: 'Save changes' }).click();
    await expect(popup.getByRole('status')).toHaveText('Kept until there is a connection');
    expect(await axeFaults(popup)).toEqual([]);
    await popup.screenshot({ path: 'test-results/extension-waiting.png' });
    await popup.close();
    expect(await rowsOf(ada)).toHaveLength(1);
    // The first answer is lost on its way back, so the device has to ask again.
    await browser.background.evaluate(() => {
      const send = globalThis.fetch;
      let isLost = false;
      globalThis.fetch = async (...given) => {
        const response = await send(...given);
        if (isLost || !response.url.endsWith('/v1/memories') || !response.ok) return response;
        isLost = true;
        throw new TypeError('The answer was lost');
      };
    });
    await browser.context.setOffline(false);
    await browser.background.evaluate(() => dispatchEvent(new Event('online')));
    await expect.poll(async () => (await rowsOf(ada)).length).toBe(2);
    const again = await browser.press(handbook);
    await expect(again.getByRole('heading', { name: 'Already saved' })).toBeVisible();
    await expect(again.getByRole('region', { name: 'Waiting' })).toBeHidden();
    await again.close();
    const saved = (await rowsOf(ada)).filter(({ url }) => url === `${site.url}/tides`);
    expect(saved).toMatchObject([{ notes: 'Low water first', title: 'Tides', spaceId: space.id }]);
    await tides.close();
  });

  await test.step('an ended connection keeps the page until the next log-in', async () => {
    const { result: apps } = await ada.api('connected_app.list', { query: {} });
    const [app] = apps;
    if (!app) throw new Error('the extension is not among the connected apps');
    expect(app.client.name).toBe('Loci for the browser');
    await ada.api('connected_app.remove', { params: { workspaceId, id: app.client.id } });
    const rocks = await open('/rocks');
    const popup = await browser.press(rocks);
    await expect(popup.getByRole('heading', { name: 'Sign in again' })).toBeVisible();
    await expect(popup.getByRole('region', { name: 'Waiting' }).getByText('Rocks')).toBeVisible();
    await signIn(popup, server.url);
    await expect.poll(async () => (await rowsOf(ada)).map(({ title }) => title)).toContain('Rocks');
    const last = await browser.press(rocks);
    await expect(last.getByRole('heading', { name: 'Already saved' })).toBeVisible();
    await last.getByRole('button', { name: 'Sign out' }).click();
    await expect(last.getByRole('heading', { name: 'Sign in to Loci' })).toBeVisible();
    const kept = await browser.background.evaluate(
      async () => (await chrome.storage.local.get('account')).account,
    );
    expect(kept).toBeUndefined();
  });
});
