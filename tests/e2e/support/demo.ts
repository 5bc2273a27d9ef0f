/** The person of the sample that every new server has. */
import { expect, type Page } from '@playwright/test';

/** How the demo person logs in. */
export const DEMO = { email: 'demo@example.com', password: 'remember-everything' } as const;

/** Through the form, until the first memories are shown; `url` is that of a server other than the shared one. */
export async function logInAsDemo(page: Page, url = ''): Promise<void> {
  await page.goto(`${url}/login?redirect=%2Fdemo`);
  await page.getByLabel('E-mail').fill(DEMO.email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('list', { name: 'Home' }).getByRole('link').first()).toBeVisible();
}
