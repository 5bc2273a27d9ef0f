/** Which files a page of the application asks for before its scripts run, and under which policy they run. */
import type { Page } from '@playwright/test';
import { logInAsDemo } from './support/demo.ts';
import { expect, test } from './support/stories.ts';

/** Files that the document names for the first list, and when each was asked for; scripts run from `parsed` on. */
async function firstFiles(page: Page) {
  return page.evaluate(() => {
    const named =
      document.querySelector<HTMLMetaElement>('meta[name="first-list"]')?.content.split(' ') ?? [];
    const begun = new Map(
      performance
        .getEntriesByType('resource')
        .map((entry) => [new URL(entry.name).pathname, entry.startTime]),
    );
    const [visit] = performance.getEntriesByType('navigation');
    const parsed = visit instanceof PerformanceNavigationTiming ? visit.domInteractive : 0;
    return { parsed, files: named.map((file) => ({ file, begun: begun.get(file) })) };
  });
}

/** From the log-in form to the first rows, with what may have begun behind them; the bundler decides the last few. */
const REQUESTS_MAX = 36;

test('the files of the first list are asked for at once, but not by pages that show a form', async ({
  page,
  baseURL,
}) => {
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(`${request.method()} ${request.url()}`));
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  const before = await firstFiles(page);
  const own = before.files.filter(({ file }) => file.includes('/first-list-'));
  expect(own.map(({ begun }) => begun)).toEqual([undefined]);

  await logInAsDemo(page, baseURL ?? '');
  expect(asked.size, [...asked].join('\n')).toBeLessThanOrEqual(REQUESTS_MAX);
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Save a memory' })).toBeVisible();
  const { parsed, files } = await firstFiles(page);
  for (const { file, begun } of files) expect(begun, file).toBeLessThan(parsed);
});

test('the shell that the service worker keeps runs under the policy of the page', async ({
  page,
  baseURL,
}) => {
  await logInAsDemo(page, baseURL ?? '');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Save a memory' })).toBeVisible();
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  const tried = await page.evaluate(() => {
    const script = document.createElement('script');
    try {
      script.textContent = 'document.documentElement.dataset.ran = "yes"';
      document.head.append(script);
    } catch (refusal) {
      return refusal instanceof TypeError ? 'refused' : String(refusal);
    }
    return document.documentElement.dataset['ran'] ?? 'refused';
  });
  expect(tried).toBe('refused');
});
