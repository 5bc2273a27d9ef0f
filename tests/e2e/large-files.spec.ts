/** A large file goes on where the network broke off. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { listMemories, sitDown, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { zipOf } from '../support/zip.ts';
import { axeFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

test.use({ serviceWorkers: 'allow' });

const MB = 1024 * 1024;

async function openApp(page: Page, url: string, person: Person): Promise<void> {
  await sitDown(page.context(), url, person);
  await page.goto(`${url}/${person.slug}`);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}

async function save(page: Page, ...files: string[]): Promise<void> {
  await page.locator('main').press('c');
  const dialog = page.getByRole('dialog', { name: 'Save a memory' });
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Add files' }).click();
  await (await chooser).setFiles(files);
  await dialog.getByRole('button', { name: /^Save (?:file|\d files)$/ }).click();
  await expect(dialog).toBeHidden();
}

const memoryLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

test('a large file goes on where the network broke off, also after a reload @long', async ({
  page,
  context,
  server,
}) => {
  const lena = takePerson(server);
  await openApp(page, server.url, lena);
  const file = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), randomBytes(8 * MB - 12)]);
  const name = test.info().outputPath('waves.wav');
  writeFileSync(name, file);

  /** Where parts began that were sent, and which of them the server has confirmed. */
  const sent: number[] = [];
  const confirmed: number[] = [];
  context.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(Number(request.headers()['upload-offset']));
  });
  context.on('response', (response) => {
    const request = response.request();
    if (request.method() !== 'PATCH' || response.status() !== 204) return;
    confirmed.push(Number(request.headers()['upload-offset']));
  });
  // The network breaks off under the fourth part, however fast the parts go.
  await context.route('**/v1/uploads/**', async (route) => {
    if (Number(route.request().headers()['upload-offset'] ?? 0) < 3 * MB) return route.continue();
    await context.setOffline(true);
    await route.abort('internetdisconnected');
  });
  await save(page, name);
  const line = page.getByRole('button', { name: /^Files: 1 file waiting/ });
  await expect(line).toBeVisible();

  // What the server has is known and said, also by the next page.
  const sheet = page.getByRole('dialog', { name: 'Files to upload' });
  await line.click();
  await expect(sheet.getByText('Waiting for a connection, 37% sent')).toBeVisible();
  expect(confirmed).toEqual([0, MB, 2 * MB]);
  await expect(sheet.getByRole('progressbar', { name: 'Upload of waves.wav' })).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath('waiting.png') });
  await page.keyboard.press('Escape');
  await page.reload();
  await line.click();
  await expect(sheet.getByText('Waiting for a connection, 37% sent')).toBeVisible();
  await page.keyboard.press('Escape');

  const before = sent.length;
  await context.unroute('**/v1/uploads/**');
  await context.setOffline(false);
  await expect(memoryLink(page, 'waves')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Files: / })).toBeHidden();
  // No part that had arrived went again.
  expect(sent.slice(before)).toEqual([3 * MB, 4 * MB, 5 * MB, 6 * MB, 7 * MB]);
  expect(confirmed).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((part) => part * MB));

  const [memory] = await listMemories(lena);
  if (!memory) throw new Error('The file was not saved');
  const params = { workspaceId: lena.workspaceId, id: memory.id };
  const { result } = await lena.api('memory.file', { params });
  const answer = await fetch(`${server.url}${new URL(result.url).pathname}`);
  expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true);
});

test('a large archive goes on where the network broke off, also after a reload @long', async ({
  page,
  context,
  server,
}) => {
  const noor = takePerson(server);
  await openApp(page, server.url, noor);
  const archive = await zipOf([
    { path: 'Tides.md', bytes: '# Tides\n\n![sound](waves.wav)' },
    { path: 'waves.wav', bytes: Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), randomBytes(8 * MB)]) },
  ]);
  const name = test.info().outputPath('notes.zip');
  writeFileSync(name, archive);
  const sent: number[] = [];
  context.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(Number(request.headers()['upload-offset']));
  });
  await context.route('**/v1/uploads/**', async (route) => {
    if (Number(route.request().headers()['upload-offset'] ?? 0) < 3 * MB) return route.continue();
    await context.setOffline(true);
    await route.abort('internetdisconnected');
  });
  await page.getByRole('button', { name: 'Import notes and bookmarks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import notes' });
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByLabel('Choose files, or drop files and folders here').click();
  await (await chooser).setFiles(name);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect.poll(() => sent.at(-1)).toBe(3 * MB);
  await page.reload();
  await context.unroute('**/v1/uploads/**');
  const before = sent.length;
  await context.setOffline(false);
  await expect(memoryLink(page, 'Tides')).toBeVisible();
  await expect(memoryLink(page, 'waves')).toBeVisible();
  expect(sent.slice(before)).toEqual([3, 4, 5, 6, 7, 8].map((part) => part * MB));
});
