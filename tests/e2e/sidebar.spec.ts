/** The sidebar of a person with a hundred spaces, in light, dark and on a phone. */
import type { Browser, Page } from '@playwright/test';
import { apiAt, sitDown, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { lookAt } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

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

/** Names of the rows of the pinned spaces. */
const pinned = (page: Page) =>
  page.getByRole('list', { name: 'Pinned spaces', exact: true }).locator('[data-space] a').allTextContents();

for (const mode of LOOKS) {
  test(`the sidebar of a hundred spaces in ${mode}`, LONG_LOOK, async ({ browser, server }) => {
    const person = await librarian(server);
    const page = await openPage(browser, server, person, windowOf(mode, { width: 390, height: 780 }));
    await page.goto(`/${person.slug}/spaces`);
    const main = page.getByRole('main');
    await expect(main.getByRole('article')).toHaveCount(COUNT);
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    for (const index of [1, 3, 4]) await main.getByRole('link', { name: nameOf(index) }).click();
    const bar = page.getByRole('toolbar', { name: 'Selected spaces' });
    await bar.getByRole('button', { name: 'Pin to the sidebar' }).click();
    await lookAt(page, 'spaces-selected', mode);
    await bar.getByRole('button', { name: 'Colour' }).click();
    await expect(page.getByRole('radio', { name: 'Plum' })).toBeVisible();
    await lookAt(page, 'spaces-colour', mode);
    await page.keyboard.press('Escape');
    await page.goto(`/${person.slug}/spaces/shelf-010`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(nameOf(10));
    if (mode === 'phone') await page.getByRole('button', { name: /^Open the sidebar/ }).click();
    await expect.poll(() => pinned(page)).toEqual([1, 3, 4].map(nameOf));
    await lookAt(page, 'sidebar-pinned', mode);
    await page.getByRole('button', { name: `Options for ${nameOf(3)}`, exact: true }).click();
    await expect(page.getByRole('menuitem', { name: /^Move up/ })).toBeVisible();
    await lookAt(page, 'sidebar-menu', mode);
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Find a space' }).fill('05');
    await expect(page.getByRole('list', { name: 'Spaces found' }).getByRole('link')).toHaveCount(11);
    await lookAt(page, 'sidebar-found', mode);
    await page.context().close();
  });
}
