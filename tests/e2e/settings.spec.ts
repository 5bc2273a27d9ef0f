/** The settings pages have no accessibility fault in light, dark and on a phone. */
import type { Page } from '@playwright/test';
import { apiAt, sitDown } from '../support/person.ts';
import { LOOKS, lookIn, windowOf, type Look } from './support/looks.ts';
import { lookFaults } from './support/screen-faults.ts';
import { DEMO } from './support/demo.ts';
import { expect, test } from './support/stories.ts';

async function look(page: Page, name: string, mode: Look): Promise<void> {
  expect(await lookFaults(page, mode), name).toEqual([]);
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}-${mode}.png`, fullPage: true });
}

for (const mode of LOOKS) {
  test(
    `settings in ${mode} have no accessibility fault`,
    lookIn(mode, 'light'),
    async ({ browser, server }) => {
      const options = windowOf(mode, { width: 390, height: 780 });
      // The account's settings show what the service worker can receive.
      const context = await browser.newContext({
        ...{ ...options, baseURL: server.url, serviceWorkers: 'allow' },
      });
      const demo = await apiAt(server.url)('auth.login', {
        body: DEMO,
      });
      await sitDown(context, server.url, demo.result);
      const page = await context.newPage();
      await page.goto('/demo/settings');
      await expect(page.getByRole('button', { name: 'Export workspace' })).toBeVisible();
      await look(page, 'settings', mode);
      await page.getByRole('button', { name: 'Delete this workspace' }).click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await look(page, 'settings-delete', mode);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Account' }).click();
      await expect(page.getByText('This device', { exact: true })).toBeVisible();
      await expect(page.getByRole('switch', { name: 'Single-key shortcuts' })).toBeVisible();
      await look(page, 'settings-account', mode);
      await page.getByRole('button', { name: 'Change address' }).click();
      await page.getByLabel('New e-mail address').fill('x');
      await page.getByRole('button', { name: 'Send code' }).click();
      await look(page, 'settings-account-address', mode);
      await page.getByRole('button', { name: 'Delete my account' }).click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await look(page, 'settings-account-delete', mode);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Members' }).click();
      await expect(page.getByText('demo@example.com', { exact: true })).toBeVisible();
      await look(page, 'settings-members', mode);
      await page.getByRole('link', { name: 'Usage' }).click();
      await expect(page.getByText('There are no limits here.')).toBeVisible();
      await look(page, 'settings-usage', mode);
      await context.close();
    },
  );
}
