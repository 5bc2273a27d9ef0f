/** An answer on a public page: its sources, of which private ones are not named, and what a member thinks of it. */
import { newId } from '#shared/ids.ts';
import { answerInDatabase } from '../support/answer.ts';
import { createEmbeddedRig } from '../support/embedded-rig.ts';
import { joinServer, sitDown } from '../support/person.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { screenFaults } from './support/screen-faults.ts';
import { expect, started, test } from './support/stories.ts';

test.use({ baseURL: undefined });

const rig = createEmbeddedRig();
let server: ServerProcess;
let databaseUrl: string;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  const database = await rig.start();
  databaseUrl = database.url;
  server = await startServerProcess({ env: { DATABASE_URL: database.url } });
});
test.afterAll(async () => {
  await server.dispose();
  await rig.clear();
});

/** A public thread with an answer that names a public and a private memory. */
async function prepare(name: string) {
  const owner = await joinServer(server.url, name);
  const { api, workspaceId, slug, userId } = owner;
  const { result: space } = await api('space.create', {
    body: { workspaceId, name: 'Tide pools', slug: 'tide-pools', visibility: 'public' },
  });
  const { result: limpet } = await api('memory.create', {
    body: { workspaceId, title: 'Limpets find home', spaceId: space.id },
  });
  const { result: own } = await api('memory.create', { body: { workspaceId, title: 'Nobody’s business' } });
  const threadId = newId('thread');
  await api('thread.create', {
    body: { id: threadId, workspaceId, name: 'Do limpets move?', content: 'Do they?', visibility: 'public' },
  });
  await answerInDatabase(databaseUrl, {
    ...{ workspaceId, userId, threadId, content: 'They do, and come **home**.' },
    citations: [
      { memoryId: limpet.id, quote: null },
      { memoryId: own.id, quote: 'not for visitors' },
    ],
  });
  return { owner, slug, threadId, page: `${server.url}/${slug}/threads/p/${threadId}` };
}

test('a visitor follows a source and reads nothing of a private one', async ({ page }) => {
  test.setTimeout(120_000);
  const { page: address, slug } = await prepare('limpet');
  await page.goto(address);
  await started(page);
  const sources = page.getByRole('list', { name: 'Sources' });
  await expect(sources.getByRole('listitem')).toHaveText(['Limpets find home', 'private source']);
  await expect(page.getByText('Nobody’s business')).toHaveCount(0);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await screenFaults(page)).toEqual([]);
    await page.screenshot({ path: `test-results/answer-${colorScheme}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 390, height: 780 });
  expect(await screenFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/answer-phone.png', fullPage: true });
  await sources.getByRole('link', { name: 'Limpets find home' }).click();
  await expect(page).toHaveURL(new RegExp(`/${slug}/spaces/p/tide-pools#mem_`));
  await expect(page.getByRole('heading', { level: 1, name: 'Tide pools' })).toBeVisible();
});

test('a member opens a source and rates the answer in the thread', async ({ page }) => {
  test.setTimeout(120_000);
  const { owner, slug, threadId } = await prepare('whelk');
  await sitDown(page.context(), server.url, owner);
  await page.goto(`${server.url}/${slug}/threads/${threadId}`);
  const answer = page.getByRole('article', { name: 'Answer', exact: true });
  await expect(answer.getByRole('listitem')).toContainText(['Limpets find home', 'Nobody’s business']);
  const bad = page.getByRole('button', { name: 'Bad answer' });
  const kept = page.waitForResponse((response) => response.url().endsWith('/v1/messages/rate'));
  await bad.click();
  expect((await kept).status()).toBe(200);
  await page.reload();
  await expect(bad).toHaveAttribute('aria-pressed', 'true');
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await screenFaults(page)).toEqual([]);
    await page.screenshot({ path: `test-results/answer-member-${colorScheme}.png`, fullPage: true });
  }
  await answer.getByRole('link', { name: 'Nobody’s business' }).click();
  await expect(page.getByRole('dialog', { name: 'Nobody’s business' })).toBeVisible();
});
