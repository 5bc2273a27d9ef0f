/**
 * The whole promise in one story, on real input and two browser profiles: bring a collection in, find it and go
 * on working while the server is dead, and see everything on the second device afterwards.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { COOKIES } from '#shared/constants.ts';
import { apiAt, listMemories, STORY_PASSWORD } from '../support/person.ts';
import { filesBelow, zipOf } from '../support/zip.ts';
import { expect, test } from './support/stories.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/notes');
/** A collection of real notes that lies beside the project on some machines. */
const COLLECTION = path.resolve(import.meta.dirname, '../../../shared/data/til-markdown.zip');

const EMAIL = 'ada@example.org';
const WORKSPACE = 'Difference Engine';
const SLUG = 'difference-engine';

interface Collection {
  notes: number;
  archive: () => Promise<Buffer>;
}

const fixtureNotes = filesBelow(FIXTURES).filter((entry) => entry.path.endsWith('.md'));
const collection: Collection = existsSync(COLLECTION)
  ? // One of the 1,873 files is longer than a memory holds and comes in as two.
    { notes: 1_874, archive: async () => readFileSync(COLLECTION) }
  : { notes: fixtureNotes.length, archive: () => zipOf(fixtureNotes) };

test.use({ serviceWorkers: 'allow' });

test('a collection is brought in, found offline, worked on and seen on a second device @long', async ({
  page,
  browser,
  ownServer,
}) => {
  await signUp(page, ownServer.url);
  await bringIn(page, collection);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

  const wanted = await tenWithWords(page, ownServer.url);

  await ownServer.kill();
  for (const { title, words } of wanted) await findInPalette(page, title, words);
  await makeSpace(page);
  await page.goto(`${ownServer.url}/${SLUG}`);
  await editNewest(page);
  await captureThree(page);
  await expect(page.getByRole('button', { name: /Sync: Offline, \d+ waiting/ })).toBeVisible();
  await page.reload();
  await seesEverything(page);

  await ownServer.start();
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  const second = await logInElsewhere(browser, ownServer.url);
  await seesEverything(second);
  expect(await countMemories(second, ownServer.url)).toBe(collection.notes + 3);
  await second.context().close();
});

async function signUp(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/signup`);
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('link', { name: 'Skip this step' }).click();
  await page.getByLabel('First name').fill('Ada');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Name', { exact: true }).fill(WORKSPACE);
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page).toHaveURL(`${url}/${SLUG}`);
}

async function sessionOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === COOKIES.session)?.value ?? '';
}

/** Imports the archive in the dialog, as a person does, and waits until all of it is on this device. */
async function bringIn(page: Page, { notes, archive }: Collection): Promise<void> {
  await page.getByRole('button', { name: 'Import notes and bookmarks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import notes' });
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByLabel('Choose a file or drop it here').click();
  await (await chooser).setFiles({ name: 'notes.zip', mimeType: 'application/zip', buffer: await archive() });
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  const imported = `${notes.toLocaleString('en')} new`;
  await expect(dialog.getByRole('status').filter({ hasText: imported })).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  // The tab hears of them by itself.
  await expect(page.getByRole('list', { name: 'Home' }).getByRole('link').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
}

/** Ten memories from all over the collection, each with three words of its body that its title does not have. */
async function tenWithWords(page: Page, url: string): Promise<{ title: string; words: string }[]> {
  const api = apiAt(url, await sessionOf(page));
  const { result: workspace } = await api('workspace.get_by_slug', { params: { slug: SLUG } });
  const memories = await listMemories({ api, workspaceId: workspace.id });
  const usable = memories.flatMap(({ title, notes }) => {
    const own = new Set(title?.toLowerCase().match(/[a-z]+/g));
    const words = [...new Set(notes?.match(/\b[a-z]{6,}\b/g))].filter((word) => !own.has(word));
    const longest = words.toSorted((a, b) => b.length - a.length).slice(0, 3);
    return title && longest.length === 3 ? [{ title, words: longest.join(' ') }] : [];
  });
  const ten = Array.from({ length: 10 }, (_, n) => usable[Math.floor((n * usable.length) / 10)]);
  return ten.flatMap((each) => each ?? []);
}

async function findInPalette(page: Page, title: string, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await palette.getByRole('combobox').fill(words);
  await expect(palette.getByRole('option').filter({ hasText: title }).first(), words).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
}

async function makeSpace(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New space' }).click();
  const dialog = page.getByRole('dialog', { name: 'New space' });
  await dialog.getByLabel('Name', { exact: true }).fill('Punched cards');
  await dialog.getByRole('button', { name: 'Create space' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Punched cards' })).toBeVisible();
}

async function editNewest(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Home' }).getByRole('link').first().click();
  const viewer = page.getByRole('dialog');
  await viewer.getByRole('radio', { name: 'Write' }).click();
  await viewer.getByRole('textbox', { name: 'Notes in Markdown' }).fill('Rewritten **without a network**.');
  await viewer.getByRole('textbox', { name: 'Title' }).fill('A note with another ending');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'A note with another ending' })).toBeFocused();
}

async function captureThree(page: Page): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Save a memory' });
  await field.fill('https://example.com/engine\nhttps://example.com/loom');
  await field.press('Control+Enter');
  await expect(page.getByRole('link', { name: 'example.com/loom' })).toBeVisible();
  await field.fill('# A thought on the train\n\nNo signal here.');
  await field.press('Control+Enter');
  await expect(page.getByRole('link', { name: 'A thought on the train' })).toBeVisible();
}

async function seesEverything(page: Page): Promise<void> {
  for (const name of ['example.com/engine', 'example.com/loom', 'A thought on the train', 'Punched cards']) {
    await expect(page.getByRole('link', { name }).first(), name).toBeVisible();
  }
  await page.getByRole('link', { name: 'A note with another ending' }).click();
  await expect(page.getByRole('dialog').getByText('Rewritten without a network.')).toBeVisible();
  await page.keyboard.press('Escape');
}

async function logInElsewhere(browser: Browser, url: string): Promise<Page> {
  const second = await (await browser.newContext()).newPage();
  await second.goto(`${url}/login`);
  await second.getByLabel('E-mail').fill(EMAIL);
  await second.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await second.getByRole('button', { name: 'Log in' }).click();
  await expect(second).toHaveURL(`${url}/${SLUG}`);
  return second;
}

async function countMemories(page: Page, url: string): Promise<number> {
  const api = apiAt(url, await sessionOf(page));
  const { result: workspace } = await api('workspace.get_by_slug', { params: { slug: SLUG } });
  return (await listMemories({ api, workspaceId: workspace.id })).length;
}
