/** The page of API keys: making one, its secret that is shown once, using it and revoking it. */
import { apiAt, sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { lookAt } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

test('a key is made, copied once, used and revoked @long', async ({ page, context, server }) => {
  const anna = takePerson(server);
  await sitDown(context, server.url, anna);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/${anna.slug}/settings`);
  await page.getByRole('link', { name: 'API keys' }).click();
  await expect(page.getByText('No API keys')).toBeVisible();
  await page.getByRole('link', { name: 'New API key' }).click();
  await expect(page).toHaveURL(new RegExp(`/${anna.slug}/settings/api-keys/new$`));
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog.getByText('Required')).toBeVisible();
  await dialog.getByLabel('Name', { exact: true }).fill('Backup script');
  await dialog.getByRole('radio', { name: 'Chosen scopes' }).check();
  await expect(dialog.getByText('Choose at least one scope')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Read your memories' }).check();
  await dialog.getByLabel('Expires').selectOption('30 days');
  await dialog.getByRole('button', { name: 'Create key' }).click();

  const made = page.getByRole('dialog', { name: 'Your new API key' });
  const secret = await made.getByLabel('API key').inputValue();
  expect(secret).toMatch(/^sk_[a-z0-9]{64}$/);
  await made.getByRole('button', { name: 'Copy key' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await page.mouse.click(5, 5);
  await expect(made, 'a press beside it loses nothing').toBeVisible();
  await made.getByRole('button', { name: 'Done' }).click();
  await expect(page).toHaveURL(new RegExp(`/${anna.slug}/settings/api-keys$`));
  await expect(page.getByText(`sk_…${secret.slice(-4)}`)).toBeVisible();
  await expect(page.getByText(/^Never used · expires on/)).toBeVisible();
  await expect.poll(() => page.content()).not.toContain(secret);

  const key = apiAt(server.url, secret);
  const params = { workspaceId: anna.workspaceId };
  expect((await key('memory.list', { params })).status).toBe(200);
  await expect(key('space.list', { params })).rejects.toMatchObject({ status: 403 });
  await page.reload();
  await expect(page.getByText(/^Last used now/)).toBeVisible();
  await page.getByRole('button', { name: 'Revoke Backup script' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('API key revoked', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('No API keys')).toBeVisible();
  await expect(key('memory.list', { params })).rejects.toMatchObject({ status: 401 });
});

for (const mode of LOOKS) {
  test(`API keys in ${mode} have no accessibility fault`, LONG_LOOK, async ({ browser, server }) => {
    const options = windowOf(mode, { width: 390, height: 780 });
    const context = await browser.newContext({ ...options, baseURL: server.url });
    const anna = takePerson(server);
    for (const name of ['Garden', 'Reading list'])
      await anna.api('space.create', { body: { workspaceId: anna.workspaceId, name } });
    await sitDown(context, server.url, anna);
    const page = await context.newPage();
    await page.goto(`/${anna.slug}/settings/api-keys/new`);
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.getByLabel('Name', { exact: true }).fill(`Backup of ${mode}`);
    await lookAt(page, 'api-keys-new', mode);
    await dialog.getByRole('radio', { name: 'Chosen scopes' }).check();
    await lookAt(page, 'api-keys-scopes', mode);
    await dialog.getByRole('radio', { name: 'Chosen spaces' }).check();
    await dialog.getByRole('radio', { name: 'Read and write' }).check();
    await dialog.getByRole('checkbox', { name: 'Garden' }).check();
    await dialog.getByRole('checkbox', { name: 'Reading list' }).check();
    await lookAt(page, 'api-keys-spaces', mode);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const made = page.getByRole('dialog', { name: 'Your new API key' });
    await expect(made.getByLabel('API key')).toBeVisible();
    await lookAt(page, 'api-keys-secret', mode);
    await made.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText(`Backup of ${mode}`)).toBeVisible();
    await lookAt(page, 'api-keys', mode);
    await page.getByRole('button', { name: `Revoke Backup of ${mode}` }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await lookAt(page, 'api-keys-revoke', mode);
    await context.close();
  });
}
