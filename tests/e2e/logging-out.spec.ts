/** Logging out with something that only this device has: it is said before, can be taken along, and stays after Cancel or a lost session. */
import type { Page } from '@playwright/test';
import { apiAt, listMemories, sitDown, STORY_PASSWORD, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { lookAt } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

const capture = (page: Page) => page.getByRole('textbox', { name: 'Save a memory' });
const synced = (page: Page) => page.getByRole('button', { name: 'Sync: Synced' });
const attention = (page: Page) => page.getByRole('button', { name: /^Sync: .*needs? attention$/ });

async function askToLogOut(page: Page) {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  return page.getByRole('alertdialog');
}

async function look(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await lookAt(page, name, 'light');
}

async function textOfDownload(page: Page, press: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** The server forgets the device while a change waits: the change can no longer be sent by itself. */
async function setAside(page: Page, { workspaceId }: Person, text: string): Promise<void> {
  await page.route(`**/v1/sync/${workspaceId}/push`, (route) =>
    route.fulfill({ json: { error: 'ClientStateNotFound' } }),
  );
  await capture(page).fill(text);
  await capture(page).press('Control+Enter');
  await expect(attention(page)).toBeVisible();
  await page.unroute(`**/v1/sync/${workspaceId}/push`);
}

test('text in a field is asked about, offered as a file, kept by Cancel and deleted by consent', async ({
  page,
  server,
  context,
}) => {
  const ada = takePerson(server);
  await sitDown(context, server.url, ada);
  await page.goto(`${server.url}/${ada.slug}`);
  await expect(synced(page)).toBeVisible();
  await capture(page).fill('Half a thought');
  const question = await askToLogOut(page);
  await expect(question).toContainText('Log out and lose unsaved text?');
  await expect(question).toContainText('Text that you typed is not saved yet. Logging out deletes it.');
  await look(page, 'logout-text');
  await page.setViewportSize({ width: 390, height: 800 });
  await look(page, 'logout-text-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  const copy = await textOfDownload(page, () =>
    question.getByRole('button', { name: 'Download a copy' }).click(),
  );
  expect(JSON.parse(copy)).toEqual([{ text: 'Half a thought' }]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expect(capture(page)).toHaveValue('Half a thought');

  await (await askToLogOut(page)).getByRole('button', { name: 'Log out and discard' }).click();
  await page.waitForURL('**/login?clear=true');
  const left = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  await expect.poll(left).toEqual([]);
});

test('a change that was set aside is asked about, outlives a 401, and is there for the same person alone', async ({
  page,
  server,
  context,
}) => {
  const [ada, bob] = [takePerson(server), takePerson(server)];
  await sitDown(context, server.url, ada);
  await page.goto(`${server.url}/${ada.slug}`);
  await expect(synced(page)).toBeVisible();
  await setAside(page, ada, 'Set aside');
  const question = await askToLogOut(page);
  await expect(question).toContainText('One change has not reached the server');
  const copy = await textOfDownload(page, () =>
    question.getByRole('button', { name: 'Download a copy' }).click(),
  );
  expect(copy).toContain('Set aside');
  await question.getByRole('button', { name: 'Cancel' }).click();

  await apiAt(server.url, ada.token)('auth.logout', {});
  // By itself: its stream has ended, and what it asks then is refused.
  await page.waitForURL('**/login**');
  await expect(page.getByText('One change made on this device waits to be sent')).toBeVisible();
  const logIn = async ({ email }: Person) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
  };
  await logIn(bob);
  await page.getByRole('button', { name: 'Keep and continue' }).click();
  await expect(synced(page)).toBeVisible();
  await expect(attention(page)).toHaveCount(0);
  await (await askToLogOut(page)).page().waitForURL('**/login?clear=true');

  await logIn(ada);
  await attention(page).click();
  const lines = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
  await lines.filter({ hasText: 'Set aside' }).getByRole('button', { name: 'Try again' }).click();
  const again = await apiAt(server.url)('auth.login', {
    body: { email: ada.email, password: STORY_PASSWORD },
  });
  const present = { ...ada, api: apiAt(server.url, again.result.token) };
  const kept = async () => (await listMemories(present)).map(({ title, notes }) => title ?? notes);
  await expect.poll(kept).toEqual(['Set aside']);
});
