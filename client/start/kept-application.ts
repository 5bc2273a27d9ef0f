/** Whether this device has the application's files, so that its pages open and load without a network. */
import { keepsApplication } from '#client/start/worker-address.ts';

/** True once the service worker that caches the application controls the page; the one of the public site does not. */
export function isApplicationKept(): boolean {
  const { controller } = globalThis.navigator.serviceWorker ?? {};
  return Boolean(controller && keepsApplication(controller.scriptURL));
}
