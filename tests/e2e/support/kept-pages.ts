/** What the service worker has kept of the public site on this device. */
import type { Page } from '@playwright/test';

/** Paths in the cache of visited pages, or in that of what was fetched ahead; the caches are named after their build. */
export function keptPaths(page: Page, cache: 'pages' | 'content'): Promise<string[]> {
  return page.evaluate(async (wanted) => {
    const name = (await caches.keys()).find((key) => key.startsWith(`${wanted}-`));
    const requests = name === undefined ? [] : await (await caches.open(name)).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  }, cache);
}

/** Whether the files of the application are kept. */
export function isApplicationKept(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const worker = navigator.serviceWorker.controller?.scriptURL ?? '?site';
    return (
      !worker.includes('?site') && (await caches.match('/index.html', { ignoreSearch: true })) !== undefined
    );
  });
}
