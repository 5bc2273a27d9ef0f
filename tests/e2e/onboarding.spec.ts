/** Onboarding that is left and gone on with: each step is found again after another log-in, and leads to a workspace with notes. */
import type { Browser } from '@playwright/test';
import { STORY_PASSWORD } from '../support/person.ts';
import { expect, test } from './support/stories.ts';

const EMAIL = 'quentin@example.org';

/** Another device: nothing is known of the person there. */
async function logInAnew(browser: Browser, url: string) {
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  return page;
}

test('onboarding goes on where it was left, on another device too @long', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  const title = page.getByRole('heading', { level: 1 });
  await page.goto('/signup');
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(STORY_PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(title).toHaveText('Confirm your e-mail address');
  await context.close();

  const second = await logInAnew(browser, server.url);
  await expect(second.getByRole('heading', { level: 1 })).toHaveText('What is your name?');
  await second.goto('/onboarding/create-workspace');
  await second.getByLabel('Name').fill('Left behind');
  await second.goto('/onboarding');
  await expect(second.getByRole('heading', { level: 1 })).toHaveText('What is your name?');
  await second.getByLabel('First name').fill('Quentin');
  await second.getByRole('button', { name: 'Continue' }).click();
  await expect(second.getByRole('heading', { level: 1 })).toHaveText('Create a workspace');
  await expect(second.getByLabel('Name'), 'what was typed is there again').toHaveValue('Left behind');
  await second.context().close();

  const third = await logInAnew(browser, server.url);
  await expect(third.getByRole('heading', { level: 1 })).toHaveText('Create a workspace');
  await third.getByLabel('Name').fill('Field notes of Quentin');
  await third.getByRole('radio', { name: /sample/i }).check();
  await third.getByRole('button', { name: 'Create workspace' }).click();
  await expect(third).toHaveURL(/\/field-notes-of-quentin$/);
  await expect(third.getByRole('link', { name: 'Start here' })).toBeVisible();
  await third.goto('/onboarding');
  await expect(third, 'nothing is left to do').toHaveURL(/\/field-notes-of-quentin$/);
  await third.context().close();
});
