// The service worker: the application opens without a network, visited public pages stay readable, and items shared by other
// applications are stored. It never replaces an older worker without a request.
import { ExpirationPlugin } from 'workbox-expiration';
import { addPlugins, matchPrecache, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';
import { COOKIES, PRODUCT_NAME } from '#shared/constants.ts';
import { matchPage } from '#shared/page-match.ts';
import { PAGES } from '#shared/pages.ts';
import { REFERRER_POLICY, referrerPolicyOf } from '#shared/referrer-policy.ts';
import { storeSharedItem, sharedItemOf } from '#client/capture/shared-items.ts';
import { withSnapshot } from '#client/start/snapshot-document.ts';
import { shouldSaveData } from '#client/save-data.ts';
import { keepsApplication } from '#client/start/worker-address.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] };

const SHELL = '/index.html';
/** Addresses of pages and files for reading without a network, of this build. */
const OFFLINE_PAGES = '/offline-pages.json';
const NETWORK_PATIENCE_SECONDS = 3;
/** Statuses after which a cached copy of a page must not be shown again. */
const GONE: ReadonlySet<number> = new Set([401, 403, 404, 410]);
/** Never answered from a cache: the API and everything that carries a one-time code. */
const NEVER = /^\/(?:v1|mcp|auth|\.well-known)(?:\/|$)/;

const BUILD_FILES = self.__WB_MANIFEST;

/** The revision of the shell, whose document names its build. */
const [BUILD] = BUILD_FILES.flatMap((entry) =>
  typeof entry === 'object' && `/${entry.url}` === SHELL ? [entry.revision] : [],
);
const PAGES_CACHE = `pages-${BUILD}`;
const CONTENT_CACHE = `content-${BUILD}`;
/** Caches of public pages and their files, of every build. */
const PUBLIC_CACHE = /^(?:pages|content)\b/;

if (keepsApplication(self.location.href)) {
  addPlugins([{ requestWillFetch: async ({ request }) => new Request(request, { priority: 'low' }) }]);
  // Without directoryIndex: `/` is a public page, not the shell.
  precacheAndRoute(BUILD_FILES, { directoryIndex: '', cleanURLs: false });
}

/** shell = the application; shared = what people publish, which may be closed at any moment; page = the rest of the site. */
function navigationKind(request: Request, url: URL): 'shell' | 'shared' | 'page' | undefined {
  if (request.mode !== 'navigate' || request.method !== 'GET' || url.origin !== self.location.origin)
    return undefined;
  if (NEVER.test(url.pathname)) return undefined;
  const match = matchPage(url.pathname);
  if (match?.name.startsWith('public_')) return 'shared';
  return match && PAGES[match.name].render === 'shell' ? 'shell' : 'page';
}

/** Undefined without a session, and in browsers where a worker cannot read cookies: the page opens without it. */
async function sessionToken(): Promise<string | undefined> {
  try {
    const cookie = await self.cookieStore?.get(COOKIES.session);
    return cookie?.value === undefined ? undefined : decodeURIComponent(cookie.value);
  } catch (error) {
    console.warn('start: the session could not be read', error);
    return undefined;
  }
}

/** Without a network and without the application the site shows that it is offline. */
async function shell(): Promise<Response> {
  const kept = await matchPrecache(SHELL);
  if (kept) return kept;
  try {
    return await fetch(SHELL);
  } catch (error) {
    const page = await fetchedAhead(new Request(PAGES.offline.path));
    if (!page) throw error;
    return page;
  }
}

/**
 * The shell as the document of a page, for a signed-in person with the last screen of that page; the cached shell has the
 * headers of the application's pages, not of the log-in page.
 */
async function shellFor({ pathname, search }: URL): Promise<Response> {
  const [kept, token] = await Promise.all([shell(), sessionToken()]);
  const policy = referrerPolicyOf(pathname);
  if (token === undefined && policy === REFERRER_POLICY) return kept;
  const headers = new Headers(kept.headers);
  headers.set('Referrer-Policy', policy);
  const body =
    token === undefined
      ? kept.body
      : await withSnapshot(await kept.text(), { token, address: pathname + search });
  return new Response(body, { headers, status: kept.status, statusText: kept.statusText });
}

registerRoute(
  ({ request, url }) => navigationKind(request, url) === 'shell',
  ({ url }) => shellFor(url),
);

/** A page of the site that was not opened in this browser before. */
async function fetchedAhead(request: Request): Promise<Response | undefined> {
  const content = await caches.open(CONTENT_CACHE);
  return content.match(request, { ignoreSearch: true, ignoreVary: true });
}

/** When a page last turned out to be closed, by path, in milliseconds of this worker's clock. */
const closings = new Map<string, number>();

async function forgetPage(request: Request): Promise<void> {
  await (await caches.open(PAGES_CACHE)).delete(request, { ignoreSearch: true, ignoreVary: true });
}

/** The network first; the cached page when it fails or, if a timeout is set, responds too slowly. */
function networkFirst(patience: { networkTimeoutSeconds?: number }): NetworkFirst {
  return new NetworkFirst({
    ...patience,
    cacheName: PAGES_CACHE,
    matchOptions: { ignoreSearch: true, ignoreVary: true },
    plugins: [
      new ExpirationPlugin({ maxEntries: 100, purgeOnQuotaError: true }),
      {
        handlerWillStart: async ({ state }) => {
          if (state) state['asked'] = performance.now();
        },
        // A page that is no longer public leaves the cache; an error of a busy server does not count.
        fetchDidSucceed: async ({ request, response }) => {
          if (GONE.has(response.status)) {
            closings.set(new URL(request.url).pathname, performance.now());
            await forgetPage(request);
          }
          return response;
        },
        cacheWillUpdate: async ({ response }) => (response.status === 200 ? response : null),
        // An answer from before the page was closed may be written after its copies were deleted.
        cacheDidUpdate: async ({ request, state }) => {
          const closed = closings.get(new URL(request.url).pathname);
          if (closed !== undefined && closed >= Number(state?.['asked'])) await forgetPage(request);
        },
        handlerDidError: async ({ request }) => (await fetchedAhead(request)) ?? shell(),
      },
    ],
  });
}

registerRoute(
  ({ request, url }) => navigationKind(request, url) === 'page' && !/\.[^/]+$/.test(url.pathname),
  networkFirst({ networkTimeoutSeconds: NETWORK_PATIENCE_SECONDS }),
);

// A slow answer may be that it was closed: only a failed network brings the copy back.
const confirmedByServer = networkFirst({});
registerRoute(
  ({ request, url }) => navigationKind(request, url) === 'shared' && !/\.[^/]+$/.test(url.pathname),
  confirmedByServer,
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

/** Stores the shared item, then redirects the browser to the capture sheet with a plain GET. */
async function receiveShare(request: Request): Promise<Response> {
  await storeSharedItem(sharedItemOf(await request.formData()));
  return Response.redirect(`${PAGES.share_target.path}?new=shared`, 303);
}

/** Payload of a push message; see server/notifications/push.ts. */
interface PushedNotification {
  id?: unknown;
  title?: unknown;
  body?: unknown;
  link?: unknown;
  unseen?: unknown;
}

const asText = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

self.addEventListener('push', (event) => {
  const pushed: PushedNotification = event.data?.json() ?? {};
  event.waitUntil(showPushed(pushed));
});

/** Every message is shown: browsers end a subscription whose messages are not. */
async function showPushed({ id, title, body, link, unseen }: PushedNotification): Promise<void> {
  await self.registration.showNotification(asText(title, PRODUCT_NAME), {
    body: asText(body, ''),
    tag: asText(id, 'notification'),
    icon: '/icon-192.png',
    data: { link: asText(link, '/') },
  });
  if (typeof unseen === 'number') await self.navigator.setAppBadge?.(unseen);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { link }: { link?: unknown } = event.notification.data ?? {};
  event.waitUntil(openLink(asText(link, '/')));
});

/** Brings an open window of the application to the address, or opens one. Addresses of other sites lead home. */
async function openLink(link: string): Promise<void> {
  const url = URL.parse(link, self.location.origin);
  const href = url?.origin === self.location.origin ? url.href : self.location.origin;
  const [open] = await self.clients.matchAll({ type: 'window' });
  if (open === undefined) {
    await self.clients.openWindow(href);
    return;
  }
  await open.focus();
  await open.navigate(href);
}

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CONTENT_CACHE).then((content) => content.add(PAGES.offline.path)));
  const { active } = self.registration;
  // It would be replaced only after all its work.
  active?.postMessage({ type: 'REST' });
  // The open page has no application files from the previous worker, which caches only the site.
  if (active && !keepsApplication(active.scriptURL) && keepsApplication(self.location.href))
    void self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // Pages of an older build refer to deleted scripts; the next visit fetches them anew.
      for (const name of await caches.keys())
        if (PUBLIC_CACHE.test(name) && name !== PAGES_CACHE && name !== CONTENT_CACHE)
          await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

/** What is fetched ahead, for one page at a time. */
let warming = new AbortController();

self.addEventListener('message', (event) => {
  const { type, url }: { type?: unknown; url?: unknown } = event.data ?? {};
  const { installing, waiting } = self.registration;
  if (type === 'SKIP_WAITING') void self.skipWaiting();
  if (type === 'REST' || type === 'WARM') warming.abort();
  if (type !== 'WARM' || installing || waiting) return;
  warming = new AbortController();
  const { signal } = warming;
  const warmed = warm(event, { pageUrl: typeof url === 'string' ? url : undefined, signal });
  event.waitUntil(warmed.catch((error: unknown) => signal.aborted || Promise.reject(error)));
});

interface Warming {
  /** The page that was open before this worker was. */
  pageUrl: string | undefined;
  signal: AbortSignal;
}

/** At leisure: the open page, then every page of the site, one after the other. */
async function warm(event: ExtendableEvent, { pageUrl, signal }: Warming): Promise<void> {
  await keepOpenPage(event, { pageUrl, signal });
  if (shouldSaveData()) return;
  const answer = await fetch(OFFLINE_PAGES, { signal });
  if (!answer.ok) return;
  const paths: string[] = await answer.json();
  const content = await caches.open(CONTENT_CACHE);
  const known = new Set((await content.keys()).map(({ url }) => new URL(url).pathname));
  for (const path of paths) {
    const { pathname } = new URL(path, self.location.origin);
    const page = known.has(pathname) ? undefined : await fetch(path, { signal });
    if (page?.ok) await content.put(pathname, page);
  }
}

async function keepOpenPage(event: ExtendableEvent, { pageUrl, signal }: Warming): Promise<void> {
  const url = pageUrl && URL.parse(pageUrl);
  if (!url || url.origin !== self.location.origin) return;
  const match = matchPage(url.pathname);
  if (!match || PAGES[match.name].render !== 'ssr') return;
  const [, kept] = confirmedByServer.handleAll({ event, request: new Request(url.href, { signal }) });
  await kept;
}
