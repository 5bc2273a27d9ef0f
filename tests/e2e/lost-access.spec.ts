/** A member is removed while working offline: nothing typed is lost, nothing untrue is said, and the way leads on. */
import type { Page } from '@playwright/test';
import { joinWorkspace } from '../support/join-workspace.ts';
import { listMemories, sitDown, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import type { StoryServer } from './support/servers.ts';
import { screenFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

test.use({ serviceWorkers: 'allow' });

/** A person with a workspace, who is also a member of another person's. */
async function guestOf(server: StoryServer): Promise<{ owner: Person; guest: Person }> {
  const [owner, guest] = [takePerson(server), takePerson(server)];
  const { workspaceId } = owner;
  await joinWorkspace(server.databaseUrl, { workspaceId, userId: guest.userId, position: 'member' });
  return { owner, guest };
}

async function remove(owner: Person, guest: Person): Promise<void> {
  await owner.api('workspace_member.remove', {
    params: { workspaceId: owner.workspaceId, id: guest.userId },
  });
}

const sync = (page: Page, state: string | RegExp) =>
  page.getByRole('button', { name: typeof state === 'string' ? `Sync: ${state}` : state });
const capture = (page: Page) => page.getByRole('textbox', { name: 'Save a memory' });

async function save(page: Page, text: string): Promise<void> {
  await capture(page).fill(text);
  await capture(page).press('Control+Enter');
  await expect(page.getByRole('link', { name: text.split('\n')[0] ?? text })).toBeVisible();
}

async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect([colorScheme, ...(await screenFaults(page))]).toEqual([colorScheme]);
    const folder = process.env['SCREENSHOTS'];
    if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
  }
}

const TEXT =
  'Tide table for the north quay\n\nHigh water at 04:12, low water at 10:31. The ferry leaves at half past.';

test('what was typed offline is kept, shown and saved in another workspace', async ({
  page,
  context,
  server,
}) => {
  const { owner, guest } = await guestOf(server);
  await sitDown(context, server.url, guest);
  await page.goto(`${server.url}/${owner.slug}`);
  await expect(sync(page, 'Synced')).toBeVisible();
  await context.setOffline(true);
  await save(page, TEXT);
  await expect(sync(page, /Sync: Offline, 1 waiting/)).toBeVisible();
  await remove(owner, guest);
  await context.setOffline(false);

  const title = `You no longer have access to Notes of ${owner.name}.`;
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  const kept = page.getByRole('region', { name: '1 change not saved' });
  await expect(kept.getByText('High water at 04:12')).toBeVisible();
  expect(await page.evaluate(() => caches.has('screen-snapshots'))).toBe(false);
  await look(page, 'access-ended');
  await page.setViewportSize({ width: 390, height: 800 });
  await look(page, 'access-ended-phone');
  await page.setViewportSize({ width: 1280, height: 800 });

  // It is kept on the server too: another workspace says so, also after the page was loaded anew.
  await page.goto(`${server.url}/${guest.slug}`);
  await expect(sync(page, '1 change needs attention')).toBeVisible();
  await page.goto(`${server.url}/${owner.slug}`);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.goto(`${server.url}/${guest.slug}`);
  await sync(page, '1 change needs attention').click();
  await page.getByRole('button', { name: 'Save here' }).click();
  await page.keyboard.press('Escape');
  await expect(sync(page, 'Synced')).toBeVisible();
  const stored = async () => (await listMemories(guest)).map(({ notes }) => notes ?? '');
  await expect.poll(stored).toEqual([expect.stringContaining('High water at 04:12')]);
  expect(await listMemories(owner)).toEqual([]);
});

test('a device that never sent anything is not stuck, and no other workspace says that all is synced @long', async ({
  page,
  context,
  server,
}) => {
  const { owner, guest } = await guestOf(server);
  await sitDown(context, server.url, guest);
  await page.goto(`${server.url}/${guest.slug}`);
  await expect(sync(page, 'Synced')).toBeVisible();
  await page.goto(`${server.url}/${owner.slug}`);
  await expect(sync(page, 'Synced')).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await expect(sync(page, 'Synced')).toBeVisible();

  // The first change of this device, made in a workspace that is then left, still offline.
  await context.setOffline(true);
  await save(page, TEXT);
  await page.getByRole('button', { name: /^Workspace / }).click();
  await page.getByRole('menuitem', { name: `Notes of ${guest.name}` }).click();
  await expect(page).toHaveURL(`${server.url}/${guest.slug}`);
  await expect(sync(page, /Sync: Offline, 1 waiting/)).toBeVisible();
  // Nor after a start of the app in the other workspace.
  await page.reload();
  await expect(sync(page, /Sync: Offline, 1 waiting/)).toBeVisible();

  await remove(owner, guest);
  await context.setOffline(false);
  await expect(sync(page, '1 change needs attention')).toBeVisible();
  await sync(page, '1 change needs attention').click();
  const lines = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
  await expect(lines.filter({ hasText: 'Tide table for the north quay' })).toHaveCount(1);
  await lines.getByRole('button', { name: 'Discard' }).click();
  await page.keyboard.press('Escape');
  await expect(sync(page, 'Synced')).toBeVisible();
});

test('the texts go to another workspace from the page that says so @long', async ({
  page,
  context,
  server,
}) => {
  const { owner, guest } = await guestOf(server);
  await sitDown(context, server.url, guest);
  await page.goto(`${server.url}/${owner.slug}`);
  await expect(sync(page, 'Synced')).toBeVisible();
  await context.setOffline(true);
  await save(page, TEXT);
  await remove(owner, guest);
  await context.setOffline(false);
  await page.getByRole('button', { name: `Save to Notes of ${guest.name}` }).click();
  await expect(page.getByRole('region', { name: '1 change not saved' })).toHaveCount(0);
  const stored = async () => (await listMemories(guest)).map(({ notes }) => notes ?? '');
  await expect.poll(stored).toEqual([expect.stringContaining('High water at 04:12')]);
  await page.getByRole('link', { name: `Open Notes of ${guest.name}` }).click();
  await expect(page.getByRole('link', { name: 'Tide table for the north quay' })).toBeVisible();
});
