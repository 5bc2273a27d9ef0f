/**
 * Files in the app: chosen and dropped, with and without a network, and read again on the same device.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { listMemories, sitDown, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { dropOnPage } from './support/drop-files.ts';
import { axeFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';
import { isOfBusyServer } from './support/visit.ts';

test.use({ serviceWorkers: 'allow' });

const FILES = path.resolve(import.meta.dirname, '../fixtures/files');
const bytesOf = (name: string) => readFileSync(path.join(FILES, name));

const captureDialog = (page: Page) => page.getByRole('dialog', { name: 'Save a memory' });

async function openCapture(page: Page) {
  // Once: a second press would be a letter in the dialog.
  await page.locator('main').press('c');
  await expect(captureDialog(page)).toBeVisible();
  return captureDialog(page);
}

async function choose(page: Page, ...names: string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await captureDialog(page).getByRole('button', { name: 'Add files' }).click();
  await (await chooser).setFiles(names.map((name) => path.join(FILES, name)));
}

async function openApp(page: Page, url: string, person: Person): Promise<void> {
  await sitDown(page.context(), url, person);
  await page.goto(`${url}/${person.slug}`);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}

const memoryLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const filesLine = (page: Page, words: string) => page.getByRole('button', { name: `Files: ${words}` });

test('a file dropped on a list without a network waits, over a reload, and arrives once with two tabs open @long', async ({
  page,
  context,
  ownServer,
}) => {
  const mary = takePerson(ownServer);
  await openApp(page, ownServer.url, mary);
  const other = await context.newPage();
  await other.goto(`${ownServer.url}/${mary.slug}`);
  await expect(other.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await ownServer.kill();

  const dialog = captureDialog(page);
  await dropOnPage(page, [{ name: 'sun.png', type: 'image/png', bytes: bytesOf('sun.png') }]);
  await expect(dialog).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Title of sun.png' }).fill('The sun at noon');
  await dialog.getByRole('button', { name: 'Save file' }).click();
  await expect(dialog).toBeHidden();
  await expect(filesLine(page, '1 file waiting to upload')).toBeVisible();
  await expect(filesLine(other, '1 file waiting to upload')).toBeVisible();
  await page.reload();
  await filesLine(page, '1 file waiting to upload').click();
  const sheet = page.getByRole('dialog', { name: 'Files to upload' });
  await expect(sheet.getByText('The sun at noon')).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('sun.png was not uploaded yet');
  await question.getByRole('button', { name: 'Cancel' }).click();

  await ownServer.start();
  await expect(memoryLink(page, 'The sun at noon')).toBeVisible();
  await expect(memoryLink(other, 'The sun at noon')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Files: / })).toBeHidden();
  await expect(other.getByRole('button', { name: /^Files: / })).toBeHidden();
  expect((await listMemories(mary)).map(({ filename }) => filename)).toEqual(['sun.png']);
});

test('a PDF, a picture and a table are read in the app, and again without a network @long', async ({
  page,
  ownServer,
}) => {
  const joan = takePerson(ownServer);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOfBusyServer(message.text())) complaints.push(message.text());
  });
  await openApp(page, ownServer.url, joan);
  const dialog = await openCapture(page);
  await choose(page, 'lighthouse-log.pdf', 'sun.png', 'berths.csv');
  await dialog.getByRole('button', { name: 'Save 3 files' }).click();
  await expect(page.getByText('3 files saved', { exact: true })).toBeVisible();

  const viewer = page.getByRole('dialog', { name: 'Lighthouse log' });
  const readPdf = async () => {
    await memoryLink(page, 'Lighthouse log').click();
    const pages = viewer.getByRole('region', { name: 'Pages of lighthouse-log.pdf' });
    await expect(pages.getByText(/lamp of Skerry Point/)).toBeVisible();
    await expect(viewer.getByText('2 pages')).toBeVisible();
    // Not only its words: the picture has dark dots.
    const canvas = pages.getByRole('listitem', { name: 'Page 1' }).locator('canvas');
    await expect.poll(() => canvas.evaluate(hasInk)).toBe(true);
    return pages;
  };
  await readPdf();
  expect(await axeFaults(page)).toEqual([]);
  await viewer.getByRole('button', { name: 'Zoom in' }).click();
  await expect(viewer.getByRole('button', { name: 'Zoom out' })).toBeEnabled();
  await page.keyboard.press('Escape');

  const readPicture = async () => {
    await memoryLink(page, 'sun').click();
    const picture = page.getByRole('dialog', { name: 'sun' }).getByRole('img', { name: 'sun.png' });
    await expect
      .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
      .toBeGreaterThan(0);
  };
  await readPicture();
  await page.getByRole('radio', { name: 'Actual size' }).check({ force: true });
  await expect(page.getByRole('region', { name: 'sun.png in its actual size' })).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await memoryLink(page, 'berths').click();
  const table = page.getByRole('dialog', { name: 'berths' });
  await expect(table.getByRole('region', { name: 'Text' }).getByText(/Seagull/)).toBeVisible();
  const download = page.waitForEvent('download');
  await table.getByRole('button', { name: 'Download' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('berths.csv');
  expect(readFileSync(await file.path())).toEqual(bytesOf('berths.csv'));
  await page.keyboard.press('Escape');
  expect(complaints).toEqual([]);

  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await ownServer.kill();
  await page.reload();
  await readPdf();
  await page.keyboard.press('Escape');
  await readPicture();
  await page.keyboard.press('Escape');

  // Logging out leaves none of it on the device.
  await ownServer.start();
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/login/);
  const left = async () =>
    (await page.evaluate(async () => (await indexedDB.databases()).map(({ name = '' }) => name))).filter(
      (name) => name.startsWith('loci-device-'),
    );
  await expect.poll(left).toEqual([]);
});

/** Whether anything is drawn on it. */
function hasInk(canvas: SVGElement | HTMLElement): boolean {
  if (!(canvas instanceof HTMLCanvasElement)) return false;
  const dots = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  return dots.some((value, index) => index % 4 === 0 && value < 100 && (dots[index + 3] ?? 0) > 200);
}
