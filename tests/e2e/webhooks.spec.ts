/** The page of webhooks: adding one, its secret, what was delivered, sending again, states, deleting, and who sees it. */
import type { Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { joinServer, proveAddress, sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { createReceiver, type Receiver } from '../support/webhook-receiver.ts';
import { LOOKS, LONG_LOOK, windowOf, type Look } from './support/looks.ts';
import { startStoryServer, type StoryServer } from './support/servers.ts';
import { lookFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

let receiver: Receiver;
test.beforeEach(async () => {
  receiver = await createReceiver();
});
test.afterEach(() => receiver.close());

const actionsOf = (page: Page, action: string) => async () => {
  await page.getByRole('button', { name: /^Actions for 127/ }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

test.describe('on a server that may send to this machine', () => {
  let reaching: StoryServer;
  test.beforeAll(async () => {
    reaching = await startStoryServer({ EGRESS: 'private' });
  });
  test.afterAll(() => reaching.dispose());

  test('a webhook is added, tested, fails, is sent again, changes and goes @long', async ({ browser }) => {
    const context = await browser.newContext({ baseURL: reaching.url });
    const page = await context.newPage();
    const hanna = await joinServer(reaching.url, 'hanna');
    await sitDown(context, reaching.url, hanna);
    await page.goto(`/${hanna.slug}/settings/webhooks`);
    await expect(page.getByText('Confirm your e-mail address to add webhooks.')).toBeVisible();
    await proveAddress(reaching.url, hanna);
    await page.goto(`/${hanna.slug}/settings`);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await expect(page.getByText('No webhooks', { exact: true })).toBeVisible();

    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByLabel('Address').fill('ftp://example.com');
    await dialog.getByRole('radio', { name: 'Chosen events' }).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByText('Must be an http or https address')).toBeVisible();
    await expect(dialog.getByText('Choose at least one event')).toBeVisible();
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByRole('checkbox', { name: 'Memory saved or changed' }).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();

    const shown = page.getByRole('dialog', { name: 'Signing secret' });
    const secret = await shown.getByLabel('Signing secret').inputValue();
    await page.mouse.click(5, 5);
    await expect(shown, 'a press beside it loses nothing').toBeVisible();
    await shown.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem');
    await expect(row).toContainText(receiver.url);
    await expect(row).toContainText('Active');
    await expect(row).toContainText('Memory saved or changed · sends what you can see');

    receiver.answer(500);
    await actionsOf(page, 'Send test event')();
    const log = page.getByRole('dialog', { name: 'Deliveries' });
    const delivery = log.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
    await expect(delivery).toContainText('The receiver answered 500');
    await expect(delivery).toContainText('Waiting');
    const [first] = receiver.received;
    if (!first) throw new Error('nothing came');
    const headers = Object.fromEntries(
      Object.entries(first.headers).map(([name, value]) => [name, String(value)]),
    );
    expect(new Webhook(secret).verify(first.body, headers)).toMatchObject({ type: 'webhook.test' });
    await page.keyboard.press('Escape');
    await expect(row).toContainText('Failing');

    // Gone for good: this disables the webhook, and the page says why.
    receiver.answer(410);
    await actionsOf(page, 'Send test event')();
    await expect(log.getByText('The receiver answered 410')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(row).toContainText('Disabled');
    await expect(row).toContainText('The receiver answered 410 Gone.');
    await page.getByRole('button', { name: /^Deliveries to/ }).click();
    await expect(log.getByText('Enable the webhook to send deliveries again.')).toBeVisible();
    await expect(log.getByRole('button', { name: /^Send again/ })).toHaveCount(0);
    await page.keyboard.press('Escape');

    receiver.answer(204);
    await actionsOf(page, 'Enable webhook')();
    await expect(row).toContainText('Active');
    await page.getByRole('button', { name: /^Deliveries to/ }).click();
    const before = receiver.received.length;
    // The newest; the first test event may have been tried once more meanwhile.
    await delivery
      .first()
      .getByRole('button', { name: /^Send again/ })
      .click();
    await expect(delivery.first()).toContainText('Delivered');
    await expect(delivery.first()).toContainText('1 attempt · answer 204');
    await expect.poll(() => receiver.received.length).toBeGreaterThan(before);
    await page.keyboard.press('Escape');

    await actionsOf(page, 'Edit…')();
    const edit = page.getByRole('dialog', { name: 'Edit webhook' });
    await edit.getByLabel('Description').fill('Search index');
    await edit.getByRole('radio', { name: 'All events' }).check();
    await edit.getByRole('button', { name: 'Save changes' }).click();
    await expect(row).toContainText('Search index');
    await expect(row).toContainText('All events');

    await actionsOf(page, 'Renew secret…')();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Renew secret' }).click();
    await expect(shown.getByLabel('Signing secret')).not.toHaveValue(secret);
    await shown.getByRole('button', { name: 'Done' }).click();

    await actionsOf(page, 'Delete…')();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click();
    await expect(page.getByText('No webhooks', { exact: true })).toBeVisible();
    await context.close();
  });
});

async function look(page: Page, name: string, mode: Look): Promise<void> {
  expect(await lookFaults(page, mode), name).toEqual([]);
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}-${mode}.png` });
}

for (const mode of LOOKS) {
  test(`webhooks in ${mode} have no accessibility fault`, LONG_LOOK, async ({ browser }) => {
    const reaching = await startStoryServer({ EGRESS: 'private' });
    const options = windowOf(mode, { width: 390, height: 780 });
    const context = await browser.newContext({ ...options, baseURL: reaching.url });
    const hanna = takePerson(reaching);
    await sitDown(context, reaching.url, hanna);
    const page = await context.newPage();
    await page.goto(`/${hanna.slug}/settings/webhooks`);
    await expect(page.getByText('No webhooks', { exact: true })).toBeVisible();
    await look(page, 'webhooks-empty', mode);
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByRole('radio', { name: 'Chosen events' }).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByText('Choose at least one event')).toBeVisible();
    await look(page, 'webhooks-new', mode);
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByLabel('Description').fill('Tells the search index of the museum');
    await dialog.getByRole('radio', { name: 'All events' }).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(page.getByLabel('Signing secret')).toHaveCount(2);
    await look(page, 'webhooks-secret', mode);
    await page.getByRole('button', { name: 'Done' }).click();
    receiver.answer(503);
    await actionsOf(page, 'Send test event')();
    await expect(page.getByText('The receiver answered 503')).toBeVisible();
    await look(page, 'webhooks-log', mode);
    await page.keyboard.press('Escape');
    await expect(page.getByText('Failing', { exact: true })).toBeVisible();
    await look(page, 'webhooks', mode);
    await actionsOf(page, 'Delete…')();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await look(page, 'webhooks-delete', mode);
    await context.close();
    await reaching.dispose();
  });
}
