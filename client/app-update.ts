/**
 * Registers the service worker and brings a waiting version in when the build watch says so. The worker never takes over by
 * itself. By hand instead of workbox-window: these lines are part of every public page.
 */
import { whenIdle } from '#client/shell/quiet-moment.ts';

/** How long a reload waits for the new worker before it goes ahead under the old one. */
const TAKEOVER_PATIENCE_MS = 3000;

let registration: ServiceWorkerRegistration | undefined;

/** Registers after the page has loaded, so that the first visit loses no bandwidth to it. */
export function registerServiceWorker(onWaiting: () => void = () => undefined): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const start = () =>
    // Storage may be refused (private windows): the site works without a worker.
    void register(onWaiting).catch((error: unknown) =>
      console.warn('The service worker was not registered', error),
    );
  if (document.readyState === 'complete') start();
  else addEventListener('load', start, { once: true });
}

async function register(onWaiting: () => void): Promise<void> {
  registration = await navigator.serviceWorker.register('/service-worker.js');
  // Where workers are blocked, some browsers answer with nothing instead of refusing.
  if (!registration) return;
  const tellWhenInstalled = (worker: ServiceWorker | null) => {
    worker?.addEventListener('statechange', () => {
      // Without a controller this is the first worker ever, which replaces nothing.
      if (worker.state === 'installed' && navigator.serviceWorker.controller) onWaiting();
    });
  };
  if (registration.waiting && navigator.serviceWorker.controller) onWaiting();
  tellWhenInstalled(registration.installing);
  registration.addEventListener('updatefound', () => tellWhenInstalled(registration?.installing ?? null));
  const { active } = await navigator.serviceWorker.ready;
  whenIdle(() => active?.postMessage({ type: 'WARM', url: location.href }));
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
  if (!registration) return go();
  setTimeout(go, TAKEOVER_PATIENCE_MS);
  navigator.serviceWorker.addEventListener('controllerchange', go);
  const takeOver = (worker: ServiceWorker | null | undefined) =>
    worker?.postMessage({ type: 'SKIP_WAITING' });
  if (registration.waiting) return takeOver(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const worker = registration?.installing;
    worker?.addEventListener('statechange', () => worker.state === 'installed' && takeOver(worker));
  });
  // Offline there is nothing newer to fetch; the patience above ends the wait.
  void registration.update().catch((error: unknown) => console.warn('No newer worker', error));
}
