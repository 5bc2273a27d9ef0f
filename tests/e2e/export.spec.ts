/**
 * A workspace leaves through the settings as one file, and comes in elsewhere through the import dialog.
 */
import { readFile } from 'node:fs/promises';
import { newId } from '#shared/ids.ts';
import { sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { entriesOf } from '../support/workspace-export.ts';
import { expect, test } from './support/stories.ts';

test('a workspace is exported, downloaded and imported into another one @long', async ({ page, server }) => {
  const petra = takePerson(server);
  const { api, workspaceId } = petra;
  const { result: space } = await api('space.create', {
    body: { id: newId('space'), workspaceId, name: 'Harbour', color: 'iris' },
  });
  await api('memory.create', {
    body: { workspaceId, spaceId: space.id, title: 'Pilots', notes: 'They come at nine.', tags: ['sea'] },
  });
  const other = (await api('workspace.create', { body: { name: 'Elsewhere' } })).result;
  await sitDown(page.context(), server.url, petra);
  await page.goto(`/${petra.slug}/settings`);
  await page.getByRole('button', { name: 'Export workspace' }).click();
  const save = page.getByRole('button', { name: /^Download .*\.zip$/ });
  await expect(save).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const archive = await readFile(await file.path());
  const entries = await entriesOf(archive);
  expect(entries.get('Harbour/Pilots.md')).toContain('They come at nine.');
  await expect(page).toHaveURL(new RegExp(`/${petra.slug}/settings$`));

  await page.goto(`/${other.slug}/settings`);
  await page.getByRole('button', { name: 'Import notes and bookmarks' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: file.suggestedFilename(), mimeType: 'application/zip', buffer: archive });
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByText(/2 new/)).toBeVisible();
  const here = { workspaceId: other.id };
  expect((await api('space.list', { params: here })).result).toMatchObject([
    { name: 'Harbour', color: 'iris' },
  ]);
  expect((await api('memory.list', { params: here })).result).toMatchObject([
    { title: 'Pilots', notes: 'They come at nine.', tags: ['sea'], origin: 'manual_entry' },
  ]);
});
