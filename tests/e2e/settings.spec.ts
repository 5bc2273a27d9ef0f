/**
 * The settings pages: what they change, what they refuse and to whom, and that they have no accessibility fault in
 * light, dark and on a phone.
 */
import type { Page } from '@playwright/test';
import { apiAt, joinServer, sitDown, STORY_PASSWORD } from '../support/person.ts';
import { LOOKS, LOOKS_TAG, windowOf, type Look } from './support/looks.ts';
import { lookFaults } from './support/screen-faults.ts';
import { DEMO } from './support/demo.ts';
import { expect, test } from './support/stories.ts';

test('a new address moves the workspace, old links follow, and its rules are told while typing', async ({
  page,
  server,
}) => {
  const ada = await joinServer(server.url, 'ada');
  await joinServer(server.url, 'rival');
  await sitDown(page.context(), server.url, ada);
  await page.goto(`/${ada.slug}/settings`);
  const field = page.getByLabel('Address', { exact: true }).last();
  const change = page.getByRole('button', { name: 'Change address' });
  await expect(change).toBeDisabled();
  await field.fill('Not An Address');
  await expect(change).toBeDisabled();
  await field.fill('docs');
  await expect(page.getByText('This address is reserved')).toBeVisible();
  await expect(change).toBeDisabled();
  await field.fill('rival-notes');
  await change.click();
  await expect(page.getByText('this address is taken')).toBeVisible();
  await field.fill('difference-engine');
  await change.click();
  await expect(page).toHaveURL(/\/difference-engine\/settings$/);
  await expect(page.getByText('Address changed', { exact: true })).toBeVisible();

  await page.goto(`/${ada.slug}/threads?x=1`);
  await expect(page).toHaveURL(/\/difference-engine\/threads\?x=1$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Threads' })).toBeVisible();
});

test('deleting asks for the name, leads elsewhere, and can be taken back', async ({ page, server }) => {
  const gina = await joinServer(server.url, 'gina');
  await sitDown(page.context(), server.url, gina);
  await page.goto(`/${gina.slug}/settings`);
  await page.getByRole('button', { name: 'Delete this workspace' }).click();
  const question = page.getByRole('alertdialog');
  const confirm = question.getByRole('button', { name: 'Delete workspace' });
  await expect(confirm).toBeDisabled();
  await question.getByRole('textbox').fill('notes of gina');
  await expect(confirm).toBeDisabled();
  await question.getByRole('textbox').fill('Notes of gina');
  await confirm.click();
  await expect(page).toHaveURL(/\/onboarding\/create-workspace$/);
  await page.goto(`/${gina.slug}`);
  await expect(page).toHaveURL(/\/onboarding\/create-workspace$/);
  await page.getByRole('button', { name: 'Restore Notes of gina' }).click();
  await expect(page).toHaveURL(new RegExp(`/${gina.slug}$`));
  await expect(page.getByText('Save your first memory')).toBeVisible();
});

test('sessions elsewhere end at a press', async ({ page, server }) => {
  const moira = await joinServer(server.url, 'moira');
  const { result } = await apiAt(server.url)('auth.login', {
    body: { email: moira.email, password: STORY_PASSWORD },
  });
  const elsewhere = apiAt(server.url, result.token);
  await elsewhere('auth.whoami', {});
  await sitDown(page.context(), server.url, moira);
  await page.goto(`/${moira.slug}/settings/account`);
  await expect(page.getByText('This device', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Log out everywhere else' }).click();
  await expect(page.getByText('Logged out', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Log out everywhere else' })).toBeHidden();
  await expect(elsewhere('auth.whoami', {})).rejects.toMatchObject({ status: 401 });
});

test('the questions of visitors are switched by those who may, without a network too', async ({
  page,
  server,
}) => {
  const ida = await joinServer(server.url, 'ida');
  const { api, workspaceId } = ida;
  const isOn = async () => (await api('workspace.get', { params: { workspaceId } })).result.publicChat;
  await sitDown(page.context(), server.url, ida);
  await page.goto(`/${ida.slug}/settings`);
  const control = page.getByRole('switch', { name: 'Visitors may ask your public spaces' });
  await expect(control).not.toBeChecked();
  await expect(page.getByText(/^Visitors can ask questions on the page of every public space/)).toBeVisible();
  await control.click();
  await expect(control).toBeChecked();
  await expect.poll(isOn).toBe(true);
  await page.context().setOffline(true);
  await control.click();
  await expect(control).not.toBeChecked();
  expect(await isOn()).toBe(true);
  await page.context().setOffline(false);
  await expect.poll(isOn, { timeout: 45_000 }).toBe(false);
});

async function look(page: Page, name: string, mode: Look): Promise<void> {
  expect(await lookFaults(page, mode), name).toEqual([]);
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}-${mode}.png`, fullPage: true });
}

for (const mode of LOOKS) {
  test(`settings in ${mode} have no accessibility fault`, { tag: LOOKS_TAG }, async ({ browser, server }) => {
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
    await expect(page.getByRole('switch', { name: 'Single-key shortcuts' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Export workspace' })).toBeVisible();
    await look(page, 'settings', mode);
    await page.getByRole('button', { name: 'Delete this workspace' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await look(page, 'settings-delete', mode);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Account' }).click();
    await expect(page.getByText('This device', { exact: true })).toBeVisible();
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
  });
}
