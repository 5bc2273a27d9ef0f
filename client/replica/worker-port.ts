// Starts the dedicated worker and speaks to it.
import type { FromWorker, WorkerPort } from '#client/replica/wire.ts';

/** A fresh worker; one page has one. */
export function startWorker(): WorkerPort {
  const worker = new Worker(new URL('./worker/replica-worker.ts', import.meta.url), {
    type: 'module',
    name: 'replica',
  });
  return {
    send: (message) => worker.postMessage(message),
    listen: (listener) =>
      worker.addEventListener('message', (event: MessageEvent<FromWorker>) => listener(event.data)),
    terminate: () => worker.terminate(),
  };
}
