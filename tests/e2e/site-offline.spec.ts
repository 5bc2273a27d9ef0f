/** The site and the application's shell open while the server process is dead. */
import { expect, test } from './support/stories.ts';

test('visited and unvisited public pages and the shell open after the server is killed', async ({
  page,
  ownServer,
}) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(ownServer.url);
  const heading = await page.getByRole('heading', { level: 1 }).innerText();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const holds = async (cache: string, part: string) =>
      (await (await caches.open(cache)).keys()).some(({ url }) => url.includes(part));
    // The worker fetches documents at leisure.
    const wanted = ['offline-and-sync', 'why-local-first', 'explore'];
    const ready = async () =>
      (await holds('pages', '/')) &&
      (await Promise.all(wanted.map((part) => holds('content', part)))).every(Boolean);
    while (!(await ready())) await new Promise((resolve) => setTimeout(resolve, 50));
  });
  await ownServer.kill();

  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
  await page.goto(`${ownServer.url}/docs/offline-and-sync`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Offline and sync');
  await page.goto(`${ownServer.url}/blog/why-local-first`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Why local-first');
  await page.goto(`${ownServer.url}/explore`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Explore');
  const shell = await page.goto(`${ownServer.url}/acme`);
  expect(shell?.status()).toBe(200);
  await expect(page).toHaveURL(/\/login\?redirect=/);
  const wayIn = await page.goto(`${ownServer.url}/reset-password`);
  expect([shell, wayIn].map((answer) => answer?.headers()['referrer-policy'])).toEqual([
    ...['strict-origin-when-cross-origin', 'no-referrer'],
  ]);
  await expect(page.locator('#root > *').first()).toBeAttached();
  expect(problems).toEqual([]);
});

test('what another application shares waits for the capture sheet', async ({ page, server }) => {
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  const landed = await page.evaluate(async () => {
    const form = new FormData();
    form.set('title', 'A page');
    form.set('url', 'https://example.com/');
    form.append('files', new File(['text'], 'note.md', { type: 'text/markdown' }));
    const answer = await fetch('/_share', { method: 'POST', body: form });
    return answer.url;
  });
  expect(landed).toBe(`${server.url}/_share?new=shared`);
  const kept = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('loci-shared');
        opening.addEventListener('success', () => {
          const all = opening.result.transaction('items').objectStore('items').getAll();
          all.addEventListener('success', () =>
            resolve(
              all.result.map((item) => [item.title, item.url, item.files.map((file: File) => file.name)]),
            ),
          );
        });
      }),
  );
  expect(kept).toEqual([['A page', 'https://example.com/', ['note.md']]]);
});
