/**
 * What comes into the app past its fields: shared, pasted and opened things, with the service worker that takes them. They
 * are saved once, also when the page is left in between, without a server, and over a new version of the app.
 */
import type { Page } from '@playwright/test';
import { listMemories, sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { storedRows } from './support/stored-rows.ts';
import { expect, test } from './support/stories.ts';

test.use({ serviceWorkers: 'allow' });

const capture = (page: Page) => page.getByRole('textbox', { name: 'Save a memory' });
const memory = (page: Page, name: string) => page.getByRole('link', { name });

/** Shares words, an address and a file with the app, as its entry in the system's menu does. */
async function share(page: Page, shared: { title?: string; url?: string; file?: string }): Promise<void> {
  await page.evaluate(({ title = '', url = '', file }) => {
    const form = document.createElement('form');
    form.method = 'post';
    form.enctype = 'multipart/form-data';
    form.action = '/_share';
    const add = (name: string) => {
      const input = document.createElement('input');
      input.name = name;
      form.append(input);
      return input;
    };
    const files = new DataTransfer();
    if (file !== undefined) files.items.add(new File([file], 'note.md', { type: 'text/markdown' }));
    add('title').value = title;
    add('url').value = url;
    const input = add('files');
    input.type = 'file';
    input.files = files.files;
    document.body.append(form);
    form.submit();
  }, shared);
}

/** Opens the home page under a service worker, which is there from the second visit on. */
async function openControlled(page: Page, home: string): Promise<void> {
  await page.goto(home);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
}

test('half a thought survives a new version of the app, which waits to be asked for @long', async ({
  page,
  server,
  context,
}) => {
  const ada = takePerson(server);
  await sitDown(context, server.url, ada);
  await page.goto(`${server.url}/${ada.slug}`);
  // While the page is being loaded anew no page can be asked.
  const worker = () =>
    page.evaluate(() => navigator.serviceWorker.controller?.scriptURL ?? '').catch(() => '');
  await expect.poll(worker).toMatch(/service-worker\.js$/);
  await capture(page).fill('Half a thought');
  // The same worker under another address is a new one to the browser: it is installed and waits.
  await page.evaluate(() =>
    navigator.serviceWorker.register('/service-worker.js?next').then(() => undefined),
  );
  await page.getByRole('button', { name: /^Sync:/ }).click();
  const load = page.getByRole('button', { name: 'Load the new version' });
  await expect(load).toBeVisible();
  expect(await worker()).toMatch(/service-worker\.js$/);
  await load.click();
  await expect.poll(worker).toMatch(/\?next$/);
  await expect(capture(page)).toHaveValue('Half a thought');
});

test('a shared file is saved once when the page is left before the kept file was forgotten @long', async ({
  page,
  server,
  context,
}) => {
  const ada = takePerson(server);
  await sitDown(context, server.url, ada);
  await openControlled(page, `${server.url}/${ada.slug}`);
  // Between the two: the memory is saved, and the page ends in the moment in which the file would be forgotten.
  await page.addInitScript(() => {
    const forget = IDBObjectStore.prototype.delete;
    IDBObjectStore.prototype.delete = function (this: IDBObjectStore, query) {
      const isFile = this.transaction.db.name === 'loci-shared';
      const visit = isFile ? Number(sessionStorage.getItem('visits') ?? '0') + 1 : 0;
      if (isFile) sessionStorage.setItem('visits', `${visit}`);
      if (visit !== 1) return forget.call(this, query);
      location.reload();
      return forget.call(this, 'nothing');
    };
  });
  await share(page, { file: 'Words of a file' });
  // The second visit finds the file again and forgets it once it was saved again.
  const visits = () => page.evaluate(() => sessionStorage.getItem('visits')).catch(() => 'between two pages');
  await expect.poll(visits).toBe('2');
  await expect(memory(page, 'note')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  await expect.poll(async () => (await listMemories(ada)).map(({ title }) => title)).toEqual(['note']);
  await expect(memory(page, 'note')).toHaveCount(1);
});

test('a shared text is in the draft once when the page is left before the kept text was forgotten @long', async ({
  page,
  server,
  context,
}) => {
  const ada = takePerson(server);
  const home = `${server.url}/${ada.slug}`;
  await sitDown(context, server.url, ada);
  await openControlled(page, home);
  // Between the two: the draft is kept, and the page ends in the moment in which the text would be forgotten. Where it
  // goes then is what the session says, once, and the page that it gets to says that it is there.
  await page.addInitScript(() => {
    const arrived = sessionStorage.getItem('left');
    if (arrived !== null) sessionStorage.setItem('arrived', arrived);
    sessionStorage.removeItem('left');
    const forget = IDBObjectStore.prototype.delete;
    IDBObjectStore.prototype.delete = function (this: IDBObjectStore, query) {
      const way = sessionStorage.getItem('way');
      if (this.transaction.db.name !== 'loci-shared' || way === null) return forget.call(this, query);
      sessionStorage.removeItem('way');
      sessionStorage.setItem('left', way);
      location.replace(way);
      return forget.call(this, 'nothing');
    };
  });
  const shareAndLeave = async (title: string, way: string) => {
    await page.evaluate((next) => sessionStorage.setItem('way', next), way);
    await share(page, { title });
    // Without the answer of a page the one is gone and the next is not there yet.
    const arrived = () =>
      page.evaluate(() => sessionStorage.getItem('arrived')).catch(() => 'between two pages');
    await expect.poll(arrived).toBe(way);
    await page.evaluate(() => sessionStorage.removeItem('arrived'));
  };
  const sheet = page.getByRole('dialog', { name: 'Save a memory' });
  const field = sheet.getByRole('textbox', { name: 'Save a memory' });
  const waiting = () => storedRows(page, 'loci-shared', 'items').catch(() => 'between two pages');

  // The page that comes next takes what is shared.
  await shareAndLeave('The first words', `${server.url}/_share?new=memory`);
  await expect(field).toHaveValue('The first words');
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(memory(page, 'The first words')).toHaveCount(1);

  // The page that comes next is another, which forgets what is in the draft already.
  await shareAndLeave('The second words', home);
  await expect.poll(waiting).toEqual([]);
  await page.goto(`${server.url}/_share?new=memory`);
  await expect(field).toHaveValue('The second words');
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(memory(page, 'The second words')).toHaveCount(1);

  await share(page, { title: 'The third words' });
  await expect(field).toHaveValue('The third words');
});

test('captures of every kind made without a server are there after a reload and reach it later', async ({
  page,
  context,
  ownServer,
}) => {
  const ada = takePerson(ownServer);
  await sitDown(context, ownServer.url, ada);
  await openControlled(page, `${ownServer.url}/${ada.slug}`);
  await ownServer.kill();

  const many = Array.from({ length: 40 }, (_unused, index) => `https://example.com/page-${index}`);
  await capture(page).fill(many.join('\n'));
  await page.getByRole('button', { name: 'Save 40 links' }).click();
  await expect(memory(page, 'example.com/page-').first()).toBeVisible();
  await page.reload();
  await expect(memory(page, 'example.com/page-').first()).toBeVisible();

  await page.getByRole('heading', { level: 1 }).first().click();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '# Pasted\n\nFrom another window.');
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  const sheet = page.getByRole('dialog', { name: 'Save a memory' });
  await expect(sheet.getByRole('textbox', { name: 'Save a memory' })).toHaveValue(/From another window/);
  await page.goto(`${ownServer.url}/_share?new=memory`);
  await expect(sheet.getByRole('textbox', { name: 'Save a memory' })).toHaveValue(/From another window/);
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(memory(page, 'Pasted')).toBeVisible();

  await share(page, { title: 'A page', url: 'https://example.com/shared', file: 'Words of a file' });
  const shared = sheet.getByRole('textbox', { name: 'Save a memory' });
  await expect(shared).toHaveValue(/https:\/\/example\.com\/shared[^]*A page/);
  await page.goto(`${ownServer.url}/_share?new=memory`);
  await expect(shared).toHaveValue(/A page/);
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(sheet).toBeHidden();
  await expect(memory(page, 'note')).toBeVisible();

  // An installed app gets the files it opens through a queue of the browser, which a story has to stand in for.
  await page.addInitScript(() => {
    const getFile = async () => new File(['# Opened\n\nWith the system.'], 'opened.md');
    const setConsumer = (consume: (launch: object) => void) => consume({ files: [{ getFile }] });
    Object.defineProperty(globalThis, 'launchQueue', { value: { setConsumer } });
  });
  await page.goto(`${ownServer.url}/_share?open=files`);
  await expect(memory(page, 'Opened')).toBeVisible();
  await page.reload();
  await expect(memory(page, 'Opened')).toHaveCount(1);

  await ownServer.start();
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  const { result } = await ada.api('memory.list', {
    params: { workspaceId: ada.workspaceId },
    query: { page: 1, perPage: 100 },
  });
  expect(result).toHaveLength(44);
});

test('a bookmark from the settings opens the capture sheet with the page that it is pressed on @long', async ({
  page,
  server,
  context,
}) => {
  const ada = takePerson(server);
  await sitDown(context, server.url, ada);
  await page.goto(`${server.url}/${ada.slug}/settings/import`);
  const bookmark = page.getByRole('link', { name: 'Save to Loci' });
  const program = await bookmark.getAttribute('href');
  // Pressed here it says where it belongs, and does not leave the page.
  await bookmark.click();
  await expect(page.getByText('Drag this button to the bookmarks of your browser').first()).toBeVisible();
  await context.route('https://pages.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: '<title>Tides & moons</title><p>High water 😀 at noon</p>',
    }),
  );
  const other = await context.newPage();
  await other.goto('https://pages.example/tides?day=1&hour=2#noon');
  await other.evaluate(() => getSelection()?.selectAllChildren(document.body));
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    other.evaluate((address) => {
      location.href = address ?? '';
    }, program),
  ]);
  await expect(capture(opened)).toHaveValue(
    'https://pages.example/tides?day=1&hour=2#noon\nTides & moons\nHigh water 😀 at noon',
  );
  expect(other.url()).toContain('pages.example');
});
