// The service worker (FRONTEND section 5): the application opens without a network, visited public pages stay readable,
// and what other applications share is kept. It never takes over from an older worker without being asked.
import { ExpirationPlugin } from 'workbox-expiration';
import { matchPrecache, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';
import { matchPage } from '#shared/page-match.ts';
import { PAGES } from '#shared/pages.ts';
import { REFERRER_POLICY, referrerPolicyOf } from '#shared/referrer-policy.ts';
import { keepSharedItem, sharedItemOf } from '#client/capture/shared-items.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };

const SHELL = '/index.html';
const PAGES_CACHE = 'pages';
const CONTENT_CACHE = 'content';
const CONTENT_FOLDER = '/assets/content/';
const NETWORK_PATIENCE_SECONDS = 3;
/** Answers after which a kept copy of a page must not be shown again. */
const GONE: ReadonlySet<number> = new Set([401, 403, 404, 410]);
/** Never answered from a cache: the API and everything that carries a one-time code. */
const NEVER = /^\/(?:v1|mcp|auth|\.well-known)(?:\/|$)/;

const built = self.__WB_MANIFEST.map((entry) => (typeof entry === 'string' ? { url: entry } : entry));
const isContent = ({ url }: PrecacheEntry): boolean => `/${url}`.includes(CONTENT_FOLDER);

// Without directoryIndex: `/` is a public page, not the shell.
precacheAndRoute(
  built.filter((entry) => !isContent(entry)),
  { directoryIndex: '', cleanURLs: false },
);
const contentUrls = built.filter(isContent).map(({ url }) => new URL(url, self.location.origin).href);

/** shell = the application; shared = what people publish, which may be closed at any moment; page = the rest of the site. */
function navigationKind(request: Request, url: URL): 'shell' | 'shared' | 'page' | undefined {
  if (request.mode !== 'navigate' || request.method !== 'GET' || url.origin !== self.location.origin)
    return undefined;
  if (NEVER.test(url.pathname)) return undefined;
  const match = matchPage(url.pathname);
  if (match?.name.startsWith('public_')) return 'shared';
  return match && PAGES[match.name].render === 'shell' ? 'shell' : 'page';
}

async function shell(): Promise<Response> {
  return (await matchPrecache(SHELL)) ?? fetch(SHELL);
}

/** The shell as the document of a page; what is kept has the headers of the application's pages, not of the way in. */
async function shellFor({ pathname }: URL): Promise<Response> {
  const kept = await shell();
  const policy = referrerPolicyOf(pathname);
  if (policy === REFERRER_POLICY) return kept;
  const headers = new Headers(kept.headers);
  headers.set('Referrer-Policy', policy);
  return new Response(kept.body, { headers, status: kept.status, statusText: kept.statusText });
}

registerRoute(
  ({ request, url }) => navigationKind(request, url) === 'shell',
  ({ url }) => shellFor(url),
);

/** The network first, and the page as last seen when it fails or, where that is given, lets one wait too long. */
function networkFirst(patience: { networkTimeoutSeconds?: number }): NetworkFirst {
  return new NetworkFirst({
    ...patience,
    cacheName: PAGES_CACHE,
    matchOptions: { ignoreSearch: true, ignoreVary: true },
    plugins: [
      new ExpirationPlugin({ maxEntries: 100, purgeOnQuotaError: true }),
      {
        // What stopped being public must not live on in the cache; a server that is busy for a moment says nothing of that.
        fetchDidSucceed: async ({ request, response }) => {
          if (GONE.has(response.status))
            await (await caches.open(PAGES_CACHE)).delete(request, { ignoreSearch: true, ignoreVary: true });
          return response;
        },
        cacheWillUpdate: async ({ response }) => (response.status === 200 ? response : null),
        handlerDidError: () => shell(),
      },
    ],
  });
}

registerRoute(
  ({ request, url }) => navigationKind(request, url) === 'page' && !/\.[^/]+$/.test(url.pathname),
  networkFirst({ networkTimeoutSeconds: NETWORK_PATIENCE_SECONDS }),
);

// A slow answer may be that it was closed: only a failed network brings the copy back.
registerRoute(
  ({ request, url }) => navigationKind(request, url) === 'shared' && !/\.[^/]+$/.test(url.pathname),
  networkFirst({}),
);

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({
    cacheName: CONTENT_CACHE,
    matchOptions: { ignoreVary: true },
    plugins: [
      new ExpirationPlugin({ maxEntries: 400, purgeOnQuotaError: true }),
      { cacheWillUpdate: async ({ response }) => (response.status === 200 ? response : null) },
    ],
  }),
);

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (
    event.request.method === 'POST' &&
    url.origin === self.location.origin &&
    url.pathname === PAGES.share_target.path
  ) {
    event.respondWith(receiveShare(event.request));
  }
});

/** Keeps what was shared, then sends the browser to the capture sheet with a plain GET. */
async function receiveShare(request: Request): Promise<Response> {
  await keepSharedItem(sharedItemOf(await request.formData()));
  return Response.redirect(`${PAGES.share_target.path}?new=shared`, 303);
}

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // Pages kept by an older build point to files that are gone; the shell renders them from their content instead.
      await caches.delete(PAGES_CACHE);
      const content = await caches.open(CONTENT_CACHE);
      const stale = (await content.keys()).filter(
        ({ url }) => url.includes(CONTENT_FOLDER) && !contentUrls.includes(url),
      );
      await Promise.all(stale.map((request) => content.delete(request)));
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('message', (event) => {
  const { type, url }: { type?: unknown; url?: unknown } = event.data ?? {};
  if (type === 'SKIP_WAITING') void self.skipWaiting();
  if (type === 'WARM') event.waitUntil(warm(typeof url === 'string' ? url : undefined));
});

/** At leisure: every content document, and the page that was open before this worker was. */
async function warm(pageUrl: string | undefined): Promise<void> {
  const content = await caches.open(CONTENT_CACHE);
  const known = new Set((await content.keys()).map(({ url }) => url));
  await Promise.all(contentUrls.filter((url) => !known.has(url)).map((url) => content.add(url)));
  const url = pageUrl && URL.parse(pageUrl);
  if (!url || url.origin !== self.location.origin) return;
  const match = matchPage(url.pathname);
  if (match && PAGES[match.name].render === 'ssr') await (await caches.open(PAGES_CACHE)).add(url.href);
}
