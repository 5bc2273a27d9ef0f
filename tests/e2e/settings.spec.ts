/** The settings pages have no accessibility fault in light, dark and on a phone. */
import type { Page } from '@playwright/test';
import { apiAt, sitDown } from '../support/person.ts';
import { LONG_LOOK, LOOKS, windowOf } from './support/looks.ts';
import { lookAt } from './support/screen-faults.ts';
import { DEMO } from './support/demo.ts';
import { expect, test } from './support/stories.ts';

/** Beside the page there are links; on a phone they are in a menu. */
async function goTo(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'All settings' });
  if (!(await menu.isVisible())) return await page.getByRole('link', { name }).click();
  await menu.click();
  await page.getByRole('menuitem', { name }).click();
}

for (const mode of LOOKS) {
  test(`settings in ${mode} have no accessibility fault`, LONG_LOOK, async ({ browser, server }) => {
    const options = windowOf(mode, { width: 390, height: 780 });
    // The account's settings show what the service worker can receive.
    const context = await browser.newContext({
      ...options,
      baseURL: server.url,
      serviceWorkers: 'allow',
    });
    const demo = await apiAt(server.url)('auth.login', {
      body: DEMO,
    });
    await sitDown(context, server.url, demo.result);
    const page = await context.newPage();
    await page.goto('/demo/settings');
    await expect(page.getByRole('button', { name: 'Delete this workspace' })).toBeVisible();
    await lookAt(page, 'settings', mode);
    await page.getByRole('button', { name: 'Delete this workspace' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await lookAt(page, 'settings-delete', mode);
    await page.keyboard.press('Escape');
    await goTo(page, 'Import and export');
    await expect(page.getByRole('button', { name: 'Export workspace' })).toBeVisible();
    await lookAt(page, 'settings-import', mode);
    await goTo(page, 'Keyboard');
    await expect(page.getByRole('switch', { name: 'Single-key shortcuts' })).toBeVisible();
    await lookAt(page, 'settings-keyboard', mode);
    await goTo(page, 'Account');
    await expect(page.getByText('This device', { exact: true })).toBeVisible();
    await lookAt(page, 'settings-account', mode);
    await page.getByRole('button', { name: 'Change address' }).click();
    await page.getByLabel('New e-mail address').fill('x');
    await page.getByRole('button', { name: 'Send code' }).click();
    await lookAt(page, 'settings-account-address', mode);
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await lookAt(page, 'settings-account-delete', mode);
    await page.keyboard.press('Escape');
    await goTo(page, 'Members');
    await expect(page.getByText('demo@example.com', { exact: true })).toBeVisible();
    await lookAt(page, 'settings-members', mode);
    await goTo(page, 'Usage');
    await expect(page.getByText('There are no limits here.')).toBeVisible();
    await lookAt(page, 'settings-usage', mode);
    await context.close();
  });
}
