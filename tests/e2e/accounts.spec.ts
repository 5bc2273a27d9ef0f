/**
 * Ways back into an account and proofs of its address, through the mails that the server really writes; and how these
 * pages look in light, dark and on a phone.
 */
import type { Page } from '@playwright/test';
import { codeIn } from '../support/mail-secrets.ts';
import { apiAt, joinServer, sitDown, STORY_PASSWORD } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { LOOKS, LONG_LOOK, windowOf, type Look } from './support/looks.ts';
import { linkIn, mailTo } from './support/outbox.ts';
import { lookFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

const NEW_PASSWORD = 'an even longer sentence';

test('a forgotten password is replaced by a mailed link, which works once', async ({ page, server }) => {
  const olga = takePerson(server);
  await sitDown(page.context(), server.url, olga);
  await page.goto('/login?clear=true');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot your password?');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('Required')).toBeVisible();
  await page.getByLabel('E-mail').fill(olga.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your mail');

  const link = linkIn(await mailTo(server.url, olga.email, 'Reset your password'));
  await page.goto(link);
  const field = page.getByLabel('New password');
  await field.fill('short');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('At least 8 characters')).toBeVisible();
  await field.fill(olga.email);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText(/^Too easy to guess/)).toBeVisible();
  await field.fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your password was changed');
  await expect(olga.api('auth.whoami', {})).rejects.toMatchObject({ status: 401 });

  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('E-mail').fill(olga.email);
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('The e-mail address or the password is wrong')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(new RegExp(`/${olga.slug}$`));

  await page.goto(link);
  await page.getByLabel('New password').fill('one more sentence that is long');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
  await page.getByRole('link', { name: 'Send a new link' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
});

test('a new account confirms its address with a code, the newest one only', async ({ page, server }) => {
  const email = 'paula@example.org';
  const subject = 'Confirm your e-mail address';
  await page.goto('/signup');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your e-mail address');
  const first = codeIn(await mailTo(server.url, email, subject));
  await page.getByRole('button', { name: 'Send a new code' }).click();
  await expect(page.getByText(/^A new code is on its way to paula@example.org/)).toBeVisible();
  const second = codeIn(await mailTo(server.url, email, subject, 2));
  const confirm = page.getByRole('button', { name: 'Confirm address' });
  await page.getByLabel('Code').fill('12345');
  await confirm.click();
  await expect(page.getByText('Enter the six digits of the mail')).toBeVisible();
  await page.getByLabel('Code').fill(first);
  await confirm.click();
  await expect(page.getByText(/^This code is wrong or has expired/)).toBeVisible();
  await page.getByLabel('Code').fill(second);
  await confirm.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What is your name?');
  await page.goto('/onboarding/verify-email');
  await expect(page, 'a proven address has nothing to do here').toHaveURL(/\/onboarding\/profile$/);
});

test('a mailed link confirms the address from the settings, in the account that asked for it only @long', async ({
  page,
  browser,
  server,
}) => {
  // People who are taken have proven theirs.
  const sana = await joinServer(server.url, 'sana');
  const tara = await joinServer(server.url, 'tara');
  await sitDown(page.context(), server.url, sana);
  await page.goto(`/${sana.slug}/settings`);
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(page.getByText('Not confirmed')).toBeVisible();
  await page.getByRole('link', { name: 'Confirm address' }).click();
  await expect(page.getByText(/^Enter the code that was mailed to/)).toBeVisible();
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(new RegExp(`/${sana.slug}/settings/account$`));

  const link = linkIn(await mailTo(server.url, sana.email, 'Confirm your e-mail address'));
  const elsewhere = await browser.newContext();
  await sitDown(elsewhere, server.url, tara);
  const other = await elsewhere.newPage();
  await other.goto(link);
  await other.getByRole('button', { name: 'Confirm address' }).click();
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
  await other.getByRole('link', { name: 'Enter a code' }).click();
  await expect(other.getByLabel('Code')).toBeVisible();
  await elsewhere.close();

  await page.goto(link);
  expect((await sana.api('auth.whoami', {})).result.emailVerified, 'opening proves nothing').toBe(false);
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await expect(page).toHaveURL(new RegExp(`/${sana.slug}$`));
  await page.goto(`/${sana.slug}/settings/account`);
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible();
});

test('another address counts once the code sent to it was entered, and the old one is told @long', async ({
  page,
  server,
}) => {
  const wera = takePerson(server);
  const wanted = 'wera@new.example.org';
  await sitDown(page.context(), server.url, wera);
  await page.goto(`/${wera.slug}/settings/account`);
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByLabel('New e-mail address').fill('nonsense');
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText('Invalid email')).toBeVisible();
  await page.getByLabel('New e-mail address').fill(wanted);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText(`${wanted} replaces it once`)).toBeVisible();
  await page.getByRole('button', { name: 'Cancel change' }).click();
  await expect(page.getByRole('button', { name: 'Change address' })).toBeVisible();

  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByLabel('New e-mail address').fill(wanted);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('link', { name: 'Enter code' }).click();
  const mail = await mailTo(server.url, wanted, 'Confirm your new e-mail address', 2);
  await expect(page.getByText(`Enter the code that was mailed to ${wanted}`)).toBeVisible();
  await page.getByLabel('Code').fill(codeIn(mail));
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await expect(page).toHaveURL(new RegExp(`/${wera.slug}/settings/account$`));
  await expect(page.getByText(wanted, { exact: true })).toBeVisible();

  const notice = await mailTo(server.url, wera.email, 'Your e-mail address was changed');
  await page.goto(linkIn(notice));
  await page.getByLabel('New password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your password was changed');
  const body = { email: wera.email, password: NEW_PASSWORD };
  expect((await apiAt(server.url)('auth.login', { body })).result.user.email).toBe(wera.email);
});

test('deleting the account names what goes with it, and logging in keeps it @long', async ({
  page,
  server,
}) => {
  const yara = takePerson(server);
  await sitDown(page.context(), server.url, yara);
  await page.goto(`/${yara.slug}/settings/account`);
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question.getByText(/^Deleted with everything in them/)).toBeVisible();
  await expect(question.getByText(`Notes of ${yara.name}`, { exact: true })).toBeVisible();
  const confirm = question.getByRole('button', { name: 'Delete account' });
  await expect(confirm).toBeDisabled();
  await question.getByRole('textbox').fill(yara.email);
  await confirm.click();
  await expect(page.getByText(/^Your account will be deleted on \w+ \d+, \d{4}/)).toBeVisible();
  await expect(yara.api('auth.whoami', {})).rejects.toMatchObject({ status: 401 });
  const replicas = async () =>
    (await page.evaluate(async () => (await indexedDB.databases()).map(({ name = '' }) => name))).filter(
      (name) => name.startsWith('rep:'),
    );
  await expect.poll(replicas).toEqual([]);
  await page.getByLabel('E-mail').fill(yara.email);
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(new RegExp(`/${yara.slug}$`));
});

async function look(page: Page, name: string, mode: Look): Promise<void> {
  expect(await lookFaults(page, mode), name).toEqual([]);
  const folder = process.env['SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}-${mode}.png`, fullPage: true });
}

for (const mode of LOOKS) {
  test(
    `pages of lost passwords in ${mode} have no accessibility fault`,
    LONG_LOOK,
    async ({ browser, server }) => {
      const options = windowOf(mode, { width: 390, height: 780 });
      const context = await browser.newContext({ ...options, baseURL: server.url });
      const page = await context.newPage();
      await page.goto('/login');
      await expect(page.getByRole('link', { name: 'Forgot password?' })).toBeVisible();
      await look(page, 'login', mode);
      await page.goto('/forgot-password');
      await page.getByRole('button', { name: 'Send link' }).click();
      await expect(page.getByText('Required')).toBeVisible();
      await look(page, 'forgot-password', mode);
      await page.getByLabel('E-mail').fill(`newcomer-${mode}@example.org`);
      await page.getByRole('button', { name: 'Send link' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your mail');
      await look(page, 'forgot-password-sent', mode);
      await page.goto('/reset-password#token=abc');
      await page.getByLabel('New password').fill(NEW_PASSWORD);
      await look(page, 'reset-password', mode);
      await page.getByRole('button', { name: 'Change password' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
      await look(page, 'reset-password-dead', mode);

      const newcomer = await apiAt(server.url)('auth.signup', {
        body: { email: `verifies-${mode}@example.org`, password: STORY_PASSWORD },
      });
      await sitDown(context, server.url, newcomer.result);
      await page.goto('/onboarding/verify-email');
      await page.getByLabel('Code').fill('123');
      await page.getByRole('button', { name: 'Send a new code' }).click();
      await expect(page.getByText(/^A new code is on its way/)).toBeVisible();
      await look(page, 'verify-email', mode);
      await page.goto('/onboarding/verify-email#token=abc');
      await page.reload();
      await page.getByRole('button', { name: 'Confirm address' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
      await look(page, 'verify-email-dead', mode);
      await context.close();
    },
  );
}
