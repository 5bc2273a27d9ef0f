/** The ground under every other story: the program runs, serves a browser, and survives a kill. */
import { expect, test } from './support/stories.ts';

test('a killed server comes back on the same address', async ({ page, ownServer }) => {
  const first = await page.goto(`${ownServer.url}/healthz`);
  expect(first?.status()).toBe(200);
  await ownServer.kill();
  await expect(page.goto(`${ownServer.url}/healthz`)).rejects.toThrow(/ERR_CONNECTION_REFUSED/);
  await ownServer.start();
  // In a page of its own: the browser loads the one that failed again by itself, in the middle of what follows.
  const fresh = await page.context().newPage();
  const second = await fresh.goto(`${ownServer.url}/readyz`);
  expect(second?.status()).toBe(200);
});
