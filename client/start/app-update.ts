/**
 * Registers the service worker and activates a waiting version when the build watch requests it. A new worker never activates
 * by itself.
 */
import type { Workbox } from 'workbox-window';
import { COOKIES } from '#shared/constants.ts';
import { readCookie } from '#client/api/cookies.ts';
import { whenIdle } from '#client/start/quiet-moment.ts';
import { APPLICATION_WORKER, keepsApplication, SITE_WORKER } from '#client/start/worker-address.ts';

/** How long a reload waits for the new worker before it continues with the old one. */
const TAKEOVER_PATIENCE_MS = 3000;

let workbox: Workbox | undefined;
/** Of the worker that this page has registered. */
let registered: string | undefined;

/**
 * Registers after the page has loaded, so that the first visit loses no bandwidth to it. Called again after a log-in: from then
 * on the application is cached too.
 */
export function registerServiceWorker(onWaiting: () => void = () => undefined): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const start = () =>
    // Workers may be blocked, or storage refused (private windows): the site works without a worker.
    void register(onWaiting).catch((error: unknown) =>
      console.warn('The service worker was not registered', error),
    );
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}

/** The worker for this device: one that caches the application stays after the session, for the next one. */
async function workerAddress(): Promise<string> {
  if (readCookie(COOKIES.session) !== undefined) return APPLICATION_WORKER;
  const registration = await navigator.serviceWorker.getRegistration();
  const { active, waiting, installing } = registration ?? {};
  const isKept = [active, waiting, installing].some((worker) => worker && keepsApplication(worker.scriptURL));
  return isKept ? APPLICATION_WORKER : SITE_WORKER;
}

async function register(onWaiting: () => void): Promise<void> {
  const address = await workerAddress();
  if (registered === address) return;
  registered = address;
  // Fetched after the page has loaded: these lines are part of every public page.
  const { Workbox } = await import('workbox-window');
  const registering = new Workbox(address);
  registering.addEventListener('waiting', onWaiting);
  await registering.register({ immediate: true });
  workbox = registering;
  // Its own, not the one that it replaces.
  const active = await registering.active;
  whenIdle(() => active.postMessage({ type: 'WARM', url: location.href }));
}

/** Loads a path anew, under the newest worker when one waits or can be fetched in time. */
export function loadUnderNewestWorker(path: string): void {
  let gone = false;
  const go = () => {
    if (gone) return;
    gone = true;
    if (path === location.pathname + location.search + location.hash) location.reload();
    else location.assign(path);
  };
  const newest = workbox;
  if (!newest) return go();
  setTimeout(go, TAKEOVER_PATIENCE_MS);
  newest.addEventListener('controlling', go);
  newest.addEventListener('waiting', () => newest.messageSkipWaiting());
  newest.messageSkipWaiting();
  // Offline there is nothing newer to fetch; the patience above ends the wait.
  void newest.update().catch((error: unknown) => console.warn('No newer worker', error));
}
