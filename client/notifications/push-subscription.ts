/**
 * Push messages to this browser: whether it can receive them, and turning them on and off. The permission is requested only
 * from a click.
 */
import type { Id } from '#shared/ids.ts';
import { api } from '#client/api/session-client.ts';

/** unsupported = this browser cannot; install = it can once the application is on the home screen; denied = by the person. */
export type PushState = 'unsupported' | 'install' | 'denied' | 'off' | 'on';

export interface PushFacts {
  state: PushState;
  /** Of this session, when the server sends to it. */
  id: Id<'session'> | undefined;
  others: readonly { id: Id<'session'>; userAgent: string; created: string }[];
}

async function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis))
    return undefined;
  return navigator.serviceWorker.getRegistration();
}

/** Reads the state of this browser and of the server. */
export async function readPush(): Promise<PushFacts> {
  const { result } = await api('push.list', {});
  const own = result.find(({ current }) => current);
  const others = result.filter(({ current }) => !current);
  return { state: await stateOf(own !== undefined), id: own?.id, others };
}

async function stateOf(isKnown: boolean): Promise<PushState> {
  const registration = await findRegistration();
  // Safari on iPhones and iPads alone has this property, and push only in installed applications.
  if (registration === undefined)
    return 'standalone' in navigator && navigator.standalone === false ? 'install' : 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const subscription = await registration.pushManager.getSubscription();
  return isKnown && subscription !== null ? 'on' : 'off';
}

/** Requests the permission and subscribes. Call it from a click. Returns the resulting state. */
export async function turnPushOn(): Promise<PushState> {
  // First, because browsers show the prompt only shortly after the click.
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  const registration = await findRegistration();
  if (registration === undefined) return 'unsupported';
  const { publicKey } = (await api('push.key', {})).result;
  const subscription = await subscribeWith(registration.pushManager, publicKey);
  const { endpoint, keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  await api('push.subscribe', { body: { endpoint: endpoint ?? '', keys: { p256dh, auth } } });
  return 'on';
}

/** A subscription that was made with another key of the server is of no use and has to go first. */
async function subscribeWith(manager: PushManager, publicKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
    await (await manager.getSubscription())?.unsubscribe();
    return manager.subscribe(options);
  }
}

/** Ends push messages to this browser. */
export async function turnPushOff(id: Id<'session'> | undefined): Promise<void> {
  const registration = await findRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  if (id !== undefined) await api('push.unsubscribe', { params: { id } });
}
