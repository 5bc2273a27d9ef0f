/** The server dies before the browser has all of the application: what is shown stays, and the rest comes later. */
import type { Page } from '@playwright/test';
import { sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { screenFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

async function expectNoViolations(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await screenFaults(page), colorScheme).toEqual([]);
  }
}

test('a part that cannot be fetched never empties the dashboard @long', async ({ page, ownServer }) => {
  const owner = takePerson(ownServer);
  await sitDown(page.context(), ownServer.url, owner);
  await page.goto(`${ownServer.url}/${owner.slug}`);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();

  await ownServer.kill();
  const field = page.getByRole('textbox', { name: 'Save a memory' });
  await field.fill('Written while nothing could be fetched');
  await field.press('Control+Enter');
  const saved = page.getByRole('link', { name: 'Written while nothing could be fetched' });
  await expect(saved).toBeVisible();
  const notice = page.getByText(/short messages could not be loaded/i);
  await expect(notice).toBeVisible();
  await expectNoViolations(page);

  await field.fill('Half a thought');
  await page.getByRole('link', { name: 'Capsule' }).click();
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(saved).toBeVisible();
  await expect(field).toHaveValue('Half a thought');
  await page.getByRole('link', { name: 'Capsule' }).click();

  await ownServer.start();
  await expect(page.getByRole('heading', { level: 1, name: 'Capsule' })).toBeVisible();
  await expect(notice).toBeHidden();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(saved).toBeVisible();
});
