/** Questions without a network are answered on the device; the server's answer takes over, and nothing outlives its access. */
import type { Page } from '@playwright/test';
import { newId } from '#shared/ids.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { sitDown, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { mainThreadTasks } from './support/main-thread.ts';
import { lookFaults, screenFaults } from './support/screen-faults.ts';
import { IS_WHOLE } from '../support/whole-run.ts';
import { expect, test } from './support/stories.ts';

test.use({ serviceWorkers: 'allow' });

const QUESTION = 'How much brown and green does a compost heap need?';
const NOTES = 'A heap wants two parts of brown to one part of green.\n\nTurn it every fortnight.';
/** Long enough that reading it takes a while. */
const LONG_NOTE = `# Harbour\n\n${Array.from({ length: 1_500 }, (_, n) => `Green boats and brown ropes number ${n} lie here.`).join('\n\n')}`;

const made = (page: Page) => page.getByRole('article', { name: 'Answer from this device' });
const answers = (page: Page) => page.getByRole('article', { name: 'Answer', exact: true });
const field = (page: Page) => page.getByRole('textbox', { name: /^Message in/ });

/** A thread with a first question that the server has answered, on a device that has everything. */
async function openThread(page: Page, url: string, { api, workspaceId, slug }: Person): Promise<void> {
  await api('memory.create', { body: { workspaceId, title: 'Compost basics', notes: NOTES } });
  await api('memory.create', { body: { workspaceId, title: 'Harbour', notes: LONG_NOTE } });
  await page.goto(`${url}/${slug}/threads/new`);
  await page.getByRole('textbox', { name: 'First message' }).fill('Zyzzyva quokka?');
  await page.keyboard.press('Enter');
  await expect(answers(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  // Answers wait for what search has not read yet; offline nothing more can be fetched.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

/** What is stored here beside the replica. */
const storedAnswers = (page: Page) =>
  page.evaluate(async () => {
    const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
    const counts = names
      .filter((name) => name.startsWith('loci-device-'))
      .map(
        (name) =>
          new Promise<number>((resolve, reject) => {
            const opening = indexedDB.open(name);
            opening.addEventListener('error', () => reject(opening.error ?? new Error('Not opened')));
            opening.addEventListener('success', () => {
              const counting = opening.result.transaction('answer').objectStore('answer').count();
              counting.addEventListener('success', () => {
                opening.result.close();
                resolve(counting.result);
              });
            });
          }),
      );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  });

test('asks offline, opens the source, reloads, and gets one answer of the server in its place @long', async ({
  page,
  context,
  browser,
  server,
}) => {
  const owner = takePerson(server);
  await sitDown(context, server.url, owner);
  await openThread(page, server.url, owner);

  await context.setOffline(true);
  await field(page).fill(QUESTION);
  const ask = async () => {
    await field(page).press('Enter');
    await expect(made(page).getByText(/two parts of brown to one part of green/)).toBeVisible();
  };
  // In processor time: the page stays free while a long text is searched.
  if (IS_WHOLE) expect((await mainThreadTasks(browser, page, ask))[0]).toBeLessThan(50);
  else await ask();
  await expect(page.getByText('Saved here, sent when you are online')).toBeVisible();
  expect(await lookFaults(page, 'light')).toEqual([]);
  await page.screenshot({ path: 'test-results/device-answer.png' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: 'test-results/device-answer-dark.png' });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 780 });
  expect(await screenFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/device-answer-phone.png' });
  await page.setViewportSize({ width: 1280, height: 800 });

  await made(page).getByRole('link', { name: 'Compost basics', exact: true }).click();
  const opened = page.getByRole('dialog', { name: 'Compost basics' });
  await expect(opened.getByText(/Turn it every fortnight/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(opened).toBeHidden();
  // Closing leads back in the history, and a reload before it would open the source again.
  await expect(page).not.toHaveURL(/memory=/);

  await page.reload();
  await expect(made(page).getByText(/two parts of brown to one part of green/)).toBeVisible();
  await expect(made(page)).toHaveCount(1);
  expect(await storedAnswers(page)).toBe(1);

  const source = made(page).getByRole('link', { name: 'Compost basics', exact: true });
  await source.focus();
  const place = await made(page).boundingBox();
  await context.setOffline(false);
  await expect(answers(page)).toHaveCount(2);
  await expect(made(page)).toHaveCount(0);
  await expect(
    answers(page)
      .last()
      .getByText(/two parts of brown to one part of green/),
  ).toBeVisible();
  await expect(answers(page).last().getByRole('link', { name: 'Compost basics', exact: true })).toBeFocused();
  await expect(page.getByText(QUESTION)).toHaveCount(1);
  const after = await answers(page).last().boundingBox();
  expect(Math.abs((after?.y ?? 0) - (place?.y ?? 0))).toBeLessThan(120);
  await expect.poll(() => storedAnswers(page)).toBe(0);
  const { result: threads } = await owner.api('thread.list', { params: { workspaceId: owner.workspaceId } });
  const { result: messages } = await owner.api('message.list', {
    params: { workspaceId: owner.workspaceId, threadId: threads[0]?.id ?? newId('thread') },
    query: { perPage: 100 },
  });
  expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(2);
});

test('the answer goes with the access to the workspace @long', async ({ page, context, server }) => {
  const owner = takePerson(server);
  const guest = takePerson(server);
  await joinWorkspace(server.databaseUrl, {
    workspaceId: owner.workspaceId,
    userId: guest.userId,
    position: 'member',
  });
  await sitDown(context, server.url, guest);
  await openThread(page, server.url, { ...guest, workspaceId: owner.workspaceId, slug: owner.slug });
  await context.setOffline(true);
  await field(page).fill(QUESTION);
  await field(page).press('Enter');
  await expect(made(page)).toBeVisible();
  expect(await storedAnswers(page)).toBe(1);
  await owner.api('workspace_member.remove', {
    params: { workspaceId: owner.workspaceId, id: guest.userId },
  });
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: /You no longer have access/ })).toBeVisible();
  await expect(page.getByText(/two parts of brown/)).toHaveCount(0);
  await expect.poll(() => storedAnswers(page)).toBe(0);
});
