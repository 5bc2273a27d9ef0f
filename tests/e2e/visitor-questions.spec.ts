/** A visitor asks a public space, from the switch of its owner to the page of the answer. */
import { sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { fillPlace } from '../support/shared-place.ts';
import { LONG_LOOK } from './support/looks.ts';
import { lookAt } from './support/screen-faults.ts';
import { expect, started, test } from './support/stories.ts';

const QUESTION = 'Which pool keeps its water longest?';

test('the owner switches questions off and on in the share dialog, and a visitor asks by keyboard @long', async ({
  browser,
  page,
  server,
}) => {
  const place = await fillPlace(takePerson(server), 3);
  await page.goto(place.space);
  const field = page.getByRole('textbox', { name: 'Ask this space' });
  await expect(field).toHaveCount(1);
  const owner = await browser.newContext({ baseURL: server.url });
  await sitDown(owner, server.url, place.owner);
  const inside = await owner.newPage();
  await inside.goto(`/${place.owner.slug}/spaces/tide-pools`);
  await inside.getByRole('button', { name: 'Share', exact: true }).click();
  const allowed = inside.getByRole('switch', { name: 'Visitors may ask your public spaces' });
  await allowed.click();
  const fields = async () => {
    await page.reload();
    return field.count();
  };
  await expect.poll(fields).toBe(0);
  await allowed.click();
  await expect.poll(fields).toBe(1);
  await started(page);
  await field.fill(QUESTION);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Ask', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: QUESTION })).toBeVisible();
  const sources = page.getByRole('list', { name: 'Sources' });
  await expect(page.getByText('keeps its water longest').last()).toBeVisible();
  await sources.getByRole('link', { name: 'Limpets find home 2' }).first().click();
  await expect(page).toHaveURL(new RegExp(`${place.memory}$`));
  await inside.goto(`/${place.owner.slug}/threads?view=visitors`);
  await inside.getByRole('link', { name: QUESTION }).click();
  await expect(inside.getByRole('article', { name: 'Message from Visitor' })).toBeVisible();
  await owner.close();
});

test('asks on in the same tab, and no other visitor can, until the owner switches questions off @long', async ({
  page,
  server,
  browser,
}) => {
  const place = await fillPlace(takePerson(server), 3);
  await page.goto(place.space);
  await started(page);
  await page.getByRole('textbox', { name: 'Ask this space' }).fill(QUESTION);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: QUESTION })).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Ask a follow-up question' });
  await expect(field).toBeVisible();
  const messages = page.getByRole('list', { name: 'Messages' }).locator('> li');
  await expect(messages).toHaveCount(2);

  await field.fill('And why?');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(messages).toHaveCount(4);
  await expect(messages.nth(2)).toContainText('And why?');
  // By itself it names nothing that the space has.
  await expect(messages.nth(3)).toContainText('keeps its water longest');
  await expect(page.getByRole('status').filter({ hasText: 'The answer has arrived.' })).toBeAttached();
  await expect(field).toHaveValue('');
  await page.reload();
  await started(page);
  await expect(field).toBeVisible();
  await expect(messages).toHaveCount(4);

  const stranger = await browser.newContext({ baseURL: server.url });
  const other = await stranger.newPage();
  await other.goto(page.url());
  await started(other);
  await expect(other.getByRole('list', { name: 'Messages' }).locator('> li')).toHaveCount(4);
  await expect(other.getByRole('textbox', { name: 'Ask a follow-up question' })).toBeHidden();
  await stranger.close();

  const { api, workspaceId } = place.owner;
  await api('workspace.update', { params: { workspaceId }, body: { publicChat: false } });
  await field.fill('And the others?');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(page.getByText('This space does not take questions from visitors.')).toBeVisible();
  await expect(field).toHaveValue('And the others?');
  await expect(messages).toHaveCount(4);
  const fields = async () => {
    await page.reload();
    return field.count();
  };
  await expect.poll(fields).toBe(0);
});

for (const [look, colorScheme, width] of [
  ['light', 'light', 1280],
  ['dark', 'dark', 1280],
  ['phone', 'light', 390],
] as const) {
  test(`the question box and its answer have no fault: ${look}`, LONG_LOOK, async ({ page, server }) => {
    const place = await fillPlace(takePerson(server), 2);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${place.space}?asked=later`);
    await started(page);
    await lookAt(page, 'ask-refused', look);
    await page.goto(place.space);
    await started(page);
    await lookAt(page, 'ask', look);
    await page.getByRole('textbox', { name: 'Ask this space' }).fill(QUESTION);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: QUESTION })).toBeVisible();
    await started(page);
    await lookAt(page, 'answer', look);
  });
}
