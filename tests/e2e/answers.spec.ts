/** An answer on a public page: how it arrives, and what visitors think of it. */
import { isId, newId } from '#shared/ids.ts';
import {
  serviceEnv,
  startAnswerService,
  type AnswerService,
  type ServiceReply,
} from '../support/answer-service.ts';
import { answerInDatabase } from '../support/answer.ts';
import { SCRIPT_BUDGET } from '../support/page-budgets.ts';
import { takePerson } from '../support/ready-people.ts';
import { startStoryServer, type StoryServer } from './support/servers.ts';
import { lookFaults, screenFaults } from './support/screen-faults.ts';
import { expect, started, test } from './support/stories.ts';
import { watch, watchShifts, weightOf } from './support/visit.ts';

let server: StoryServer;
let service: AnswerService;

test.beforeAll(async () => {
  service = await startAnswerService();
  server = await startStoryServer(serviceEnv(service));
});
test.afterAll(async () => {
  await server.dispose();
  await service.close();
});

/** A public thread with an answer that names a public and a private memory. */
async function prepare() {
  const owner = takePerson(server);
  const { api, workspaceId, slug, userId } = owner;
  const { result: space } = await api('space.create', {
    body: { workspaceId, name: 'Tide pools', slug: 'tide-pools', visibility: 'public' },
  });
  const { result: limpet } = await api('memory.create', {
    body: {
      workspaceId,
      title: 'Limpets find home',
      spaceId: space.id,
      description: 'Limpets come home to their scar before the tide falls.',
    },
  });
  const { result: own } = await api('memory.create', { body: { workspaceId, title: 'A private matter' } });
  const threadId = newId('thread');
  await api('thread.create', {
    body: { id: threadId, workspaceId, name: 'Do limpets move?', visibility: 'public' },
  });
  await answerInDatabase(server.databaseUrl, {
    workspaceId,
    userId,
    threadId,
    content: 'They do, and come **home**.',
    citations: [
      {
        memoryId: limpet.id,
        quote: null,
      },
      {
        memoryId: own.id,
        quote: 'not for visitors',
      },
    ],
  });
  return { owner, slug, threadId, page: `${server.url}/${slug}/threads/p/${threadId}` };
}

test('a visitor sees a question and its answer arrive while it is written', async ({ page }) => {
  const { page: address, owner, threadId } = await prepare();
  const { scripts, complaints } = watch(page, server.url);
  const replies: ServiceReply[] = [];
  service.behave((reply) => void replies.push(reply));
  const stream = page.waitForResponse((response) => response.url().endsWith('/follow'));
  await page.goto(address);
  await started(page);
  const messages = page.getByRole('list', { name: 'Messages' }).getByRole('article');
  await expect(messages).toHaveCount(1);
  // The first sign of a reader; Chromium 150 says of the first event that the pointer has not moved.
  await page.mouse.move(90, 90);
  await page.mouse.move(100, 100);
  expect((await stream).status()).toBe(200);
  await owner.api('message.create', {
    params: { workspaceId: owner.workspaceId, threadId },
    body: { content: 'When do limpets come home to their scar?' },
  });
  await expect(messages).toHaveCount(2);
  await expect(messages.nth(1)).toContainText('When do limpets come home');
  await expect.poll(() => replies.length).toBe(1);
  replies[0]?.say('They come home **before');
  const draft = page.getByRole('article', { name: 'Answer being written' });
  await expect(draft.locator('p')).toHaveText('They come home before');
  await expect(page.getByText('An answer is being written.')).toBeAttached();
  expect(await lookFaults(page, 'light')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 780 });
  expect(await screenFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/public-draft-phone.png', fullPage: true });
  replies[0]?.say('** the tide falls [1].');
  await expect(draft.locator('p')).toHaveText('They come home before the tide falls [1].');
  replies[0]?.finish();
  await expect(messages).toHaveCount(3);
  await expect(messages.nth(2).getByText('before', { exact: true })).toBeVisible();
  await expect(messages.nth(2).getByRole('list', { name: 'Sources' })).toHaveText('Limpets find home');
  await expect(draft).toBeHidden();
  await expect(page.getByText('The answer has arrived.')).toBeAttached();
  // Its buttons are alive, like those of the answers that stood there before.
  await messages.nth(2).getByRole('button', { name: 'Good answer' }).click();
  await expect(messages.nth(2).getByRole('button', { name: 'Good answer' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  expect(weightOf(scripts), JSON.stringify([...scripts])).toBeLessThanOrEqual(SCRIPT_BUDGET);
  // An answer that is written again changes in its place.
  const answers = page.getByRole('list', { name: 'Messages' }).locator(':scope > li');
  const id = await answers.nth(2).getAttribute('id');
  if (!isId('message', id)) throw new Error('The answer has no id');
  await owner.api('message.regenerate', {
    params: { workspaceId: owner.workspaceId, threadId, id },
  });
  await expect.poll(() => replies.length).toBe(2);
  replies[1]?.say('Every time [1].');
  await expect(draft.locator('p')).toHaveText('Every time [1].');
  replies[1]?.finish();
  await expect(messages.nth(2)).toContainText('Every time [1].');
  await expect(draft).toBeHidden();
  await expect(messages).toHaveCount(3);
  expect(complaints).toEqual([]);
});

test('a visitor rates an answer, finds the rating again, says why and takes it back @long', async ({
  page,
}) => {
  const { page: address } = await prepare();
  const { scripts, complaints } = watch(page, server.url);
  const shifts = await watchShifts(page);
  await page.goto(address);
  const good = page.getByRole('button', { name: 'Good answer' });
  const bad = page.getByRole('button', { name: 'Bad answer' });
  await expect(good).toHaveAttribute('aria-pressed', 'false');
  await page.waitForLoadState('networkidle');
  expect(weightOf(scripts), JSON.stringify([...scripts])).toBeLessThanOrEqual(SCRIPT_BUDGET);
  await good.click();
  await expect(good).toHaveAttribute('aria-pressed', 'true');
  expect(await shifts()).toEqual([]);
  await page.reload();
  await expect(good).toHaveAttribute('aria-pressed', 'true');
  await expect(bad).toHaveAttribute('aria-pressed', 'false');
  await page.getByRole('button', { name: 'Give a reason' }).click();
  const reason = page.getByRole('combobox', { name: 'Why?' });
  await reason.selectOption('missing_source');
  await page.getByRole('textbox', { name: 'Comment' }).fill('Which limpet?');
  expect(await lookFaults(page, 'light')).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await screenFaults(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/rating-phone.png', fullPage: true });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(reason).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Edit reason' })).toBeFocused();
  await page.reload();
  await page.getByRole('button', { name: 'Edit reason' }).click();
  await expect(reason).toHaveValue('missing_source');
  await expect(page.getByRole('textbox', { name: 'Comment' })).toHaveValue('Which limpet?');
  await good.click();
  await expect(good).toHaveAttribute('aria-pressed', 'false');
  await page.reload();
  await expect(good).toHaveAttribute('aria-pressed', 'false');
  expect(complaints).toEqual([]);
});

test('a rating that does not arrive is told, not shown as given, and can be given again @long', async ({
  page,
}) => {
  const { page: address } = await prepare();
  await page.route('**/v1/public/ratings/**', (route) => route.abort());
  await page.route('**/v1/public/messages/rate', (route) => route.abort());
  await page.goto(address);
  const bad = page.getByRole('button', { name: 'Bad answer' });
  await bad.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Not sent' })).toBeVisible();
  // It is unknown what was said earlier today, so nothing is claimed.
  await expect(bad).not.toHaveAttribute('aria-pressed', /./);
  expect(await screenFaults(page)).toEqual([]);
  await page.unroute('**/v1/public/messages/rate');
  await bad.click();
  await expect(bad).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('Not sent')).toHaveCount(0);
});
