/** The browser throws the replica's database away under an open page: the person is told, and nothing saved is lost. */
import type { Page } from '@playwright/test';
import { listMemories, sitDown, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { screenFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

async function openHome(page: Page, { slug }: Person): Promise<void> {
  await page.goto(`/${slug}`);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
}

/** As a browser does that needs room: every connection is closed, and the workspace's database is gone. */
async function dropDatabase(page: Page, { workspaceId }: Person): Promise<void> {
  await page.evaluate(async (id) => {
    const known = await indexedDB.databases();
    const name = known
      .map((each) => each.name ?? '')
      .find((each) => each.startsWith('rep:') && each.includes(id));
    if (name === undefined) throw new Error('There is no database to drop');
    await new Promise<void>((resolve, reject) => {
      const dropping = indexedDB.deleteDatabase(name);
      dropping.addEventListener('success', () => resolve());
      dropping.addEventListener('error', () => reject(dropping.error ?? new Error(name)));
    });
  }, workspaceId);
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Save a memory' });
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

async function save(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await saveButton(page).click();
  await expect(page.getByRole('link', { name: text })).toBeVisible();
}

const banner = (page: Page) => page.getByText('Loci’s data was removed from this device while it was open');

/** The next change makes the loss known, unless the page has noticed by itself and begun anew before it. */
async function changeOrReload(page: Page): Promise<void> {
  await Promise.race([saveButton(page).click(), banner(page).waitFor()]);
}

test('a page that lost its database loads anew, says so until it was read, and lost nothing @long', async ({
  context,
  page,
  server,
}) => {
  const loser = takePerson(server);
  await sitDown(context, server.url, loser);
  await openHome(page, loser);
  await save(page, 'Before');
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  // Typed ahead: the loss may be noticed before the next change, and a draft outlives the reload.
  await field(page).fill('Afterwards');
  await dropDatabase(page, loser);
  await changeOrReload(page);

  await expect(banner(page)).toBeVisible();
  await expect(page.getByText(/Nothing is lost/)).toBeVisible();
  // A page that noticed the loss before the click began anew with the text in its field.
  const saved = page.getByRole('link', { name: 'Afterwards' });
  // One that saved it may show it there for a moment more, and takes the button away with it.
  const isSaved = async () => {
    if (await saved.isVisible()) return true;
    if ((await field(page).inputValue()) === 'Afterwards')
      await saveButton(page).evaluateAll(([button]) => button instanceof HTMLElement && button.click());
    return false;
  };
  await expect.poll(isSaved).toBe(true);
  for (const title of ['Before', 'Afterwards'])
    await expect(page.getByRole('link', { name: title })).toBeVisible();
  const kept = async () => new Set((await listMemories(loser)).map(({ title, notes }) => title ?? notes));
  await expect.poll(kept).toEqual(new Set(['Afterwards', 'Before']));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect([colorScheme, ...(await screenFaults(page))]).toEqual([colorScheme]);
    const folder = process.env['SCREENSHOTS'];
    if (folder) await page.screenshot({ path: `${folder}/lost-database-${colorScheme}.png` });
  }
  await page.getByRole('button', { name: 'Understood' }).click();
  await expect(banner(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Afterwards' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('without a network what could not be sent is set aside, named and sent by a second try @long', async ({
    context,
    page,
    server,
  }) => {
    const loser = takePerson(server);
    await sitDown(context, server.url, loser);
    await openHome(page, loser);
    // The application itself opens from the service worker.
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await openHome(page, loser);
    await context.setOffline(true);
    await save(page, 'Written in a tunnel');
    await field(page).fill('And some more');
    await dropDatabase(page, loser);
    await changeOrReload(page);

    await expect(banner(page)).toBeVisible();
    await expect(
      page.getByText(/changes? could not be sent: find (?:it|them) under “needs attention”/),
    ).toBeVisible();
    await context.setOffline(false);
    await page.getByRole('button', { name: /^Sync: .*needs? attention$/ }).click();
    const lines = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
    await lines.filter({ hasText: 'Written in a tunnel' }).getByRole('button', { name: 'Try again' }).click();
    const kept = async () => (await listMemories(loser)).map(({ title, notes }) => title ?? notes);
    await expect.poll(kept).toContain('Written in a tunnel');
  });
});

test('a second loss right after the first ends as the banner says, with every change @long', async ({
  context,
  page,
  server,
}) => {
  const loser = takePerson(server);
  await sitDown(context, server.url, loser);
  await openHome(page, loser);
  await field(page).fill('After the first loss');
  await dropDatabase(page, loser);
  await changeOrReload(page);
  await expect(banner(page)).toBeVisible();
  if ((await field(page).inputValue()) !== '') await saveButton(page).click();
  await expect(page.getByRole('link', { name: 'After the first loss' })).toBeVisible();

  // The page that was loaded for the first loss is seconds old, and may not reload itself yet.
  const address = page.url();
  await page.evaluate(() => {
    Reflect.set(globalThis, 'isFirstPage', true);
    // However long it took to get here: it remembers the reload as one of this moment.
    sessionStorage.setItem('loci-reload', `${Date.now()} ${location.pathname}`);
  });
  await dropDatabase(page, loser);
  await field(page).fill('After the second loss');
  await saveButton(page).click();
  await expect(page.getByText('then the page reloads')).toBeVisible();
  await page.waitForFunction(() => !Reflect.has(globalThis, 'isFirstPage'), undefined);
  await expect(banner(page)).toBeVisible();
  expect(page.url()).toBe(address);
  for (const title of ['After the first loss', 'After the second loss'])
    await expect(page.getByRole('link', { name: title })).toHaveCount(1);
  const kept = async () =>
    (await listMemories(loser)).map(({ title, notes }) => title ?? notes ?? '').toSorted();
  await expect.poll(kept).toEqual(['After the first loss', 'After the second loss']);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
});
