/** More memories than one mutation takes, deleted at once and brought back by one undo, with and without a network. */
import { listMemories, sitDown, uploadArchive } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { zipOf } from '../support/zip.ts';
import { expect, test } from './support/stories.ts';

const COUNT = 1_200;

test('all of a large collection are deleted at once, come back by one undo that outlives its tab, and wait offline @long', async ({
  context,
  page: first,
  server,
}) => {
  let page = first;
  const owner = takePerson(server);
  const entries = Array.from({ length: COUNT }, (_, n) => ({ path: `note-${n}.md`, bytes: `Note ${n}` }));
  await uploadArchive(server.url, owner, await zipOf(entries));
  const countOnServer = async () => (await listMemories(owner)).length;
  await sitDown(context, server.url, owner);
  await page.goto(`/${owner.slug}`);
  const list = () => page.getByRole('list', { name: 'Home' });
  const bar = () => page.getByRole('toolbar', { name: 'Selected memories' });
  const selectAll = async () => {
    await list().getByRole('link').first().focus();
    await page.keyboard.press('x');
    await bar()
      .getByRole('button', { name: `Select all ${COUNT}` })
      .click();
    await expect(bar().getByText(`${COUNT} selected`)).toBeVisible();
  };
  await expect(list().getByRole('link').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();

  await selectAll();
  await bar().getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(`${COUNT} memories deleted`, { exact: true })).toBeVisible();
  await expect(list()).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await expect.poll(countOnServer).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(list().getByRole('link').first()).toBeVisible();
  await page.close();
  page = await context.newPage();
  await page.goto(`/${owner.slug}`);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await expect.poll(countOnServer).toBe(COUNT);

  await context.setOffline(true);
  await selectAll();
  await bar().getByRole('button', { name: 'Delete' }).click();
  await expect(list()).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Sync: Offline, 5 waiting' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await expect.poll(countOnServer).toBe(0);
});
