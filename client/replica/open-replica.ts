// Opens the replica of a signed-in person in this page: worker, tables of the device, search, and the one current
// replica that plain functions write to.
import type { Id } from '#shared/ids.ts';
import { SYNC } from '#shared/sync/limits.ts';
import { addressOf } from '#shared/hash.ts';
import { onSessionEnd } from '#client/api/session.ts';
import { sweepOthers } from '#client/api/lazy-signed-out.ts';
import { clearSignOut, recordSignOut } from '#client/api/signed-out-records.ts';
import { BodyCache } from '#client/replica/body-cache.ts';
import { currentReplica, setCurrentReplica } from '#client/replica/current-replica.ts';
import { takeWorker } from '#client/replica/early-worker.ts';
import { takeFirstRows } from '#client/replica/first-rows.ts';
import { Device } from '#client/replica/lazy-device.ts';
import { MemorySearch } from '#client/replica/memory-search.ts';
import { watchPageUse } from '#client/replica/page-use.ts';
import { Replica } from '#client/replica/replica.ts';
import { followEvents } from '#client/replica/replica-events.ts';
import { userKey } from '#client/replica/user-key.ts';
import { waitingFiles } from '#client/replica/waiting-files.ts';
import type { FromWorker, WorkerPort } from '#client/replica/wire.ts';
import { removeSnapshots } from '#client/start/snapshot-store.ts';
import { createSearchClient, startSearchWorker } from '#client/search/search-client.ts';

/** The user, and the callback for the end of the session. */
export interface OpenReplica {
  userId: Id<'user'>;
  token: string;
  /** Nothing may be written to the device. */
  memoryOnly: boolean;
  /** The server returned 401. */
  onUnauthorized(): void;
}

/** Everything of one person in this page; without a device where nothing may be stored. */
export interface OpenedReplica {
  replica: Replica;
  device: Device | undefined;
  bodies: BodyCache;
  search: MemorySearch;
}

const LEAVE_CHANNEL = 'loci-leave';

let opened: (OpenedReplica & { end(): void }) | undefined;

export function openedReplica(): OpenedReplica | undefined {
  return opened;
}

async function keepLongText(bodies: BodyCache, args: object): Promise<void> {
  const notes = 'notes' in args && typeof args.notes === 'string' ? args.notes : '';
  // A character is at most three bytes in UTF-8, so most texts need no measuring.
  if (notes.length * 3 <= SYNC.inlineNotesBytes) return;
  if (addressOf(notes).bytes > SYNC.inlineNotesBytes) await bodies.keep(notes);
}

function startReplica(given: OpenReplica): OpenedReplica {
  const device = given.memoryOnly ? undefined : new Device(given.userId);
  const bodies = new BodyCache(device);
  watchPageUse();
  const { userId, token, memoryOnly } = given;
  const replica = new Replica({
    port: startWorker(),
    session: { userId, token, apiBase: '', memoryOnly },
    keepText: (args) => keepLongText(bodies, args),
    storeLost: async (problems) => (await device?.tables())?.lost.bulkPut([...problems]),
    forgetLost: async (id) => (await device?.tables())?.lost.delete(id),
    firstRows: memoryOnly ? undefined : takeFirstRows(userId),
    forgetScreens: removeSnapshots,
  });
  const search = new MemorySearch({
    replica,
    bodies,
    isStored: device !== undefined,
    start: () => createSearchClient(startSearchWorker(), (message) => console.warn('search:', message)),
  });
  return { replica, device, bodies, search };
}

/** The person's replica; the one that is open already when it is the same person's. */
export function openReplica(given: OpenReplica): OpenedReplica {
  if (opened && currentReplica()?.userId === given.userId) return opened;
  closeReplica();
  if (!given.memoryOnly) {
    clearSignOut(given.userId);
    void sweepOthers().catch((error: unknown) => console.info('session: others were not looked for', error));
  }
  const now = startReplica(given);
  const ends = [
    followEvents({ ...now, onUnauthorized: given.onUnauthorized }),
    onSignOutBroadcast(given.userId),
    onSessionEnd((next) => leaveSignedOut(now, next?.user.id)),
  ];
  opened = { ...now, end: () => ends.forEach((end) => end()) };
  setCurrentReplica(now.replica);
  return now;
}

/** Installs an already opened replica as that of this page; used by component tests. */
export function adoptReplica(parts: OpenedReplica): void {
  opened = { ...parts, end: () => undefined };
  setCurrentReplica(parts.replica);
}

/** The session ended without a logout: what is unsent stays for the same person, the next page removes the rest. */
function leaveSignedOut({ replica, device }: OpenedReplica, next: Id<'user'> | undefined): void {
  // In another tab the same person may be signed in again.
  if (device && next !== replica.userId) {
    recordSignOut(replica.userId, replica.status().waiting + waitingFiles.get().length);
    broadcastSignOut(userKey(replica.userId));
  }
  closeReplica();
}

/** Notifies the other tabs that this person has signed out; each closes its replica and redirects to the login page. */
function broadcastSignOut(key: string): void {
  const channel = new BroadcastChannel(LEAVE_CHANNEL);
  channel.postMessage(key);
  channel.close();
}

/** The person leaves this device: the other tabs close, and this page follows neither them nor its worker any more. */
export function announceLeaving(): void {
  if (!opened) return;
  opened.end();
  broadcastSignOut(userKey(opened.replica.userId));
}

function onSignOutBroadcast(userId: string): () => void {
  const channel = new BroadcastChannel(LEAVE_CHANNEL);
  channel.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.data !== userKey(userId)) return;
    closeReplica({ discard: true });
    globalThis.location.assign('/login?clear=true');
  });
  return () => channel.close();
}

/** Closes the page's replica without changing stored data; with `discard` it also stores nothing from then on. */
export function closeReplica({ discard = false }: { discard?: boolean } = {}): void {
  opened?.end();
  void opened?.search.close({ discard });
  opened?.replica.terminate();
  opened?.device?.close();
  opened = undefined;
  setCurrentReplica(undefined);
}

/** Starts the worker of this page; it is silent until its first message. */
function startWorker(): WorkerPort {
  const worker = takeWorker();
  return {
    send: (message) => worker.postMessage(message),
    listen: (listener) =>
      worker.addEventListener('message', (event: MessageEvent<FromWorker>) => listener(event.data)),
    terminate: () => worker.terminate(),
  };
}
