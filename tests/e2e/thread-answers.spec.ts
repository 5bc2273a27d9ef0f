/** A question is answered with passages of memories: their sources open, offline questions wait, and a screen reader hears it. */
import { sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { lookFaults, screenFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

const NOTES = [
  [
    'Compost basics',
    'A heap wants two parts of brown to one part of green.\n\nTurn it every fortnight so that air gets in.',
  ],
  ['Sharpening knives', 'Soak the stone for ten minutes.\n\n```\nangle = 15\n```'],
  ['Rain barrels', 'In November: empty, turn over, store the hose indoors.'],
] as const;

test('asks, reads the answer, opens its source, and asks offline', async ({ page, context, server }) => {
  const owner = takePerson(server);
  const { api, workspaceId, slug } = owner;
  for (const [title, notes] of NOTES) await api('memory.create', { body: { workspaceId, title, notes } });
  // How clear an answer is depends on the other notes: all of them are in the index first.
  for (const query of ['fortnight', 'knives', 'barrels'])
    await expect
      .poll(async () => (await api('memory.search', { body: { workspaceId, query } })).result.length)
      .toBeGreaterThan(0);
  await sitDown(context, server.url, owner);
  await page.goto(`${server.url}/${slug}/threads/new`);
  await page
    .getByRole('textbox', { name: 'First message' })
    .fill('How much brown and green does a compost heap need?');
  await page.keyboard.press('Enter');

  const answer = page.getByRole('article', { name: 'Answer', exact: true });
  await expect(answer.getByText(/two parts of brown to one part of green/)).toBeVisible();
  const sources = answer.getByRole('list', { name: 'Sources' });
  await expect(sources.getByRole('listitem').first()).toHaveText('[1]Compost basics');
  await expect(page.getByRole('status').filter({ hasText: 'The answer has arrived.' })).toBeAttached();
  expect(await lookFaults(page, 'light')).toEqual([]);
  await page.screenshot({ path: 'test-results/thread-answer.png' });
  await page.setViewportSize({ width: 390, height: 780 });
  expect(await screenFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: 'test-results/thread-answer-phone.png' });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });

  await sources.getByRole('link', { name: 'Compost basics' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Compost basics' })).toBeVisible();
  await page.keyboard.press('Escape');

  const field = page.getByRole('textbox', { name: /^Message in/ });
  await context.setOffline(true);
  await field.fill('What about the rain barrels in November?');
  await field.press('Enter');
  await expect(page.getByText('Saved here, sent when you are online')).toBeVisible();
  await expect(page.getByText('Looking through your memories…')).toHaveCount(0);
  await context.setOffline(false);
  await expect(answer.getByText(/store the hose indoors/)).toBeVisible();

  await field.fill('Zyzzyva quokka?');
  await field.press('Enter');
  await expect(answer.getByText('I found nothing about this in your memories.')).toBeVisible();
  await page.screenshot({ path: 'test-results/thread-answer-more.png', fullPage: true });
});
