/**
 * Ways back into an account and proofs of its address, through the mails that the server really writes; and how these
 * pages look in light, dark and on a phone.
 */
import { COOKIES } from '#shared/constants.ts';
import { codeIn } from '../support/mail-secrets.ts';
import { apiAt, sitDown, STORY_PASSWORD } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { LOOKS, LONG_LOOK, windowOf } from './support/looks.ts';
import { linkIn, mailTo } from './support/outbox.ts';
import { lookAt } from './support/screen-faults.ts';
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

test('a log-in leads back to path, query and hash, also when the session has ended', async ({
  page,
  server,
}) => {
  const olga = takePerson(server);
  const there = `/${olga.slug}/settings/members?from=mail#list`;
  const logIn = async () => {
    await expect(page).toHaveURL(/\/login\?.*redirect=.*members%3Ffrom%3Dmail%23list$/);
    await page.getByLabel('E-mail').fill(olga.email);
    await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(server.url + there);
  };
  await page.goto(there);
  await logIn();
  const cookies = await page.context().cookies();
  const token = cookies.find(({ name }) => name === COOKIES.session)?.value;
  await apiAt(server.url, token)('auth.logout', {});
  await page.reload();
  await logIn();
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

test('a log-in and every later visit lead to the proof of the address until there is a workspace', async ({
  page,
  server,
}) => {
  const email = 'pavel@example.org';
  const { result } = await apiAt(server.url)('auth.signup', { body: { email, password: STORY_PASSWORD } });
  await apiAt(server.url, result.token)('auth.update', { body: { forename: 'Pavel' } });
  const title = page.getByRole('heading', { level: 1 });
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(title).toHaveText('Confirm your e-mail address');
  await page.reload();
  await expect(title).toHaveText('Confirm your e-mail address');
  await page.getByRole('link', { name: 'Skip this step' }).click();
  await expect(title).toHaveText('Create a workspace');
  await page.goto('/login');
  await expect(title).toHaveText('Confirm your e-mail address');
  await page.getByRole('link', { name: 'Skip this step' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Pavel writes');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page).toHaveURL(/\/pavel-writes$/);
  await page.goto('/login');
  await expect(page).toHaveURL(/\/pavel-writes$/);
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
  await expect(page.getByText(/^Your account will be deleted on \d+ \w+ \d{4}/)).toBeVisible();
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
      await lookAt(page, 'login', mode);
      await page.goto('/forgot-password');
      await page.getByRole('button', { name: 'Send link' }).click();
      await expect(page.getByText('Required')).toBeVisible();
      await lookAt(page, 'forgot-password', mode);
      await page.getByLabel('E-mail').fill(`newcomer-${mode}@example.org`);
      await page.getByRole('button', { name: 'Send link' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your mail');
      await lookAt(page, 'forgot-password-sent', mode);
      await page.goto('/reset-password#token=abc');
      await page.getByLabel('New password').fill(NEW_PASSWORD);
      await lookAt(page, 'reset-password', mode);
      await page.getByRole('button', { name: 'Change password' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
      await lookAt(page, 'reset-password-dead', mode);

      const newcomer = await apiAt(server.url)('auth.signup', {
        body: { email: `verifies-${mode}@example.org`, password: STORY_PASSWORD },
      });
      await sitDown(context, server.url, newcomer.result);
      await page.goto('/onboarding/verify-email');
      await page.getByLabel('Code').fill('123');
      await page.getByRole('button', { name: 'Send a new code' }).click();
      await expect(page.getByText(/^A new code is on its way/)).toBeVisible();
      await lookAt(page, 'verify-email', mode);
      await page.goto('/onboarding/verify-email#token=abc');
      await page.reload();
      await page.getByRole('button', { name: 'Confirm address' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
      await lookAt(page, 'verify-email-dead', mode);
      await context.close();
    },
  );
}
