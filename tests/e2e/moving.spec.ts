/** A memory gets another home: by keyboard alone, without a network, and the space lists it here and on the server. */
import { newId } from '#shared/ids.ts';
import { joinServer, sitDown } from '../support/person.ts';
import { screenFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

test('a memory moves into a private space offline, which lists it, and comes back by undo', async ({
  context,
  page,
  server,
}, { workerIndex, repeatEachIndex }) => {
  test.setTimeout(240_000);
  const mover = await joinServer(server.url, `mover-${workerIndex}-${repeatEachIndex}`);
  const { api, workspaceId, slug } = mover;
  const [diary, id] = [newId('space'), newId('memory')];
  await api('space.create', {
    body: { id: diary, workspaceId, name: 'Diary', slug: 'diary', visibility: 'private' },
  });
  await api('memory.create', { body: { id, workspaceId, title: 'Ripe pears', notes: 'In September.' } });
  await sitDown(context, server.url, mover);
  await page.goto(`/${slug}`);
  const item = page.getByRole('link', { name: 'Ripe pears' });
  await expect(item).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible({ timeout: 30_000 });
  // From then on every page of the application opens without a network.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);

  await page.keyboard.press('j');
  await expect(item).toBeFocused();
  await page.keyboard.press('Shift+M');
  await expect(page.getByRole('combobox', { name: 'Spaces' })).toBeFocused();
  await page.keyboard.type('dia');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Move to Diary?' });
  await expect(question.getByText('Afterwards only you can see it.')).toBeVisible();
  expect(await screenFaults(page)).toEqual([]);
  await question.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.getByText('Memory moved to Diary', { exact: true })).toBeVisible();
  await expect(question).toHaveCount(0);
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Diary' }).click();
  await expect(page.getByRole('list', { name: 'Memories in Diary' })).toContainText('Ripe pears');

  await context.setOffline(false);
  const home = async () => (await api('memory.get', { params: { workspaceId, id } })).result.spaceId;
  await expect.poll(home, { timeout: 60_000 }).toBe(diary);
  await page.reload();
  await expect(page.getByRole('list', { name: 'Memories in Diary' })).toContainText('Ripe pears');

  // Out again, through the menu of the row; the list is empty, and undo fills it.
  await page.getByRole('link', { name: 'Ripe pears' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Move to/ }).click();
  await page.getByRole('option', { name: /^No space/ }).click();
  const opening = page.getByRole('dialog', { name: 'Move to no space?' });
  await expect(opening.getByText('Afterwards everyone in this workspace can see it.')).toBeVisible();
  await opening.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.getByText('Nothing in this space yet')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('list', { name: 'Memories in Diary' })).toContainText('Ripe pears');
  await expect.poll(home, { timeout: 60_000 }).toBe(diary);
});
