/** What a person types is there after a reload, a lost session and a second person. */
import type { Page } from '@playwright/test';
import { newId } from '#shared/ids.ts';
import { apiAt, sitDown, STORY_PASSWORD, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { lookAt } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

async function look(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await lookAt(page, name, 'light');
}

const capture = (page: Page) => page.getByRole('textbox', { name: 'Save a memory' });
const memory = (page: Page, name: string) => page.getByRole('link', { name });

async function logIn(page: Page, { email }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('half a thought survives a reload in every field', async ({ page, server, context }) => {
  const ada = takePerson(server);
  const id = newId('memory');
  await ada.api('memory.create', {
    body: { workspaceId: ada.workspaceId, id, title: 'Kept', notes: 'As it was', origin: 'manual_entry' },
  });
  await sitDown(context, server.url, ada);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${server.url}/${ada.slug}`);
  await capture(page).fill('Half a thought');
  await page.reload();
  await expect(capture(page)).toHaveValue('Half a thought');

  await memory(page, 'Kept').click();
  const viewer = page.getByRole('dialog', { name: 'Kept' });
  await viewer.getByRole('radio', { name: 'Write' }).click();
  await viewer.getByRole('textbox', { name: 'Notes in Markdown' }).fill('As it was, and half a sentence');
  await page.reload();
  await expect(page.getByRole('dialog').getByText('As it was, and half a sentence')).toBeVisible();

  await page.goto(`${server.url}/${ada.slug}/threads/new`);
  const message = page.getByRole('textbox', { name: 'First message' });
  await message.fill('Half a question');
  await page.reload();
  await expect(message).toHaveValue('Half a question');

  // The thread opens with its field ready: the next letters are no shortcuts.
  await message.press('Enter');
  const field = page.getByRole('textbox', { name: 'Message in Half a question' });
  await expect(field).toBeFocused();
  await page.keyboard.type('Choose well');
  await expect(field).toHaveValue('Choose well');
});

test('half a name survives a reload in the forms of a new account @long', async ({
  page,
  server,
  context,
}) => {
  const email = `new${newId('user').slice(-6)}@example.org`;
  const { result } = await apiAt(server.url)('auth.signup', { body: { email, password: STORY_PASSWORD } });
  await sitDown(context, server.url, result);
  await page.goto(`${server.url}/onboarding/profile`);
  await page.getByLabel('First name').fill('Augusta');
  await page.getByLabel('Last name').fill('Ada');
  await page.reload();
  await expect(page.getByLabel('First name')).toHaveValue('Augusta');
  await expect(page.getByLabel('Last name')).toHaveValue('Ada');
  await page.getByRole('button', { name: 'Continue' }).click();

  // The address of the next page comes before the page.
  await expect(page.getByRole('heading', { name: 'Create a workspace' })).toBeVisible();
  const [name, address] = [page.getByLabel('Name'), page.getByLabel('Address')];
  await name.fill('Analytical notes');
  await expect(address).toHaveValue('analytical-notes');
  await page.reload();
  await expect(name).toHaveValue('Analytical notes');
  await expect(address).toHaveValue('analytical-notes');
  // The address still follows the name, until the person changes it.
  await name.fill('Engine');
  await expect(address).toHaveValue('engine');
  await address.fill(`engine-${email.split('@')[0]}`);
  await page.reload();
  await expect(address).toHaveValue(/^engine-new/);
  await name.fill('Engines');
  await expect(address).toHaveValue(/^engine-new/);
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(capture(page)).toBeVisible();
});

test('a session that ends keeps what was typed and not sent, and says so to others', async ({
  page,
  server,
  context,
}) => {
  const ada = takePerson(server);
  const bob = takePerson(server);
  await sitDown(context, server.url, ada);
  await page.goto(`${server.url}/${ada.slug}`);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();

  await context.setOffline(true);
  await expect(page.getByRole('button', { name: 'Sync: Offline' })).toBeVisible();
  await capture(page).fill('Written without a network');
  await capture(page).press('Control+Enter');
  await expect(memory(page, 'Written without a network')).toBeVisible();
  await capture(page).fill('Half a thought');
  await expect(page.getByRole('button', { name: /Sync: Offline, 1 waiting/ })).toBeVisible();
  await apiAt(server.url, ada.token)('auth.logout', {});
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/login\?clear=true/);
  await expect(page.getByText('One change made on this device waits to be sent')).toBeVisible();
  await look(page, 'login-unsent');

  // As the log-in is reached when the page of a session that has ended is reloaded.
  await page.goto(`${server.url}/login?redirect=${encodeURIComponent(`/${ada.slug}`)}`);
  await logIn(page, bob);
  await expect(
    page.getByRole('heading', { name: 'Another account has unsent changes on this device' }),
  ).toBeVisible();
  await look(page, 'login-choice');
  await page.setViewportSize({ width: 390, height: 800 });
  await look(page, 'login-choice-phone');
  await page.getByRole('button', { name: 'Remove…' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await look(page, 'login-remove');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Keep and continue' }).click();
  await expect(page).toHaveURL(`${server.url}/${bob.slug}`);
  await expect(page.getByText('You do not have access to that page', { exact: true })).toBeVisible();
  await expect(capture(page)).toHaveValue('');
  await expect(memory(page, 'Written without a network')).toHaveCount(0);

  await apiAt(server.url, (await sessionOf(page)) ?? '')('auth.logout', {});
  await page.reload();
  await expect(page).toHaveURL(/\/login/);
  await logIn(page, ada);
  await expect(memory(page, 'Written without a network')).toBeVisible();
  await page.goto(`${server.url}/${ada.slug}`);
  await expect(capture(page)).toHaveValue('Half a thought');
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
});

async function sessionOf(page: Page): Promise<string | undefined> {
  return (await page.context().cookies()).find(({ name }) => name === 'auth_session')?.value;
}

test('the second person may remove what the first left @long', async ({ page, server, context }) => {
  const ada = takePerson(server);
  const bob = takePerson(server);
  await sitDown(context, server.url, ada);
  await page.goto(`${server.url}/${ada.slug}`);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await context.setOffline(true);
  await capture(page).fill('Never sent');
  await capture(page).press('Control+Enter');
  await expect(memory(page, 'Never sent')).toBeVisible();
  await expect(page.getByRole('button', { name: /Sync: Offline, 1 waiting/ })).toBeVisible();
  await apiAt(server.url, ada.token)('auth.logout', {});
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/login\?clear=true/);
  await logIn(page, bob);
  await page.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page).toHaveURL(`${server.url}/${bob.slug}`);
  const left = () =>
    page.evaluate(async (workspaceId) => {
      const names = (await indexedDB.databases()).map(({ name }) => name ?? '');
      return names.filter((name) => name.includes(workspaceId));
    }, ada.workspaceId);
  await expect.poll(left).toEqual([]);
});
