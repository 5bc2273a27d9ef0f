/** A guest on one space: named by e-mail, let in after log-in, at work offline, and out again when the grant ends. */
import type { Browser, Page } from '@playwright/test';
import { sitDown, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { expect, test } from './support/stories.ts';

test.use({ serviceWorkers: 'allow' });

async function seat(browser: Browser, server: ServerProcess, person: Person): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url });
  await sitDown(context, server.url, person);
  return context.newPage();
}

/** Pictures for people, where a folder is named. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

test('share a space with a guest, work offline, leave a share, take the rest back', async ({
  browser,
  server,
}) => {
  const [ann, gus] = [takePerson(server), takePerson(server)];
  const { workspaceId } = ann;
  const { result: space } = await ann.api('space.create', {
    body: { workspaceId, name: 'Harbour plans', visibility: 'private' },
  });
  await ann.api('memory.create', {
    body: { workspaceId, title: 'Crane on the north quay', spaceId: space.id },
  });
  await ann.api('memory.create', { body: { workspaceId, title: 'Wages of the crew' } });
  const { result: tides } = await ann.api('space.create', {
    body: { workspaceId, name: 'Tide tables', visibility: 'private_and_guests' },
  });
  await ann.api('space.update', {
    params: { workspaceId, id: tides.id },
    body: { grants: [{ email: gus.email, level: 'read' }] },
  });

  const annsPage = await seat(browser, server, ann);
  await annsPage.goto(`/${ann.slug}/spaces/${space.slug}`);
  await annsPage.getByRole('button', { name: 'Share', exact: true }).click();
  const named = annsPage.getByRole('radio', { name: /^Me and guests/ });
  await named.click();
  // Shown once the change is on the device.
  await expect(named).toBeChecked();
  await annsPage.getByLabel('E-mail of a guest').fill('no address');
  await annsPage.getByRole('button', { name: 'Add guest' }).click();
  await expect(annsPage.getByText('Invalid email')).toBeVisible();
  await annsPage.getByLabel('E-mail of a guest').fill(gus.email);
  await annsPage.getByLabel('What the guest can do').selectOption({ label: 'Can add and edit' });
  await annsPage.getByRole('button', { name: 'Add guest' }).click();
  const people = annsPage.getByRole('list', { name: 'People with access' });
  await expect(people.getByText(gus.email)).toBeVisible();
  await expect(people.getByText('Guest', { exact: true })).toBeVisible();
  await picture(annsPage, 'share-guests');

  const gussPage = await seat(browser, server, gus);
  await gussPage.goto(`/${ann.slug}/spaces/${space.slug}`);
  await expect(gussPage.getByText(`You are a guest in Notes of ${ann.name}.`)).toBeVisible();
  await expect(gussPage.getByRole('link', { name: 'Crane on the north quay' })).toBeVisible();
  await gussPage.getByRole('button', { name: /^Workspace/ }).click();
  await expect(gussPage.getByRole('menuitem', { name: /Guest/ })).toBeVisible();
  await picture(gussPage, 'guest-switcher');
  await gussPage.keyboard.press('Escape');
  await gussPage.goto(`/${ann.slug}`);
  await expect(gussPage.getByRole('link', { name: 'Crane on the north quay' })).toBeVisible();
  await expect(gussPage.getByRole('link', { name: 'Wages of the crew' })).toHaveCount(0);
  await picture(gussPage, 'guest-home');

  await gussPage.goto(`/${ann.slug}/spaces/${space.slug}`);
  await expect(gussPage.getByRole('link', { name: 'Crane on the north quay' })).toBeVisible();
  // From then on all parts of the application are on the device.
  await gussPage.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await gussPage.context().setOffline(true);
  await gussPage.getByRole('button', { name: 'Save a memory' }).click();
  const capture = gussPage.getByRole('dialog').getByRole('textbox', { name: 'Save a memory' });
  await capture.fill('Depth at the pier');
  await capture.press('Control+Enter');
  await expect(gussPage.getByRole('link', { name: 'Depth at the pier' })).toBeVisible();
  await gussPage.context().setOffline(false);
  await annsPage.keyboard.press('Escape');
  await expect(annsPage.getByRole('link', { name: 'Depth at the pier' })).toBeVisible();

  await gussPage.getByRole('link', { name: 'Your shares' }).click();
  const shares = gussPage.getByRole('list', { name: 'Shared with you' });
  await expect(shares.getByRole('listitem')).toHaveCount(2);
  await picture(gussPage, 'shares');
  await shares.getByRole('button', { name: 'Leave Tide tables' }).click();
  await picture(gussPage, 'shares-leave');
  await gussPage.getByRole('button', { name: 'Leave space' }).click();
  await expect(gussPage.getByRole('alertdialog')).toBeHidden();
  await expect(shares.getByRole('listitem')).toHaveCount(1);
  await expect(shares.getByRole('link', { name: 'Harbour plans' })).toBeVisible();
  await expect
    .poll(async () => (await gus.api('share.list', {})).result.map(({ name }) => name))
    .toEqual(['Harbour plans']);

  await annsPage.getByRole('button', { name: 'Share', exact: true }).click();
  await annsPage.getByRole('button', { name: 'View as someone else' }).click();
  await expect(annsPage.getByText('This space does not exist for a member.')).toBeVisible();
  await annsPage.getByRole('radio', { name: 'Guest', exact: true }).check();
  await expect(
    annsPage.getByText('Viewing as a guest of this space. Nothing can be changed here.'),
  ).toBeVisible();
  await expect(
    annsPage.getByRole('list', { name: 'What a guest of this space sees' }).getByText('Depth at the pier'),
  ).toBeVisible();
  await picture(annsPage, 'view-as');
  await annsPage.getByRole('button', { name: 'Exit' }).click();
  await annsPage.getByRole('button', { name: `Remove ${gus.email}` }).click();
  await expect(
    gussPage.getByRole('heading', { name: `You no longer have access to Notes of ${ann.name}.` }),
  ).toBeVisible();
  for (const page of [annsPage, gussPage]) await page.context().close();
});

test('a thread is seen as its guests see it @long', async ({ browser, server }) => {
  const ann = takePerson(server);
  const { workspaceId } = ann;
  const { result: thread } = await ann.api('thread.create', {
    body: { workspaceId, content: 'When does the crane arrive?', visibility: 'private_and_guests' },
  });
  const threadsPage = await seat(browser, server, ann);
  await threadsPage.goto(`/${ann.slug}/threads/${thread.id}`);
  await threadsPage.getByRole('button', { name: 'Actions for When does the crane arrive?' }).click();
  await threadsPage.getByRole('menuitem', { name: 'Share…' }).click();
  await threadsPage.getByRole('button', { name: 'View as someone else' }).click();
  await expect(threadsPage.getByText('This thread does not exist for a member.')).toBeVisible();
  await threadsPage.getByRole('radio', { name: 'Guest', exact: true }).click();
  await expect(
    threadsPage
      .getByRole('list', { name: 'What a guest of this thread sees' })
      .getByText('When does the crane arrive?'),
  ).toBeVisible();
  await picture(threadsPage, 'view-thread-as');
  await threadsPage.context().close();
});
