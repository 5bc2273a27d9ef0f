/**
 * Other ways into an account in a real browser: GitHub and Google as servers on this machine, passkeys in Chromium's
 * virtual authenticator, and codes of an authenticator app.
 */
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { startGithub, startGoogle, type LocalProvider } from '../support/identity-providers.ts';
import { sitDown, STORY_PASSWORD, type Person } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { mailTo } from './support/outbox.ts';
import { startStoryServer, type StoryServer } from './support/servers.ts';
import { lookAt } from './support/screen-faults.ts';
import { expect, test as base } from './support/stories.ts';
import { addAuthenticator } from './support/virtual-authenticator.ts';

interface Providers {
  github: LocalProvider;
  google: LocalProvider;
  server: StoryServer;
}

const test = base.extend<{ providers: Providers }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's shape.
  providers: async ({}, run) => {
    const [github, google] = [await startGithub(), await startGoogle()];
    const server = await startStoryServer({ ...github.env, ...google.env });
    github.allow(server.url);
    google.allow(server.url);
    await run({ github, google, server });
    await server.dispose();
    await github.close();
    await google.close();
  },
});

const PERSON = { id: '4711', name: 'Grace Hopper', email: 'grace@example.org', verified: true };
const STEP_MS = 30_000;
const OLD_SESSION = {
  status: 403,
  json: {
    success: false,
    error: {
      message: 'Forbidden',
      detail: 'Confirm that it is you to do this',
      code: 'confirmation_required',
    },
  },
};

async function logOut(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.cookie = 'auth_session=; Max-Age=0; Path=/';
    localStorage.clear();
  });
}

async function openAccount(page: Page, url: string, person: Person): Promise<void> {
  await sitDown(page.context(), url, person);
  await page.goto(`${url}/${person.slug}/settings/account`);
}

test('a newcomer signs up with GitHub, comes back with it, and connects Google @long', async ({
  page,
  providers,
}) => {
  const { github, google, server } = providers;
  github.person = PERSON;
  await page.goto(`${server.url}/login`);
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create a workspace');
  await page.getByLabel('Name').fill('Compilers');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page).toHaveURL(/\/compilers$/);

  await logOut(page);
  await page.goto(`${server.url}/compilers/settings/account`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in');
  await page.getByRole('button', { name: 'Continue with GitHub' }).click();
  await expect(page, 'where the person wanted to go').toHaveURL(/\/compilers\/settings\/account$/);
  await expect(page.getByText('Your account has no password.')).toBeVisible();

  google.person = { ...PERSON, id: 'g-1', email: 'grace.hopper@example.net' };
  await page.getByRole('button', { name: 'Connect Google' }).click();
  await expect(page.getByText('Google connected', { exact: true })).toBeVisible();
  await mailTo(server.url, PERSON.email, 'Google was connected to your account');
  await page.getByRole('button', { name: 'Disconnect GitHub' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('GitHub disconnected', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Disconnect Google' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText(/^This is the only way into your account/)).toBeVisible();
});

test('a passkey is added, logs in without password, and confirms an old session', async ({
  page,
  server,
}) => {
  const nora = takePerson(server);
  await addAuthenticator(page);
  await openAccount(page, server.url, nora);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Passkey added', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Remove passkey Chrome/ })).toBeVisible();

  await logOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(new RegExp(`/${nora.slug}$`));

  // What the server answers to a session of more than twelve hours; the question after it is real.
  await page.route('**/v1/auth/export', (route) => route.fulfill(OLD_SESSION), { times: 1 });
  await page.goto(`/${nora.slug}/settings/account`);
  await page.getByRole('button', { name: 'Download my data' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const confirmed = page.waitForResponse('**/v1/auth/confirm');
  const download = page.waitForEvent('download');
  await question.getByRole('button', { name: 'Use a passkey' }).click();
  expect((await confirmed).status()).toBe(200);
  expect((await download).suggestedFilename()).toBe('loci-account.zip');

  await page.getByRole('button', { name: /^Remove passkey Chrome/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove passkey' }).click();
  await expect(page.getByText('Passkey removed', { exact: true })).toBeVisible();
  await logOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('This passkey was not accepted.')).toBeVisible();
});

test('codes of an app are asked for after the password, and a recovery code takes their place @long', async ({
  page,
  server,
}) => {
  const otto = takePerson(server);
  await openAccount(page, server.url, otto);
  await page.getByRole('button', { name: 'Set up an app' }).click();
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const secret = (await page.locator('code').first().innerText()).replaceAll(' ', '');
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  await page.getByLabel('Code of the app').fill('12');
  await page.getByRole('button', { name: 'Turn on codes' }).click();
  await expect(page.getByText('Enter the six digits of the app')).toBeVisible();
  await page.getByLabel('Code of the app').fill(app.generate());
  await page.getByRole('button', { name: 'Turn on codes' }).click();
  const items = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(items).toHaveCount(10);
  const codes = await items.allInnerTexts();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('10 recovery codes left')).toBeVisible();

  const logIn = async (code: string) => {
    await logOut(page);
    await page.goto('/login');
    await page.getByLabel('E-mail').fill(otto.email);
    await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Enter a code');
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Log in' }).click();
  };
  // What no app shows around now.
  const near = [-1, 0, 1, 2].map((steps) => app.generate({ timestamp: Date.now() + steps * STEP_MS }));
  await logIn(['000000', '111111', '222222', '333333', '444444'].find((code) => !near.includes(code)) ?? '');
  await expect(page.getByText('This code is wrong or was used before')).toBeVisible();
  await page.getByLabel('Code').fill(app.generate({ timestamp: Date.now() + STEP_MS }));
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(new RegExp(`/${otto.slug}$`));
  await logIn(codes[0] ?? '');
  await expect(page).toHaveURL(new RegExp(`/${otto.slug}$`));
  await logIn(codes[0] ?? '');
  await expect(page.getByText('This code is wrong or was used before')).toBeVisible();
});

for (const mode of LOOKS) {
  test(`log-in pages and settings look right: ${mode}`, LONG_LOOK, async ({ browser, providers }) => {
    const { server } = providers;
    const context = await browser.newContext({ baseURL: server.url, ...windowOf(mode) });
    const page = await context.newPage();
    await page.goto('/login');
    await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
    await lookAt(page, 'login-ways', mode);
    const pia = takePerson(server);
    await addAuthenticator(page);
    await openAccount(page, server.url, pia);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.getByRole('button', { name: /^Remove passkey/ })).toBeVisible();
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
    await lookAt(page, 'settings-ways-in', mode);
    await context.close();
  });
}
