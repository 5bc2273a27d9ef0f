/**
 * Addresses of the one service worker. Its query says what it keeps: visitors without an account read the site without a
 * network and get no copy of the application; who has signed in on this device gets both.
 */
export const APPLICATION_WORKER = '/service-worker.js';
export const SITE_WORKER = `${APPLICATION_WORKER}?site`;

/** Whether the worker with this absolute address keeps the files of the application. */
export function keepsApplication(address: string): boolean {
  return !new URL(address).searchParams.has('site');
}
