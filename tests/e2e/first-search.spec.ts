/** To find something, people do not wait for the application: the key and the words count from the first moment. */
import { logInAsDemo } from './support/demo.ts';
import { expect, test } from './support/stories.ts';

test.use({ serviceWorkers: 'block' });

test('a search that begins before the application is there goes on in the palette', async ({ page }) => {
  await logInAsDemo(page);
  const application = Promise.withResolvers<void>();
  await page.route(/\/assets\/application-[^/]+\.js$/u, async (route) => {
    await application.promise;
    await route.continue();
  });
  await page.goto('/demo', { waitUntil: 'commit' });
  // The first script listens from some moment on; then the key is its own and no longer the browser's.
  await expect
    .poll(() =>
      page.evaluate(() => {
        const press = { key: 'k', ctrlKey: true, bubbles: true, cancelable: true };
        return !document.documentElement.dispatchEvent(new KeyboardEvent('keydown', press));
      }),
    )
    .toBe(true);
  await page.keyboard.type('>impp');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('ort');
  application.resolve();
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await expect(palette.getByRole('combobox')).toHaveValue('>import');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await expect(palette.getByRole('option', { name: 'Import notes', selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Import notes' })).toBeVisible();
});
