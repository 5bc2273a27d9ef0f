/** The page of webhooks with its dialogs, log and states has no accessibility fault in light, dark and on a phone. */
import type { Page } from '@playwright/test';
import { sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { createReceiver, type Receiver } from '../support/webhook-receiver.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { startStoryServer } from './support/servers.ts';
import { lookAt } from './support/screen-faults.ts';
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
    await lookAt(page, 'webhooks-empty', mode);
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByRole('radio', { name: 'Chosen events' }).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByText('Choose at least one event')).toBeVisible();
    await lookAt(page, 'webhooks-new', mode);
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByLabel('Description').fill('Tells the search index of the museum');
    await dialog.getByRole('radio', { name: 'All events' }).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(page.getByLabel('Signing secret')).toHaveCount(2);
    await lookAt(page, 'webhooks-secret', mode);
    await page.getByRole('button', { name: 'Done' }).click();
    receiver.answer(503);
    await actionsOf(page, 'Send test event')();
    await expect(page.getByText('The receiver answered 503')).toBeVisible();
    await lookAt(page, 'webhooks-log', mode);
    await page.keyboard.press('Escape');
    await expect(page.getByText('Failing', { exact: true })).toBeVisible();
    await lookAt(page, 'webhooks', mode);
    await actionsOf(page, 'Delete…')();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await lookAt(page, 'webhooks-delete', mode);
    await context.close();
    await reaching.dispose();
  });
}
