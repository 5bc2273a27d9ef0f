/** The public site as a visitor meets it: search, documentation, the menu of a phone. */
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

test('navigation scrolls to the top, to the hash, and back to where the reader was @long', async ({
  page,
}) => {
  await page.goto('/blog/how-sync-works');
  await page.getByRole('heading', { name: 'How we know' }).scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(1_000);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Pricing' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Free to run yourself');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('How the sync engine works');
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1_000);

  await page.goto('/docs/spaces#undo');
  await expect(page.getByRole('heading', { name: 'Undo' })).toBeInViewport();
  // One title and one description, also after navigations.
  await expect(page.locator('title')).toHaveCount(1);
  await expect(page.locator('meta[name="description"]')).toHaveCount(1);
});

test('documentation: navigation, neighbours, anchors and copying @long', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs');
  const navigation = page.getByRole('navigation', { name: 'Documentation' });
  await navigation.getByRole('link', { name: 'Self-hosting' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Self-hosting');
  await expect(navigation.getByRole('link', { name: 'Self-hosting' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await page.getByRole('button', { name: 'Copy code' }).first().click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('npm ci');
  await expect(page.getByRole('button', { name: 'Copied' })).toBeHidden();
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Upgrade' }).click();
  await expect(page).toHaveURL(/#upgrade$/);
  await page
    .getByRole('navigation', { name: 'Neighbours' })
    .getByRole('link', { name: 'Next Mails and pictures' })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mails and pictures');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('the menu opens, leads somewhere and closes', async ({ page }) => {
    await page.goto('/');
    const menu = page.getByRole('navigation', { name: 'Menu' });
    await expect(menu).toBeHidden();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await menu.getByRole('link', { name: 'Pricing' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Free to run yourself');
    await expect(menu).toBeHidden();
  });
});
