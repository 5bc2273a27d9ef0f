/** The main job: sign up, create a workspace, save, edit, go offline, reload, come back, and see it all elsewhere. */
import { expect, test } from './support/stories.ts';

test.use({ serviceWorkers: 'allow' });

test('what is saved and edited offline reaches a second device', async ({ page, browser, ownServer }) => {
  await page.goto(`${ownServer.url}/signup`);
  await page.getByLabel('E-mail').fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill('a long enough sentence');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('link', { name: 'Skip this step' }).click();

  await page.getByLabel('First name').fill('Ada');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Difference Engine');
  await expect(page.getByLabel('Address')).toHaveValue('difference-engine');
  await page.getByRole('radio', { name: 'Nothing' }).click();
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page).toHaveURL(`${ownServer.url}/difference-engine`);
  const steps = page.getByRole('button', { name: /^First steps/ });
  await expect(steps.getByText('0 of 5 done')).toBeVisible();

  const field = page.getByRole('textbox', { name: 'Save a memory' });
  await field.fill('# Bernoulli numbers\n\nNote G computes them.');
  await field.press('Control+Enter');
  await expect(page.getByRole('link', { name: 'Bernoulli numbers' })).toBeVisible();
  await expect(steps.getByText('1 of 5 done')).toBeVisible();
  await field.fill('https://example.com/engine');
  await field.press('Control+Enter');
  await expect(page.getByRole('link', { name: 'example.com/engine' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

  await ownServer.kill();
  await page.getByRole('link', { name: 'Bernoulli numbers' }).click();
  const viewer = page.getByRole('dialog', { name: 'Bernoulli numbers' });
  await viewer.getByRole('radio', { name: 'Write' }).click();
  await viewer.getByRole('textbox', { name: 'Notes in Markdown' }).fill('Note G computes them **offline**.');
  await viewer.getByRole('textbox', { name: 'Title' }).fill('Bernoulli, revisited');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'Bernoulli, revisited' })).toBeFocused();
  await field.fill('A thought without a network');
  await field.press('Control+Enter');
  await expect(page.getByRole('link', { name: 'A thought without a network' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Sync: Offline, \d waiting/ })).toBeVisible();
  await steps.click();
  await page.getByRole('button', { name: 'Hide the first steps' }).click();
  await expect(steps).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();

  await page.reload();
  await expect(page.getByRole('link', { name: 'Bernoulli, revisited' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'A thought without a network' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'example.com/engine' })).toBeVisible();
  await expect(steps).toHaveCount(0);

  await ownServer.start();
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  // What was closed without a network is then closed for the person, not for this device.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('loci-checklist-closed'))).toBeNull();

  const elsewhere = await browser.newContext();
  const second = await elsewhere.newPage();
  await second.goto(`${ownServer.url}/difference-engine`);
  await expect(second).toHaveURL(`${ownServer.url}/login?redirect=%2Fdifference-engine`);
  await second.getByLabel('E-mail').fill('ada@example.org');
  await second.getByLabel('Password', { exact: true }).fill('a long enough sentence');
  await second.getByRole('button', { name: 'Log in' }).click();
  await second.getByRole('link', { name: 'Bernoulli, revisited' }).click();
  await expect(second.getByRole('dialog').getByText('Note G computes them offline.')).toBeVisible();
  await second.keyboard.press('Escape');
  await expect(second.getByRole('button', { name: /^First steps/ })).toHaveCount(0);
  await expect(second.getByRole('link', { name: 'A thought without a network' })).toBeVisible();

  await second.getByRole('textbox', { name: 'Save a memory' }).fill('Seen by both');
  await second.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Seen by both' })).toBeVisible();
  await elsewhere.close();
});
