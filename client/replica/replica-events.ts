// Handles events of the worker that concern more than rows: the session ended, changes were lost and found, the database
// vanished, the first sync completed.
import { RELOAD_GUARD_MS } from '#client/ui/timing.ts';
import type { BodyCache } from '#client/replica/body-cache.ts';
import type { Device } from '#client/replica/lazy-device.ts';
import { followMemories, type Step } from '#client/replica/follow-memories.ts';
import type { Replica } from '#client/replica/replica.ts';
import type { RealmFacts } from '#client/replica/status.ts';
import { bringTexts } from '#client/replica/text-downloads.ts';
import type { FromWorker } from '#client/replica/wire.ts';
import { recordRecovery } from '#client/shell/recovery.ts';
import { claimReload } from '#client/shell/reload-guard.ts';

/** The page's parts that events touch; the device is missing where nothing may be stored. */
export interface EventSurroundings {
  replica: Replica;
  device: Device | undefined;
  bodies: BodyCache;
  onUnauthorized(): void;
}

/** Time to rescue unsent changes before a page that lost its database reloads. */
const RESCUE_MS = 3_000;
/** How often a page that may not reload yet tries again. */
const RELOAD_STEP_MS = 500;

/** After the rows, which need no tables of the device. */
async function showLost({ device, replica }: EventSurroundings): Promise<void> {
  try {
    if (!device) return;
    const stored = await (await device.tables()).lost.toArray();
    const known = new Set(stored.map(({ id }) => id));
    replica.setLost([...stored, ...replica.lost.filter(({ id }) => !known.has(id))]);
  } catch (error) {
    console.info('replica: what was lost and found could not be read', error);
  }
}

/** A database that was deleted under this page accepts no more writes: sends or sets aside what waits, then reloads. */
async function recover(surroundings: EventSurroundings): Promise<void> {
  const { replica } = surroundings;
  const kept = new Set<string>();
  const rescue = async () => {
    const unsent = await replica.flush(RESCUE_MS);
    const fresh = unsent.filter(({ id }) => !kept.has(id));
    if (fresh.length > 0) await replica.addLost(fresh);
    for (const { id } of fresh) kept.add(id);
  };
  await rescue();
  // A page that was reloaded for this just now waits a little before it reloads again, as the banner announces.
  const end = Date.now() + RELOAD_GUARD_MS;
  while (!claimReload(globalThis.location.pathname)) {
    // Where the browser stores nothing across reloads, the banner's button reloads.
    if (Date.now() > end) return;
    await new Promise((resolve) => setTimeout(resolve, RELOAD_STEP_MS));
    await rescue();
  }
  recordRecovery(kept.size);
  globalThis.location.reload();
}

/** Answers made on this device quote texts of the workspace, so they are removed when access to it ends. */
async function forgetAnswers({ device }: EventSurroundings, workspaceId: string): Promise<void> {
  try {
    await (await device?.tables())?.answer.where('workspaceId').equals(workspaceId).delete();
  } catch (error) {
    console.info('replica: the answers of this device could not be removed', error);
  }
}

/** Loaded when the texts are here: no list waits for the code. */
function savedPages(replica: Replica, device: Device): Step {
  let loaded: Step | undefined;
  return async (turn) => {
    const { bringSavedPages } = await import('#client/replica/page-downloads.ts');
    loaded ??= bringSavedPages(replica, device);
    await loaded(turn);
  };
}

/** Follows the worker's reports; call the result to stop. */
export function followEvents(surroundings: EventSurroundings): () => void {
  const { replica, bodies, device } = surroundings;
  let hasEnded = false;
  let isRecovering = false;
  let hasAsked = false;
  let isLostShown = false;
  let forgotten: string | undefined;

  function takeFacts(facts: RealmFacts): void {
    if (facts.unauthorized && !hasEnded) {
      hasEnded = true;
      surroundings.onUnauthorized();
    }
    if (facts.loaded && !isLostShown) {
      isLostShown = true;
      void showLost(surroundings);
    }
    if (facts.storage === 'lost' && !isRecovering) {
      isRecovering = true;
      void recover(surroundings);
    }
  }

  async function askToPersist(): Promise<void> {
    hasAsked = true;
    const granted = await globalThis.navigator.storage?.persist?.();
    if (granted !== undefined) replica.setPersistent(granted);
  }

  function take(message: FromWorker): void {
    const gone = replica.revoked ? replica.mirrors.workspaceId : undefined;
    if (gone !== undefined && gone !== forgotten) void forgetAnswers(surroundings, gone);
    forgotten = gone;
    if (message.type === 'facts') takeFacts(message.facts);
    // Requested after the first change: browsers are more likely to grant it to a page that is in use.
    if (message.type === 'mutated' && !message.failure && !hasAsked && device) void askToPersist();
  }

  const ends = [replica.watch(take)];
  if (device) ends.push(followMemories(replica, [bringTexts(replica, bodies), savedPages(replica, device)]));
  return () => ends.forEach((end) => end());
}
