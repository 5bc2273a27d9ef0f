/** Getting about in the dashboard: who is let in where, dragging onto a space, coming back to a place, and logging out. */
import { DEMO } from './support/demo.ts';
import { expect, test } from './support/stories.ts';

test('people get where they may, file by dragging, and leave without a trace', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto('/demo?sort=title');
  await expect(page).toHaveURL(/\/login\?redirect=%2Fdemo%3Fsort%3Dtitle$/);
  await page.getByLabel('E-mail').fill(DEMO.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('The e-mail address or the password is wrong')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(DEMO.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/\/demo\?sort=title$/);

  const field = page.getByRole('textbox', { name: 'Save a memory' });
  await field.fill('# Aardvarks to draw');
  await field.press('Control+Enter');
  const item = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Aardvarks to draw' }) });
  await expect(item).toBeVisible();
  await item.dragTo(page.getByRole('link', { name: 'Garden' }));
  await expect(page.getByText('Memory added to Garden', { exact: true })).toBeVisible();

  await page.goto('/login');
  await expect(page).toHaveURL(/\/demo$/);
  await page.goto('/nobody-here');
  await expect(page.getByText('Page Not Found: /nobody-here')).toBeVisible();

  await page.goto('/demo');
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login\?clear=true$/, { timeout: 20_000 });
  await page.goto('/demo');
  await expect(page).toHaveURL(/\/login\?redirect=%2Fdemo$/);
  const left = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  expect(left.filter((name) => name?.includes('rep:') || /^loci-(drafts|shared)$/.test(name ?? ''))).toEqual(
    [],
  );
});
