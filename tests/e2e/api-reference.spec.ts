/** The API reference for its readers: calls that are tried with a key. */
import type { Page } from '@playwright/test';
import { ALIVE_BUDGET } from '../support/page-budgets.ts';
import { takePerson } from '../support/ready-people.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { lookFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';
import { watch, weightOf } from './support/visit.ts';

// A robot would get plain text.
test.use({
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
});

const MEMORIES = '/docs/api/reference/memories';
const LIST = 'GET /v1/memories/{workspaceId}';
const REMOVE = 'DELETE /v1/memories/{workspaceId}/{id}';

/** Opens the form of a call. */
async function tryCall(page: Page, call: string) {
  await page.getByRole('button', { name: `Try it: ${call}`, exact: true }).click();
  const form = page.getByRole('form', { name: `Try ${call}`, exact: true });
  await expect(form).toBeVisible();
  return form;
}

test('a call is tried with a key, which stays in the tab until it is forgotten @long', async ({
  page,
  server,
}) => {
  const nora = takePerson(server);
  const { api, workspaceId } = nora;
  const { result: key } = await api('api_key.create', {
    body: { workspaceId, name: 'Docs', scopes: ['memories:read', 'memories:write', 'workspaces:read'] },
  });
  const { result: memory } = await api('memory.create', { body: { workspaceId, title: 'A tide table' } });
  const { scripts, foreign, complaints } = watch(page, server.url);
  await page.goto(MEMORIES);
  const form = await tryCall(page, LIST);
  await form.getByRole('button', { name: 'Send request' }).click();
  await expect(form.getByRole('alert')).toHaveText('Enter your API key.');
  await expect(form.getByLabel('API key')).toBeFocused();
  await form.getByLabel('API key').fill(key.secret);
  await form.getByLabel('API key').press('Tab');
  await expect(form.getByLabel('workspaceId')).toHaveValue(workspaceId);
  await form.getByText('Optional query parameters').click();
  await form.getByLabel('title', { exact: true }).fill('A tide table');
  await form.getByLabel('title', { exact: true }).press('Enter');
  const response = form.getByRole('region', { name: 'Response' });
  await expect(response.getByRole('status')).toHaveText(/^200 OK in \d+ ms$/);
  await expect(response.getByText('x-request-id')).toBeVisible();
  await expect(response.getByText(/^"read";r=\d+/)).toBeVisible();
  await expect(response.getByText(`"id": "${memory.id}"`)).toBeVisible();
  await form.getByLabel('perPage').fill('0');
  await form.getByRole('button', { name: 'Send request' }).click();
  await expect(response.getByText(/^perPage: Must be a whole number/)).toBeVisible();
  expect(weightOf(scripts), JSON.stringify([...scripts])).toBeLessThanOrEqual(ALIVE_BUDGET);

  await page.reload();
  const removal = await tryCall(page, REMOVE);
  await expect(removal.getByLabel('API key'), 'the tab has it still').toHaveValue(key.secret);
  await expect(removal.getByLabel('workspaceId')).toHaveValue(workspaceId);
  await removal.getByLabel('id', { exact: true }).fill(memory.id);
  await removal.getByRole('button', { name: 'Send request' }).click();
  await expect(removal.getByText(`Send DELETE /v1/memories/${workspaceId}/${memory.id}?`)).toBeVisible();
  await removal.getByRole('button', { name: 'Cancel' }).click();
  await expect(removal.getByRole('button', { name: 'Send request' })).toBeFocused();
  const isThere = async () =>
    (await api('memory.list', { params: { workspaceId }, query: { title: 'A tide table' } })).meta.total;
  expect(await isThere()).toBe(1);
  await removal.getByRole('button', { name: 'Send request' }).click();
  await removal.getByRole('button', { name: 'Send DELETE request' }).click();
  await expect(removal.getByRole('status')).toHaveText(/^200 OK/);
  expect(await isThere()).toBe(0);

  await removal.getByRole('button', { name: 'Forget key' }).click();
  expect(
    await page.evaluate(
      (secret) => JSON.stringify({ ...sessionStorage, ...localStorage }).includes(secret),
      key.secret,
    ),
  ).toBe(false);
  await page.keyboard.press('Escape');
  await expect(removal).toBeHidden();
  await expect(page.getByRole('button', { name: `Try it: ${REMOVE}`, exact: true })).toBeFocused();
  expect(foreign).toEqual([]);
  // The browser itself reports the refused request, and the service worker that this file blocks.
  expect(complaints.filter((line) => !/400 \(Bad Request\)|service worker/i.test(line))).toEqual([]);
});

for (const mode of LOOKS) {
  test(`the form of a call in ${mode}`, LONG_LOOK, async ({ browser, server }) => {
    const context = await browser.newContext({ ...windowOf(mode), baseURL: server.url });
    const page = await context.newPage();
    await page.goto(MEMORIES);
    const form = await tryCall(page, REMOVE);
    await form.getByLabel('API key').fill('sk_none');
    await form.getByRole('button', { name: 'Send request' }).click();
    await expect(form.getByRole('button', { name: 'Send DELETE request' })).toBeVisible();
    expect(await lookFaults(page, mode)).toEqual([]);
    await form.getByRole('button', { name: 'Send DELETE request' }).click();
    await expect(form.getByRole('status')).toHaveText(/^401 Unauthorized/);
    expect(await lookFaults(page, mode)).toEqual([]);
    await context.close();
  });
}
