// What this page does when the worker reports something that concerns more than the rows: the session ended, changes
// were lost and found, the database vanished, everything has arrived.
import { noteDeparture } from '#client/api/departed.ts';
import type { BodyCache } from '#client/replica/body-cache.ts';
import { prefetchBodies } from '#client/replica/body-prefetch.ts';
import type { Device } from '#client/replica/lazy-device.ts';
import type { Replica } from '#client/replica/replica.ts';
import type { Problem, RealmFacts } from '#client/replica/status.ts';
import type { FromWorker } from '#client/replica/wire.ts';
import { noteRecovery } from '#client/shell/recovery.ts';
import { claimReload } from '#client/shell/reload-guard.ts';

/** The page's parts that events touch; the device is missing where nothing may be stored. */
export interface EventSurroundings {
  replica: Replica;
  device: Device | undefined;
  bodies: BodyCache;
  onUnauthorized(): void;
}

/** How long unsent changes may take before a page that lost its database starts anew. */
const RESCUE_MS = 3_000;
/** Long texts are fetched some time after the rows, when the first screen is done. */
const PREFETCH_DELAY_MS = 2_000;

async function showLost({ device, replica }: EventSurroundings): Promise<void> {
  try {
    if (device) replica.setLost(await (await device.tables()).lost.toArray());
  } catch (error) {
    console.info('replica: what was lost and found could not be read', error);
  }
}

async function keepLost({ device, replica }: EventSurroundings, problems: readonly Problem[]): Promise<void> {
  replica.setLost([...replica.lost, ...problems]);
  try {
    await (await device?.tables())?.lost.bulkPut([...problems]);
  } catch (error) {
    console.warn('replica: what was lost and found stays on screen only', error);
  }
}

/** A database that was deleted under this page takes nothing any more: send or set aside what waits, then start anew. */
async function recover(surroundings: EventSurroundings): Promise<void> {
  const unsent = await surroundings.replica.flush(RESCUE_MS);
  if (unsent.length > 0) await keepLost(surroundings, unsent);
  // Where the page has just been loaded anew for this, the banner asks for the reload.
  if (!claimReload(globalThis.location.pathname)) return;
  noteRecovery(unsent.length);
  globalThis.location.reload();
}

/** Files that wait for the network are unsent as well, and are kept for the same person's next login. */
async function noteFiles({ device, replica }: EventSurroundings): Promise<void> {
  const files = (await (await device?.tables())?.upload.count()) ?? 0;
  if (files > 0) noteDeparture(replica.userId, replica.status().waiting + files);
}

/** Follows the worker's reports; call the result to stop. */
export function followEvents(surroundings: EventSurroundings): () => void {
  const { replica, bodies, device } = surroundings;
  let hasEnded = false;
  let isRecovering = false;
  let hasAsked = false;
  let prefetched: string | undefined;

  function takeFacts(realmId: string, facts: RealmFacts): void {
    if (facts.unauthorized && !hasEnded) {
      hasEnded = true;
      noteDeparture(replica.userId, replica.status().waiting);
      void noteFiles(surroundings);
      surroundings.onUnauthorized();
    }
    if (facts.storage === 'lost' && !isRecovering) {
      isRecovering = true;
      void recover(surroundings);
    }
    if (facts.loaded && facts.online && prefetched !== realmId && realmId === replica.mirrors.workspaceId) {
      prefetched = realmId;
      setTimeout(() => void prefetchBodies(replica, bodies), PREFETCH_DELAY_MS);
    }
  }

  async function askToPersist(): Promise<void> {
    hasAsked = true;
    const granted = await globalThis.navigator.storage?.persist?.();
    if (granted !== undefined) replica.setPersistent(granted);
  }

  function take(message: FromWorker): void {
    if (message.type === 'facts') takeFacts(message.realmId, message.facts);
    if (message.type === 'lost' && message.problems.length > 0) void keepLost(surroundings, message.problems);
    // Asked after the first change: a browser grants it sooner to a page that is used.
    if (message.type === 'mutated' && !message.failure && !hasAsked && device) void askToPersist();
  }

  void showLost(surroundings);
  return replica.watch(take);
}
