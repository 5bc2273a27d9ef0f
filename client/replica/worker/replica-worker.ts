// Entry of the dedicated worker that owns Replicache: connects the engine to the page. Must hold no logic.
import type { ToWorker } from '#client/replica/wire.ts';
import { createEngine } from '#client/replica/worker/engine.ts';
import { IdleMoments } from '#client/replica/worker/idle-moments.ts';
import { openIdbJournal } from '#client/replica/worker/journal.ts';
import { packedStore } from '#client/replica/worker/kv-store.ts';

const idle = new IdleMoments();
if (!('requestIdleCallback' in globalThis)) {
  Object.assign(globalThis, { requestIdleCallback: (callback: () => void) => idle.request(callback) });
}

const engine = createEngine({
  post: (message) => globalThis.postMessage(message),
  fetch: (...request) => fetch(...request),
  kvStore: packedStore,
  openJournal: openIdbJournal,
});

globalThis.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'taken' && data.isUsed) idle.busy();
  engine.receive(data);
});
