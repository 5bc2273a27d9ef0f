/**
 * A day with a hundred spaces: the sidebar finds, pins and orders them, offline and by hand and by key, and the person's
 * other browser shows the same. Then the looks, in light, dark and on a phone.
 */
import type { Browser, Page } from '@playwright/test';
import { apiAt, sitDown, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { lookFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

test.use({ serviceWorkers: 'allow' });

const COUNT = 100;
const nameOf = (index: number) => `Shelf ${String(index).padStart(3, '0')}`;

/** A person with a hundred spaces of a few colours. */
async function librarian(server: ServerProcess): Promise<Person> {
  const person = takePerson(server);
  const colors = ['lake', 'ochre', 'iris', 'emerald'] as const;
  for (let index = 1; index <= COUNT; index += 1) {
    const body = { workspaceId: person.workspaceId, name: nameOf(index), color: colors[index % 4] ?? 'lake' };
    await person.api('space.create', { body });
  }
  return person;
}

async function openPage(
  browser: Browser,
  server: ServerProcess,
  person: Person,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Page> {
  const context = await browser.newContext({ ...options, baseURL: server.url });
  const { result } = await apiAt(server.url)('auth.login', {
    body: { email: person.email, password: 'a long enough sentence' },
  });
  await sitDown(context, server.url, result);
  return context.newPage();
}

/** Names of the rows of a list of the sidebar. */
const rowsOf = (page: Page, list: string) =>
  page.getByRole('list', { name: list, exact: true }).locator('[data-space] a').allTextContents();
const pinned = (page: Page) => rowsOf(page, 'Pinned spaces');
const first = async (page: Page, count: number) =>
  (await rowsOf(page, 'Spaces in the sidebar')).slice(0, count);

const row = (page: Page, index: number) =>
  page.getByRole('complementary').getByRole('link', { name: nameOf(index), exact: true });

async function choose(page: Page, index: number, entry: string): Promise<void> {
  await row(page, index).hover();
  await page.getByRole('button', { name: `Options for ${nameOf(index)}`, exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

test('a hundred spaces are found, pinned and ordered, also offline, the same in another browser @long', async ({
  browser,
  server,
}) => {
  const person = await librarian(server);
  const page = await openPage(browser, server, person);
  await page.goto(`/${person.slug}/spaces/shelf-090`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(nameOf(90));
  // The open space is in sight although it is far down.
  await expect(row(page, 90)).toBeInViewport();
  await expect(row(page, 90)).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();

  const other = await openPage(browser, server, person);
  await other.goto(`/${person.slug}`);
  await expect.poll(() => first(other, 2)).toEqual([nameOf(1), nameOf(2)]);

  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.context().setOffline(true);
  await page.getByRole('searchbox', { name: 'Find a space' }).fill('077');
  await expect(page.getByRole('list', { name: 'Spaces found' }).getByRole('link')).toHaveText([nameOf(77)]);
  await choose(page, 77, 'Pin to the sidebar');
  await page.getByRole('searchbox', { name: 'Find a space' }).fill('');
  await expect.poll(() => pinned(page)).toEqual([nameOf(77)]);
  await row(page, 3).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => first(page, 3)).toEqual([nameOf(1), nameOf(3), nameOf(2)]);
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => first(page, 3)).toEqual([nameOf(3), nameOf(1), nameOf(2)]);
  await expect(row(page, 3)).toBeFocused();
  // By hand: to the upper half of the second row.
  await row(page, 5).dragTo(row(page, 1), { targetPosition: { x: 60, y: 4 } });
  await expect.poll(() => first(page, 4)).toEqual([nameOf(3), nameOf(5), nameOf(1), nameOf(2)]);
  // Onto the pinned one, below it.
  await row(page, 4).dragTo(row(page, 77), { targetPosition: { x: 60, y: 26 } });
  await expect.poll(() => pinned(page)).toEqual([nameOf(77), nameOf(4)]);
  // Before the reload: a page that is loaded again may reach the server for a moment before it is cut off.
  expect(await pinned(other)).toEqual([]);
  await page.reload();
  await expect.poll(() => pinned(page)).toEqual([nameOf(77), nameOf(4)]);
  await page.context().setOffline(false);
  await expect.poll(() => pinned(other)).toEqual([nameOf(77), nameOf(4)]);
  await expect.poll(() => first(other, 4)).toEqual([nameOf(3), nameOf(5), nameOf(1), nameOf(2)]);

  await other.getByRole('button', { name: 'All other spaces' }).click();
  await expect.poll(() => first(other, 4)).toEqual([]);
  // Where a space is open, it stays in sight.
  await expect.poll(() => first(page, 4)).toEqual([nameOf(90)]);
  await page.context().close();
  await other.context().close();
});

for (const mode of LOOKS) {
  test(`the sidebar of a hundred spaces in ${mode}`, LONG_LOOK, async ({ browser, server }) => {
    const person = await librarian(server);
    const page = await openPage(browser, server, person, windowOf(mode, { width: 390, height: 780 }));
    const look = async (name: string): Promise<void> => {
      expect([name, ...(await lookFaults(page, mode))]).toEqual([name]);
      const folder = process.env['SCREENSHOTS'];
      if (folder) await page.screenshot({ path: `${folder}/${name}-${mode}.png` });
    };
    await page.goto(`/${person.slug}/spaces`);
    const main = page.getByRole('main');
    await expect(main.getByRole('article')).toHaveCount(COUNT);
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    for (const index of [1, 3, 4]) await main.getByRole('link', { name: nameOf(index) }).click();
    const bar = page.getByRole('toolbar', { name: 'Selected spaces' });
    await bar.getByRole('button', { name: 'Pin to the sidebar' }).click();
    await look('spaces-selected');
    await bar.getByRole('button', { name: 'Colour' }).click();
    await expect(page.getByRole('radio', { name: 'Plum' })).toBeVisible();
    await look('spaces-colour');
    await page.keyboard.press('Escape');
    await page.goto(`/${person.slug}/spaces/shelf-010`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(nameOf(10));
    if (mode === 'phone') await page.getByRole('button', { name: /^Open the sidebar/ }).click();
    await expect.poll(() => pinned(page)).toEqual([1, 3, 4].map(nameOf));
    await look('sidebar-pinned');
    await page.getByRole('button', { name: `Options for ${nameOf(3)}`, exact: true }).click();
    await expect(page.getByRole('menuitem', { name: /^Move up/ })).toBeVisible();
    await look('sidebar-menu');
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Find a space' }).fill('05');
    await expect(page.getByRole('list', { name: 'Spaces found' }).getByRole('link')).toHaveCount(11);
    await look('sidebar-found');
    await page.context().close();
  });
}
