// Entry of the dedicated worker that owns Replicache: connects the engine to the page. Must hold no logic.
import type { ToWorker } from '#client/replica/wire.ts';
import { createEngine } from '#client/replica/worker/engine.ts';
import { openIdbJournal } from '#client/replica/worker/journal.ts';
import { readAheadStore } from '#client/replica/worker/kv-store.ts';

/**
 * Replicache writes to disk when the thread is idle. Workers cannot tell, and it would then wait a full second before
 * every write and every look at another tab's writes; a thread without a screen is idle soon enough.
 */
const IDLE_MS = 40;

if (!('requestIdleCallback' in globalThis)) {
  Object.assign(globalThis, {
    requestIdleCallback: (callback: () => void) => setTimeout(callback, IDLE_MS),
  });
}

const engine = createEngine({
  post: (message) => globalThis.postMessage(message),
  fetch: (...request) => fetch(...request),
  kvStore: readAheadStore,
  openJournal: openIdbJournal,
});

globalThis.addEventListener('message', (event: MessageEvent<ToWorker>) => engine.receive(event.data));
