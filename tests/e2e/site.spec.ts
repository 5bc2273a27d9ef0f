/** The public site as a visitor meets it: the search of the sample notes and of the documentation. */
import { expect, started, test } from './support/stories.ts';

/** Headless Chromium's own name counts as a bot, and bots get no error page. */
test.use({
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
});

test('sample notes are found as a visitor types, also without a network @long', async ({ page }) => {
  await page.goto('/');
  const demo = page.getByRole('region', { name: 'Search these notes' });
  const notes = demo.getByRole('listitem');
  const all = await notes.count();
  expect(all).toBeGreaterThan(4);
  await expect(demo.getByRole('status')).toHaveText(`${all} notes in this page`);

  // At once: the press fetches what searches, which then takes the query up.
  await demo.getByRole('button', { name: 'tag:kitchen' }).click();
  await expect(demo.getByRole('status')).toContainText('2 notes found');
  await page.context().setOffline(true);
  await demo.getByRole('searchbox').fill('tomatos');
  await expect(notes).toHaveCount(1);
  await expect(notes.locator('mark')).toHaveText('Tomatoes');
  await demo.getByRole('searchbox').fill('xylophone');
  await expect(notes).toHaveCount(0);
  await expect(demo.getByRole('status')).toContainText('0 notes found');
  await demo.getByRole('searchbox').fill('');
  await expect(notes).toHaveCount(all);
  await expect(notes.locator('mark')).toHaveCount(0);
});

test('search finds a section of the documentation from any page, by key or by button @long', async ({
  page,
}) => {
  await page.goto('/blog');
  const dialog = page.getByRole('dialog', { name: 'Search the docs and the blog' });
  // Once: a second press would close it.
  await started(page);
  await page.keyboard.press('Control+k');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('combobox').fill('is:archived');
  await expect(dialog.getByRole('option').first()).toHaveText(/^Search › Operators/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/search/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search');
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await dialog.getByRole('combobox').fill('qqqzzz');
  await expect(dialog.getByText('Nothing about “qqqzzz”')).toBeVisible();
});
