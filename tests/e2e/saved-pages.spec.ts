/** A link is saved, its page is fetched behind it, and the text can be read, found, and read again without a network. */
import { page as pageOf, redirect, serveSite, type LocalSite } from '../support/local-site.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { screenFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

const PASSWORD = 'a long enough sentence';
const PROSE =
  'Barnacles glue themselves to rock head first and then kick food into their mouths with their feet. ' +
  'They spend the rest of their lives in the same place, which makes the choice of a rock the one that counts.';

let server: ServerProcess;
let site: LocalSite;

test.beforeAll(async () => {
  site = await serveSite({
    '/barnacles': pageOf(
      `<html lang="en"><head><title>Life of a barnacle</title><meta name="description" content="On barnacles.">
       </head><body><nav>Menu</nav><article><h1>Life of a barnacle</h1><p>${PROSE}</p><h2>Feeding</h2><p>${PROSE}</p>
       <img src="/spy.png" alt="A barnacle"><script>document.title = 'scripted'</script></article></body></html>`,
    ),
    '/moved': redirect('/moved'),
  });
  server = await startServerProcess({ env: { EGRESS: 'private' } });
});
test.afterAll(async () => {
  await server.dispose();
  await site.close();
});
test.use({ baseURL: undefined });

test('a saved link becomes a page to read', async ({ page }) => {
  test.setTimeout(90_000);
  await page.goto(`${server.url}/signup`);
  await page.getByLabel('E-mail').fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('link', { name: 'Skip this step' }).click();
  await page.getByLabel('First name').fill('Ada');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Shore');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page).toHaveURL(`${server.url}/shore`);

  const field = page.getByRole('textbox', { name: 'Save a memory' });
  await field.fill(`${site.url}/barnacles`);
  await field.press('Control+Enter');
  await page.getByRole('link', { name: 'Life of a barnacle' }).click({ timeout: 20_000 });
  const viewer = page.getByRole('dialog', { name: 'Life of a barnacle' });
  await expect(viewer.getByRole('textbox', { name: 'Description' })).toHaveValue('On barnacles.');
  const text = viewer.getByRole('region', { name: 'Page' });
  await expect(text.getByText(/kick food into their mouths/).first()).toBeVisible();
  await expect(text.getByRole('heading', { name: 'Feeding' })).toBeVisible();
  expect(await screenFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/saved-page.png' });
  expect(site.asked).not.toContain('/spy.png');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('glue mouths');
  await expect(page.getByRole('option', { name: /Life of a barnacle/ })).toBeVisible();
  await page.keyboard.press('Escape');

  await field.fill(`${site.url}/moved`);
  await field.press('Control+Enter');
  await page.getByRole('link', { name: /\/moved$/ }).click();
  const broken = page.getByRole('dialog');
  await expect(broken.getByText('The page redirects without end.')).toBeVisible({ timeout: 20_000 });
  await expect(broken.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.screenshot({ path: 'test-results/saved-page-unavailable.png' });
  await page.keyboard.press('Escape');

  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await server.kill();
  await page.reload();
  await page.getByRole('link', { name: 'Life of a barnacle' }).click();
  await expect(
    page
      .getByRole('region', { name: 'Page' })
      .getByText(/kick food/)
      .first(),
  ).toBeVisible();
});
