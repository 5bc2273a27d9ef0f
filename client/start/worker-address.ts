/**
 * Addresses of the one service worker. Its query says what it caches: for visitors without an account only the site, for
 * offline reading; after a log-in on this device also the application.
 */
export const APPLICATION_WORKER = '/service-worker.js';
export const SITE_WORKER = `${APPLICATION_WORKER}?site`;

/** Whether the worker with this absolute address caches the files of the application. */
export function keepsApplication(address: string): boolean {
  return !new URL(address).searchParams.has('site');
}
