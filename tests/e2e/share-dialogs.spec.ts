/** The share dialogs of spaces and threads: what they say, what visitors get, and the way back. */
import type { Locator, Page } from '@playwright/test';
import { sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { screenFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

/** An owner with a space of three memories and a thread of two messages, each with its answer. */
async function prepare(server: ServerProcess) {
  const owner = takePerson(server);
  const { api, workspaceId } = owner;
  const { result: space } = await api('space.create', {
    body: {
      workspaceId,
      name: 'Tide pools',
      slug: 'tide-pools',
      color: 'olive',
      description: 'Between the tides.',
    },
  });
  for (const title of ['Anemone', 'Limpet', 'Blenny'])
    await api('memory.create', {
      body: { workspaceId, spaceId: space.id, title, notes: 'known to us alone' },
    });
  const { result: thread } = await api('thread.create', {
    body: { workspaceId, name: 'Which anemone?', content: 'Green?' },
  });
  await api('message.create', {
    params: { workspaceId, threadId: thread.id },
    body: { content: 'Or is it *brown*?' },
  });
  return { owner, threadId: thread.id };
}

async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await screenFaults(page)).toEqual([]);
    await page.screenshot({ path: `test-results/share-${name}-${scheme}.png` });
  }
}

/** What a visitor without an account is answered. */
const statusOf = (page: Page, address: string) =>
  page.evaluate(
    async (path) => (await fetch(path, { credentials: 'omit', cache: 'no-store' })).status,
    new URL(address).pathname,
  );

const linkIn = (dialog: Locator) => dialog.getByRole('textbox', { name: 'Link', exact: true });

test('the dialog of a space says who sees what before anything is opened, and closes it again', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { owner } = await prepare(server);
  await sitDown(context, server.url, owner);
  await page.goto(`/${owner.slug}/spaces/tide-pools`);
  await page.getByRole('button', { name: 'Share' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Share “Tide pools”' });
  await expect(dialog.getByText('Everyone in this workspace can see this.')).toBeVisible();
  await expect(dialog.getByText('Anyone can find and see this, search engines included.')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Workspace', exact: true })).toBeChecked();
  const preview = dialog.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('heading', { name: 'Tide pools' })).toBeVisible();
  await expect(preview.getByText(`3 memories · Notes of ${owner.name}`)).toBeVisible();

  await dialog.getByRole('radio', { name: /^Everyone on the web/ }).check({ force: true });
  const question = dialog.getByRole('alert');
  await expect(question).toContainText('Publish this on the web?');
  await expect(question).toContainText(
    '3 memories become visible with title, address, description, summary and tags. 3 notes are published with their text.',
  );
  const publishText = dialog.getByRole('switch', { name: /Publish the text of notes/ });
  await expect(publishText).toBeChecked();
  await publishText.click({ force: true });
  await expect(publishText).not.toBeChecked();
  await expect(question).toContainText('The text of notes stays private.');
  await expectAccessible(page, 'space-question');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(linkIn(dialog)).toHaveCount(0);

  await dialog.getByRole('radio', { name: /^Anyone with the link/ }).check({ force: true });
  await question.getByRole('button', { name: 'Open by link' }).click();
  await expect(linkIn(dialog)).toHaveValue(`${server.url}/${owner.slug}/spaces/p/tide-pools`);
  await expect(dialog.getByRole('button', { name: 'Feed link' })).toHaveCount(0);
  const address = await linkIn(dialog).inputValue();
  await expect.poll(() => statusOf(page, address)).toBe(200);
  expect(await statusOf(page, `${address}/feed.xml`)).toBe(404);

  await dialog.getByRole('radio', { name: /^Everyone on the web/ }).check({ force: true });
  await question.getByRole('button', { name: 'Publish' }).click();
  await dialog.getByRole('button', { name: 'Feed link' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${address}/feed.xml`);
  await expect.poll(() => statusOf(page, `${address}/feed.xml`)).toBe(200);
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  const shown = (path: string) =>
    page.evaluate(async (url) => (await fetch(url, { credentials: 'omit', cache: 'no-store' })).text(), path);
  expect(await shown(address)).not.toContain('known to us alone');
  await publishText.click({ force: true });
  await expect.poll(() => shown(address)).toContain('known to us alone');
  await dialog.getByRole('button', { name: 'QR code' }).click();
  await expect(dialog.getByRole('img', { name: /QR code of/ })).toBeVisible();
  await expectAccessible(page, 'space');

  await dialog.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(linkIn(dialog)).toHaveCount(0);
  await expect(dialog.getByRole('radio', { name: 'Workspace', exact: true })).toBeChecked();
  await expect.poll(() => statusOf(page, address)).toBe(404);
});

test('the dialog of a thread says that it is a live view, and what is written later appears @long', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { owner, threadId } = await prepare(server);
  await sitDown(context, server.url, owner);
  await page.goto(`/${owner.slug}/threads/${threadId}`);
  await expect(page.getByText('Or is it brown?')).toBeVisible();
  const answers = page.getByRole('article', { name: 'Answer', exact: true });
  await expect(answers).toHaveCount(2);
  await page.getByRole('button', { name: 'Actions for Which anemone?' }).first().click();
  await page.getByRole('menuitem', { name: 'Share…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share “Which anemone?”' });
  await expect(dialog.getByRole('radio', { name: /^Only me/ })).toBeChecked();
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Which anemone?');
  await dialog.getByRole('radio', { name: /^Everyone on the web/ }).check({ force: true });
  await expect(dialog.getByRole('alert')).toContainText(
    'All its 4 messages become visible, and everything written in it later.',
  );
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(linkIn(dialog)).toHaveValue(`${server.url}/${owner.slug}/threads/p/${threadId}`);
  const address = await linkIn(dialog).inputValue();
  await expect.poll(() => statusOf(page, address)).toBe(200);
  await dialog.getByRole('button', { name: 'Feed link' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${address}/feed.xml`);
  await dialog.getByRole('button', { name: 'QR code' }).click();
  await expect(dialog.getByRole('img', { name: /QR code of/ })).toBeVisible();
  await expectAccessible(page, 'thread');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  const message = page.getByRole('textbox', { name: 'Message in Which anemone?' });
  await message.fill('It is green.');
  await message.press('Enter');
  await expect(answers).toHaveCount(3);

  const elsewhere = await context.browser()?.newContext();
  const visitor = await elsewhere?.newPage();
  if (!elsewhere || !visitor) throw new Error('No browser for a visitor');
  const shownTo = async (text: string) => {
    await visitor.goto(address);
    return visitor.getByText(text).count();
  };
  await expect.poll(() => shownTo('It is green.')).toBe(1);
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Which anemone?');
  await expect(visitor.getByText(owner.email)).toHaveCount(0);

  await page.getByRole('button', { name: 'Actions for Which anemone?' }).first().click();
  await page.getByRole('menuitem', { name: 'Share…' }).click();
  const later = dialog.getByRole('region', { name: 'Later messages' });
  await expect(later).toContainText('This is a live view: visitors also see what is written later.');
  await later.getByRole('button', { name: 'Freeze here' }).click();
  await expect(later).toContainText('Nothing has been written since.');
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText(
    '6 messages are visible, and nothing that is written later.',
  );
  await expectAccessible(page, 'thread-frozen');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await message.fill('Only members read this.');
  await message.press('Enter');
  await expect(page.getByText('Only members read this.')).toBeVisible();
  await expect(answers).toHaveCount(4);
  await visitor.goto(address);
  await expect(visitor.getByText('It is green.')).toBeVisible();
  await expect(visitor.getByText('Only members read this.')).toHaveCount(0);

  await page.getByRole('button', { name: 'Actions for Which anemone?' }).first().click();
  await page.getByRole('menuitem', { name: 'Share…' }).click();
  await expect(later).toContainText('2 messages written since are not shown.');
  await later.getByRole('button', { name: 'Show later messages again' }).click();
  await expect(later.getByRole('alert')).toContainText(
    '2 messages become visible, and everything written later.',
  );
  await expectAccessible(page, 'thread-frozen-question');
  await later.getByRole('button', { name: 'Show them' }).click();
  await expect(later).toContainText('This is a live view');
  await expect.poll(() => shownTo('Only members read this.')).toBe(1);
  await dialog.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(dialog.getByRole('radio', { name: /^Only me/ })).toBeChecked();
  await expect.poll(async () => (await visitor.goto(address))?.status()).toBe(404);
  await elsewhere.close();
});
