/** A visitor finds a shared space, reads, searches, reports and saves it; its owner closes it, and it is gone. */
import type { Page } from '@playwright/test';
import { sitDown, STORY_PASSWORD, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { screenFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

async function shareTidePools({ api, workspaceId }: Person): Promise<void> {
  const { result: space } = await api('space.create', {
    body: {
      workspaceId,
      name: 'Tide pools',
      slug: 'tide-pools',
      visibility: 'public',
      description: 'What lives between the tides.',
      color: 'olive',
    },
  });
  const spaceId = space.id;
  for (const title of ['Beadlet anemone', 'Limpets find home', 'Blenny', 'Shore crab moulting']) {
    const description = `${title}: seen at the north pool, low water.`;
    const notes = 'known to us alone';
    const { result } = await api('memory.create', {
      body: { workspaceId, title, description, notes, tags: ['shore', 'field notes'] },
    });
    await api('space_memory.create', { body: { workspaceId, spaceId, memoryId: result.id } });
  }
}

async function expectAccessible(page: Page): Promise<void> {
  expect(await screenFaults(page)).toEqual([]);
}

test('a visitor finds, reads, reports and copies a space until its owner closes it', async ({
  page,
  browser,
  ownServer,
}) => {
  const owner = takePerson(ownServer);
  await shareTidePools(owner);
  await page.goto(`${ownServer.url}/explore`);
  await expect(page.getByRole('link', { name: 'Tide pools' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Order' }).getByRole('link', { name: 'Newest' }).click();
  await expect(page.getByRole('heading', { name: 'Newest spaces' })).toBeAttached();
  await page.getByRole('searchbox', { name: 'Search public spaces' }).fill('tides');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Spaces about “tides”' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Tide pools' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tide pools' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Beadlet anemone' })).toBeVisible();
  await expect(page.getByText('known to us alone')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Ask this space' })).toBeVisible();
  const address = page.url();
  await page.reload();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await expectAccessible(page);
    await page.screenshot({ path: `test-results/public-space-${scheme}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
  await page.screenshot({ path: 'test-results/public-space-phone.png', fullPage: true });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });

  await page.getByRole('searchbox', { name: 'Search in Tide pools' }).fill('limpets');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Found for “limpets”' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Blenny' })).toHaveCount(0);

  await page.getByRole('link', { name: 'Report' }).click();
  const report = page.getByRole('dialog');
  await report.getByRole('combobox', { name: 'What is wrong?' }).selectOption({ label: 'Copyright' });
  await report.getByRole('textbox', { name: 'Details' }).fill('The second picture is mine');
  await page.reload();
  await page.getByRole('link', { name: 'Report' }).click();
  await expect(report.getByRole('textbox', { name: 'Details' })).toHaveValue('The second picture is mine');
  await expect(report.getByRole('combobox')).toHaveValue('copyright');
  await page.screenshot({ path: 'test-results/report.png' });
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Report sent').first()).toBeVisible();

  await page.getByRole('link', { name: 'Save to my workspace' }).click();
  await page.getByLabel('E-mail').fill('vera@example.org');
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('link', { name: 'Skip this step' }).click();
  await page.getByLabel('First name').fill('Vera');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Vera reads');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await page.getByRole('button', { name: 'Save to Vera reads' }).click();
  await page.getByRole('button', { name: 'Open' }).first().click();
  await expect(page).toHaveURL(`${ownServer.url}/vera-reads/spaces/tide-pools`);
  await expect(page.getByRole('link', { name: 'Beadlet anemone' })).toBeVisible();

  const elsewhere = await browser.newContext();
  await sitDown(elsewhere, ownServer.url, owner);
  const inside = await elsewhere.newPage();
  await inside.goto(`${ownServer.url}/${owner.slug}/spaces/tide-pools`);
  await inside.getByRole('button', { name: 'Share' }).first().click();
  const dialog = inside.getByRole('dialog', { name: 'Share “Tide pools”' });
  await expect(dialog.getByRole('textbox', { name: 'Link' })).toHaveValue(address.replace(/\?.*/, ''));
  await dialog.getByRole('button', { name: 'QR code' }).click();
  await expect(dialog.getByRole('img', { name: /QR code of/ })).toBeVisible();
  await inside.screenshot({ path: 'test-results/share-dialog.png' });
  await dialog.getByRole('radio', { name: /^Only me/ }).click({ force: true });
  await expect(dialog.getByRole('button', { name: 'Copy link' })).toHaveCount(0);
  await expect.poll(async () => (await page.goto(address))?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Beadlet anemone' })).toHaveCount(0);
  await elsewhere.close();
});
