/** Every screen of accounts, onboarding and the home page, in light, dark and on a phone, has no accessibility fault. */
import { apiAt, sitDown, STORY_PASSWORD } from '../support/person.ts';
import { logInAsDemo } from './support/demo.ts';
import { LOOKS, lookIn, windowOf } from './support/looks.ts';
import { lookAt, screenFaults } from './support/screen-faults.ts';
import { expect, test } from './support/stories.ts';

for (const mode of LOOKS) {
  test(`screens in ${mode}`, lookIn(mode, 'light'), async ({ browser, server }) => {
    const options = windowOf(mode);
    const context = await browser.newContext({ ...options, baseURL: server.url });
    const page = await context.newPage();

    await page.goto('/signup');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await expect(page.getByText('Required').first()).toBeVisible();
    await lookAt(page, 'signup', mode);

    await logInAsDemo(page);
    await lookAt(page, 'home', mode);
    await page.keyboard.press('j');
    expect(await page.evaluate(() => scrollY)).toBe(0);

    await page.getByRole('list', { name: 'Home' }).getByRole('link', { name: 'Welcome to Loci' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.locator('.prose').first()).toBeVisible();
    await lookAt(page, 'memory', mode);
    await page.getByRole('radio', { name: 'Write' }).click();
    await lookAt(page, 'memory-write', mode);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();

    await page.keyboard.press('c');
    await page.getByRole('dialog').getByRole('textbox').fill('https://a.example\nhttps://b.example');
    await lookAt(page, 'capture', mode);
    await page.getByRole('dialog').getByRole('textbox').fill('');
    await page.keyboard.press('Escape');

    if (mode === 'phone') {
      await page.getByRole('button', { name: 'Open the sidebar' }).click();
      await lookAt(page, 'sidebar', mode);
      // Nowhere else is there a sidebar over the page.
      expect(await screenFaults(page)).toEqual([]);
    }
    await page.getByRole('button', { name: /^Sync: / }).click();
    await expect(page.getByRole('button', { name: 'Sync now' })).toBeVisible();
    await lookAt(page, 'sync', mode);
    await page.keyboard.press('Escape');

    await page.goto('/onboarding/create-workspace');
    await page.getByLabel('Name', { exact: true }).fill('Docs');
    await lookAt(page, 'create-workspace', mode);
    await page.goto('/onboarding/profile');
    await expect(page, 'a step that is done leads on').toHaveURL(/\/demo$/);
    await context.close();

    const fresh = await browser.newContext({ ...options, baseURL: server.url });
    const newcomer = await apiAt(server.url)('auth.signup', {
      body: { email: `newcomer-${mode}@example.org`, password: STORY_PASSWORD },
    });
    await sitDown(fresh, server.url, newcomer.result);
    const onboarding = await fresh.newPage();
    await onboarding.goto('/onboarding/profile');
    await expect(onboarding.getByLabel('First name')).toBeVisible();
    await lookAt(onboarding, 'profile', mode);
    await fresh.close();
  });
}
