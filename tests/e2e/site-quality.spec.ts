/** What every public page must be: accessible in both colour modes and on a phone, light on the wire, quiet in the console, alone. */
import { AxeBuilder } from '@axe-core/playwright';
import { gzipSync } from 'node:zlib';
import { expect, test } from './support/stories.ts';

test.use({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36' });

const PAGES = [
  ...['/', '/explore', '/pricing', '/request-access', '/blog', '/blog/why', '/blog/how-sync-works'],
  ...['/docs', '/docs/api', '/no/such/page'],
];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** FRONTEND section 13. */
const SCRIPT_BUDGET = 115 * 1024;

const SCREENS = [
  { name: 'light', colorScheme: 'light', width: 1280, height: 800 },
  { name: 'dark', colorScheme: 'dark', width: 1280, height: 800 },
  { name: 'phone', colorScheme: 'light', width: 390, height: 844 },
] as const;

for (const { name, colorScheme, width, height } of SCREENS) {
  test(`axe finds nothing: ${name}`, async ({ page }) => {
    test.setTimeout(180_000);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    for (const path of PAGES) {
      await page.goto(path, { waitUntil: 'networkidle' });
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      expect([path, violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)]).toEqual([path, []]);
    }
  });
}

test('axe finds nothing with search and early access open', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Sign up' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect((await new AxeBuilder({ page }).withTags(RULES).analyze()).violations).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('combobox').fill('backup');
  await expect(page.getByRole('option').first()).toBeVisible();
  expect((await new AxeBuilder({ page }).withTags(RULES).analyze()).violations).toEqual([]);
});

test('scripts stay within 115 kB, nothing comes from elsewhere, nothing complains', async ({
  browser,
  server,
}) => {
  for (const path of PAGES.filter((each) => each !== '/no/such/page')) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const scripts = new Map<string, number>();
    const foreign: string[] = [];
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:'))
        foreign.push(request.url());
    });
    page.on('response', async (response) => {
      if (response.request().resourceType() !== 'script') return;
      scripts.set(response.url(), gzipSync(await response.body(), { level: 9 }).length);
    });
    await page.goto(server.url + path, { waitUntil: 'networkidle' });
    const total = [...scripts.values()].reduce((sum, size) => sum + size, 0);
    const biggest = [...scripts].sort(([, a], [, b]) => b - a).slice(0, 5);
    expect(total, `${path}: ${JSON.stringify(biggest)}`).toBeLessThanOrEqual(SCRIPT_BUDGET);
    expect(total).toBeGreaterThan(0);
    expect([path, foreign, complaints]).toEqual([path, [], []]);
    await context.close();
  }
});
