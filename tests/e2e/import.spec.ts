/**
 * Bringing a collection in through the dialog: started without a network, over reloads and a killed server, and
 * looked at in light, dark and on a phone.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { zipOf, type ZipEntry } from '../support/zip.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { lookAt, screenFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

const NOTES: readonly ZipEntry[] = [
  { path: 'kitchen/bread.md', bytes: '# Sourdough\n\nWater, flour, patience.' },
  { path: 'kitchen/soup.md', bytes: '---\ntitle: Leek soup\ntags: [winter]\n---\n\nLeeks first.' },
  { path: 'travel/oslo.md', bytes: '# Oslo\n\nThe ferry leaves at nine.' },
];
const WITH_FAULTS: readonly ZipEntry[] = [
  ...NOTES,
  { path: 'travel/photo.jpg', bytes: Buffer.from([255, 216, 255]) },
  { path: 'travel/bad-date.md', bytes: '---\ndate: someday\n---\n\n# Lost days\n\nNobody knows when.' },
];

async function chooseZip(page: Page, entries: readonly ZipEntry[], name = 'notes.zip'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Import notes' });
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByLabel('Choose files, or drop files and folders here').click();
  await (await chooser).setFiles({ name, mimeType: 'application/zip', buffer: await zipOf(entries) });
  await expect(dialog.locator('label', { hasText: name })).toBeVisible();
}

const openDialog = async (page: Page) => {
  await page.getByRole('button', { name: 'Import notes and bookmarks' }).click();
  return page.getByRole('dialog', { name: 'Import notes' });
};

test('a folder is imported as it is chosen @long', async ({ page, server }, info) => {
  const vault = info.outputPath('vault');
  for (const { path: place, bytes } of NOTES) {
    mkdirSync(path.dirname(path.join(vault, place)), { recursive: true });
    writeFileSync(path.join(vault, place), bytes);
  }
  const ada = takePerson(server);
  await sitDown(page.context(), server.url, ada);
  await page.goto(`/${ada.slug}`);
  const dialog = await openDialog(page);
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a folder' }).click();
  await (await chooser).setFiles(vault);
  await expect(dialog.locator('label', { hasText: 'vault.zip' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('link', { name: 'Leek soup' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Oslo' })).toBeVisible();
});

test('an archive that was changed after it was chosen is refused, not sent for ever @long', async ({
  page,
  server,
}, info) => {
  const file = info.outputPath('notes.zip');
  writeFileSync(file, await zipOf(NOTES));
  const ada = takePerson(server);
  await sitDown(page.context(), server.url, ada);
  await page.goto(`/${ada.slug}`);
  const dialog = await openDialog(page);
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByLabel('Choose files, or drop files and folders here').click();
  await (await chooser).setFiles(file);
  await expect(dialog.locator('label', { hasText: 'notes.zip' })).toBeVisible();
  writeFileSync(file, await zipOf([...NOTES, ...NOTES]));
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog.getByText('This device could not read it. Choose it again.')).toBeVisible();
  expect(await screenFaults(page)).toEqual([]);
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('an import begun offline waits, survives a reload and a killed server, and then runs @long', async ({
    page,
    ownServer,
  }) => {
    const ada = takePerson(ownServer);
    await sitDown(page.context(), ownServer.url, ada);
    await page.goto(`${ownServer.url}/${ada.slug}`);
    await expect(page.getByText('Save your first memory')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

    await ownServer.kill();
    let dialog = await openDialog(page);
    await chooseZip(page, NOTES);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(dialog.getByRole('status').filter({ hasText: 'Saved on this device' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Continue in the background' }).click();

    // Nothing is blocked: a note can be written while the archive waits.
    const field = page.getByRole('textbox', { name: 'Save a memory' });
    await field.fill('# Written meanwhile');
    await field.press('Control+Enter');
    await expect(page.getByRole('link', { name: 'Written meanwhile' })).toBeVisible();

    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('notes.zip was not imported yet');
    await question.getByRole('button', { name: 'Cancel' }).click();

    await page.reload();
    await expect(page.getByRole('button', { name: 'Import: Import waiting for a connection' })).toBeVisible();
    await page.getByRole('button', { name: 'Import: Import waiting for a connection' }).click();
    dialog = page.getByRole('dialog', { name: 'Import notes' });
    await expect(dialog.getByText('notes.zip')).toBeVisible();
    await page.keyboard.press('Escape');

    await ownServer.start();
    await expect(page.getByText('Import finished: 3 new memories', { exact: true })).toBeVisible();
    for (const name of ['Sourdough', 'Leek soup', 'Oslo']) {
      await expect(page.getByRole('link', { name })).toBeVisible();
    }
    await expect(page.getByRole('button', { name: /^Import: / })).toBeHidden();
  });
});

for (const mode of LOOKS) {
  test(`the import in ${mode} has no accessibility fault`, LONG_LOOK, async ({ browser, server }) => {
    const options = windowOf(mode, { width: 390, height: 780 });
    const person = takePerson(server);
    const context = await browser.newContext({ ...options, baseURL: server.url });
    await sitDown(context, server.url, person);
    const page = await context.newPage();
    await page.goto(`/${person.slug}`);
    const dialog = await openDialog(page);
    await lookAt(page, 'import-choose', mode);
    await page.context().setOffline(true);
    await chooseZip(page, WITH_FAULTS);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(dialog.getByRole('status').filter({ hasText: 'Saved on this device' })).toBeVisible();
    await lookAt(page, 'import-waiting', mode);
    await dialog.getByRole('button', { name: 'Continue in the background' }).click();
    await expect(dialog).toBeHidden();
    await lookAt(page, 'import-background', mode);
    await page.getByRole('button', { name: /Import waiting for a connection/ }).click();
    await page.context().setOffline(false);
    await expect(dialog.getByRole('status').filter({ hasText: '4 new' })).toBeVisible();
    await lookAt(page, 'import-finished', mode);
    await dialog.getByRole('button', { name: 'Import another' }).click();
    const region = dialog.getByRole('region', { name: 'Earlier imports' });
    const earlier = region.getByRole('button', { name: /^notes\.zip/ });
    await expect(earlier).toHaveText(/4 new/);
    await lookAt(page, 'import-history', mode);
    await earlier.click();
    await expect(dialog.getByRole('list', { name: 'Files' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Undo import' }).click();
    const question = page.getByRole('alertdialog', { name: 'Undo the import of notes.zip?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await lookAt(page, 'import-undo', mode);
    await question.getByRole('button', { name: 'Undo import' }).click();
    await expect(question).toBeHidden();
    await expect(dialog.getByRole('status')).toHaveText('Undone: 4 deleted.');
    await lookAt(page, 'import-undone', mode);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    // The server's own notification of the same import, come by sync.
    await page.keyboard.press('n');
    const notifications = page.getByRole('dialog', { name: 'Notifications' });
    await expect(notifications.getByText(/Import undone$/)).toBeVisible();
    await lookAt(page, 'import-notification', mode);
    await context.close();
  });
}
