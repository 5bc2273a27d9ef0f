/**
 * Connecting a third-party application, which is a real one on this machine: signing in first, choosing what it
 * gets, and taking access back.
 */
import { sitDown, STORY_PASSWORD, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { startClientApp, type ClientApp } from './support/client-app.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { lookAt } from './support/screen-faults.ts';
import { expect, test as base } from './support/stories.ts';

const test = base.extend<{ app: ClientApp }>({
  app: async ({ server }, run) => {
    const app = await startClientApp(server.url, 'Paper Reader');
    await run(app);
    await app.close();
  },
});

/** A person whose workspace has two spaces. */
async function newOwner(server: ServerProcess): Promise<Person> {
  const owner = takePerson(server);
  for (const name of ['Garden', 'Harbour'])
    await owner.api('space.create', { body: { workspaceId: owner.workspaceId, name } });
  return owner;
}

const statusAt = async (url: string, token: string, path: string): Promise<number> =>
  (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;

test('a person signs in, grants one space for reading, and takes it back', async ({ page, server, app }) => {
  const owner = await newOwner(server);
  const { api, workspaceId } = owner;
  const { result: spaces } = await api('space.list', { params: { workspaceId }, query: {} });
  const [space] = spaces;
  if (!space) throw new Error('the workspace has no space');

  await page.goto(await app.begin());
  await expect(page).toHaveURL(/\/login\?/);
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Connect Paper Reader' })).toBeVisible();
  await expect(page.getByText('Unverified', { exact: true })).toBeVisible();
  await expect(page.getByText(`Signed in as ${owner.email}`)).toBeVisible();
  const permissions = page.getByRole('region', { name: 'Permissions' });
  await expect(permissions.getByText('Save, change and delete memories')).toBeVisible();
  await page.getByRole('radio', { name: 'Read only' }).check();
  await expect(permissions.getByText('Save, change and delete memories')).toBeHidden();
  await page.getByRole('radio', { name: 'Chosen spaces' }).check();
  await expect(permissions.getByText('Read your threads')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Allow access' })).toBeDisabled();
  await page.getByRole('checkbox', { name: space.name }).check();
  await page.getByRole('button', { name: 'Allow access' }).click();
  await expect(page.getByRole('heading', { name: 'Back in Paper Reader' })).toBeVisible();

  const outcome = await app.outcome();
  if (!('tokens' in outcome)) throw new Error(`refused: ${outcome.refused}`);
  const { access_token: token, scope } = outcome.tokens;
  expect(scope).toBe('openid profile offline_access memories:read spaces:read search:read');
  const answer = await fetch(`${server.url}/v1/spaces/${workspaceId}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const seen: { result: { id: string }[] } = await answer.json();
  expect(seen.result.map(({ id }) => id)).toEqual([space.id]);

  await page.goto(`/${owner.slug}/settings/apps`);
  const row = page.getByRole('listitem').filter({ hasText: 'Paper Reader' });
  await expect(row.getByText(space.name, { exact: true })).toBeVisible();
  await row.getByText('6 permissions').click();
  await expect(row.getByText('Read your memories')).toBeVisible();
  await row.getByRole('button', { name: 'Disconnect Paper Reader' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect app' }).click();
  await expect(page.getByText('Paper Reader was disconnected', { exact: true })).toBeVisible();
  await expect(page.getByText('Connect one from within the app.')).toBeVisible();
  expect(await statusAt(server.url, token, `/v1/spaces/${workspaceId}`)).toBe(401);
});

test('the choice of the last time stands, and the password is asked for after a long while @long', async ({
  page,
  server,
  app,
}) => {
  await sitDown(page.context(), server.url, await newOwner(server));
  await page.goto(await app.begin());
  await page.getByRole('radio', { name: 'Read only' }).check();
  await page.getByRole('button', { name: 'Allow access' }).click();
  await expect(page.getByRole('heading', { name: 'Back in Paper Reader' })).toBeVisible();

  let isStale = true;
  await page.route('**/v1/oauth/authorize', async (route) => {
    if (!isStale) return route.fallback();
    isStale = false;
    const error = {
      message: 'Forbidden',
      detail: 'Enter your password again',
      code: 'confirmation_required',
    };
    return route.fulfill({ status: 403, json: { success: false, error } });
  });
  await page.goto(await app.begin());
  await expect(page.getByRole('radio', { name: 'Read only' })).toBeChecked();
  await page.getByRole('button', { name: 'Allow access' }).click();
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toBeFocused();
  await password.fill('not the password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('This is not your password');
  await password.fill(STORY_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Back in Paper Reader' })).toBeVisible();
  expect(await app.outcome()).toHaveProperty('tokens');
});

for (const mode of LOOKS) {
  test(`consent and apps in ${mode}`, LONG_LOOK, async ({ browser, server, app }) => {
    const context = await browser.newContext({
      ...windowOf(mode, { width: 390, height: 780 }),
      baseURL: server.url,
    });
    const owner = await newOwner(server);
    await sitDown(context, server.url, owner);
    const page = await context.newPage();
    await page.goto(await app.begin());
    await expect(page.getByRole('button', { name: 'Allow access' })).toBeEnabled();
    await lookAt(page, 'consent', mode);
    await page.getByRole('radio', { name: 'Chosen spaces' }).check();
    await page.getByRole('checkbox').first().check();
    await lookAt(page, 'consent-spaces', mode);
    await page.getByRole('button', { name: 'Allow access' }).click();
    await expect(page.getByRole('heading', { name: 'Back in Paper Reader' })).toBeVisible();
    await app.outcome();
    await page.goto('/oauth/authorize?client_id=x');
    await expect(page.getByRole('heading', { name: 'This app could not be connected' })).toBeVisible();
    await lookAt(page, 'consent-refused', mode);
    await page.goto(`/${owner.slug}/settings/apps`);
    await expect(page.getByRole('button', { name: 'Disconnect Paper Reader' })).toBeVisible();
    await page.getByText(/permissions$/).click();
    await lookAt(page, 'apps', mode);
    await page.goto(`/${owner.slug}/settings/webhooks`);
    await page.getByRole('button', { name: 'Register OAuth client' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await lookAt(page, 'apps-register', mode);
    await context.close();
  });
}
