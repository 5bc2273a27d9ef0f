/** What a device still holds of a person whose session ended, past the application: databases, caches and storage. */
import type { Page } from '@playwright/test';
import { userKey } from '#client/replica/user-key.ts';
import { apiAt, sitDown, STORY_PASSWORD, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { expect, test } from './support/stories.ts';

test.use({ serviceWorkers: 'allow' });

/** Names of everything that carries the person's key, an id of theirs, or a word they wrote. */
function tracesOf(page: Page, { userId, workspaceId }: Person): Promise<string[]> {
  return page.evaluate(
    async (marks) => {
      const databases = (await indexedDB.databases()).map(({ name }) => name ?? '');
      const stored = [localStorage, sessionStorage].flatMap((area) =>
        Object.entries(area).map(([name, value]) => `${name}=${String(value)}`),
      );
      return [...databases, ...(await caches.keys()), ...stored].filter((text) =>
        marks.some((mark) => text.includes(mark)),
      );
    },
    [userKey(userId), userId, workspaceId],
  );
}

const synced = (page: Page) => page.getByRole('button', { name: 'Sync: Synced' });

async function logIn(page: Page, { email }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('nothing is left after a 401 in two tabs, nor for the next person', async ({
  page,
  context,
  server,
}) => {
  const [ada, bob] = [takePerson(server), takePerson(server)];
  await sitDown(context, server.url, ada);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${server.url}/${ada.slug}`);
    await expect(synced(tab)).toBeVisible();
  }
  expect((await tracesOf(page, ada)).length).toBeGreaterThan(2);
  await apiAt(server.url, ada.token)('auth.logout', {});
  // By themselves: their stream has ended, and what they ask then is refused.
  for (const tab of [page, other]) await tab.waitForURL('**/login**');
  await expect.poll(() => tracesOf(page, ada)).toEqual([]);
  await logIn(page, bob);
  await expect(page).toHaveURL(`${server.url}/${bob.slug}`);
  expect(await tracesOf(page, ada)).toEqual([]);
});

test('only what must still be sent stays, and goes after its days', async ({ page, context, server }) => {
  const ada = takePerson(server);
  await sitDown(context, server.url, ada);
  await page.goto(`${server.url}/${ada.slug}`);
  await expect(synced(page)).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('textbox', { name: 'Save a memory' }).fill('Never sent');
  await page.getByRole('textbox', { name: 'Save a memory' }).press('Control+Enter');
  await expect(page.getByRole('link', { name: 'Never sent' })).toBeVisible();
  await apiAt(server.url, ada.token)('auth.logout', {});
  await context.setOffline(false);
  await page.waitForURL('**/login**');
  await expect(page.getByText('One change made on this device waits to be sent')).toBeVisible();
  const kept = async () => (await tracesOf(page, ada)).filter((name) => !name.startsWith('loci-signed-out='));
  await expect.poll(kept).toEqual([expect.stringMatching(/^rep:.*~unsent$/)]);

  await page.clock.setFixedTime(Date.now() + 8 * 86_400_000);
  await page.reload();
  await expect.poll(() => tracesOf(page, ada)).toEqual([]);
});
