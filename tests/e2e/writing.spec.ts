/** Writing notes in the real application: without a network, with files, and at full length. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { LIMITS } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import { HOSTILE_MARKDOWN } from '../support/hostile-markdown.ts';
import { sitDown, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { LONG_LOOK } from './support/looks.ts';
import { mainThreadTasks } from './support/main-thread.ts';
import { lookFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

test.use({ serviceWorkers: 'allow' });

const SUN = readFileSync(path.resolve(import.meta.dirname, '../fixtures/files/sun.png'));
const SYNCED = /^Sync: Synced/;

async function note(person: Person, notes: string | null, title = 'Kept'): Promise<Id<'memory'>> {
  const { result } = await person.api('memory.create', {
    body: { workspaceId: person.workspaceId, title, notes, origin: 'manual_entry' },
  });
  return result.id;
}

const notesOf = async (person: Person, id: Id<'memory'>) =>
  (await person.api('memory.get', { params: { workspaceId: person.workspaceId, id } })).result.notes;

const viewer = (page: Page) => page.getByRole('dialog', { name: 'Kept' });
const editor = (page: Page) => viewer(page).locator('.cm-content');

async function open(page: Page, url: string, person: Person, id: Id<'memory'>): Promise<void> {
  await page.goto(`${url}/${person.slug}?memory=${id}`);
  await expect(viewer(page)).toBeVisible();
}

test('the editor is there at its first use without a network, with a picture that is sent later', async ({
  page,
  server,
  context,
}) => {
  const ada = takePerson(server);
  const id = await note(ada, null);
  await note(ada, null, 'Raised beds');
  await sitDown(context, server.url, ada);
  await page.goto(`${server.url}/${ada.slug}`);
  await expect(page.getByRole('button', { name: SYNCED })).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await expect(page.getByRole('button', { name: SYNCED })).toBeVisible();
  await context.setOffline(true);

  await page.getByRole('link', { name: 'Kept' }).click();
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type('See [[rai');
  await page.getByRole('option', { name: 'Raised beds' }).click();
  await page.keyboard.press('Enter');
  const data = await page.evaluateHandle((base64) => {
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    transfer.items.add(new File([bytes], 'sun.png', { type: 'image/png' }));
    return transfer;
  }, SUN.toString('base64'));
  await editor(page).dispatchEvent('drop', { dataTransfer: data });
  await expect(editor(page)).toContainText('![sun.png](memory:mem_');
  await viewer(page).getByRole('radio', { name: 'Preview' }).click();
  const picture = viewer(page).getByRole('img', { name: 'sun.png' });
  await expect(picture).toBeVisible();
  await expect(viewer(page).getByText('sun.png (waiting to be uploaded)')).toBeVisible();
  await expect(viewer(page).getByRole('link', { name: 'Raised beds' })).toBeVisible();
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await lookFaults(page, 'light')).toEqual([]);

  await context.setOffline(false);
  await expect(viewer(page).getByText('waiting to be uploaded')).toBeHidden();
  await expect(picture).toBeVisible();
  const sent = async () => /memory:(mem_\w+)/.exec((await notesOf(ada, id)) ?? '')?.[1];
  await expect.poll(sent).toBeDefined();
  const files = await ada.api('memory.list', {
    params: { workspaceId: ada.workspaceId },
    query: { type: 'file' },
  });
  expect(files.result.map((row) => row.id)).toEqual([await sent()]);
});

const PROSE = 'The **ferry** leaves at [six](https://a.example), and `nine` is the last.\n\n';

/** Opens the notes for writing, and types at their end and at their beginning. */
async function write(page: Page): Promise<void> {
  await viewer(page).getByRole('radio', { name: 'Write' }).click();
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('An end **of** it. ', { delay: 30 });
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('A beginning. ', { delay: 30 });
}

/** The longest task of showing a text in the browser's own field, in ms: what no machine can be quicker than by much. */
async function ownFieldTask(browser: Browser, page: Page, text: string): Promise<number> {
  const [longest = 0] = await mainThreadTasks(browser, page, () =>
    page.evaluate(
      (value) =>
        new Promise<void>((resolve) => {
          setTimeout(() => {
            const field = document.createElement('textarea');
            field.value = value;
            document.body.append(field);
            field.focus();
            resolve();
          });
        }),
      text,
    ),
  );
  return longest;
}

for (const [name, text] of [
  ['prose', PROSE.repeat(2_000)],
  ['nested lists', HOSTILE_MARKDOWN['lists - - -']?.(LIMITS.notes) ?? ''],
  ['marks without end', HOSTILE_MARKDOWN['nested emphasis *a_ tight']?.(LIMITS.notes) ?? ''],
] as const) {
  test(`a note of full length stays fluent: ${name}`, LONG_LOOK, async ({ browser, page, server }) => {
    const ada = takePerson(server);
    const notes = text.slice(0, LIMITS.notes - 200);
    await sitDown(page.context(), server.url, ada);
    // What the editor itself costs is no cost of a text.
    await open(page, server.url, ada, await note(ada, 'Short'));
    await write(page);
    const own = await ownFieldTask(browser, page, notes);
    const limit = Math.max(50, own * 3);
    // A task can be held up once by something else on the machine; a text that is too much for the page always is.
    await expect(async () => {
      await open(page, server.url, ada, await note(ada, notes));
      const [longest = 0] = await mainThreadTasks(browser, page, () => write(page));
      expect(longest).toBeLessThan(limit);
    }).toPass();
  });
}
