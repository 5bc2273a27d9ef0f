// Speaks to the dedicated worker.
import { takeWorker } from '#client/replica/early-worker.ts';
import type { FromWorker, WorkerPort } from '#client/replica/wire.ts';

/** Starts the worker of this page; it is silent until its first message. */
export function startWorker(): WorkerPort {
  const worker = takeWorker();
  return {
    send: (message) => worker.postMessage(message),
    listen: (listener) =>
      worker.addEventListener('message', (event: MessageEvent<FromWorker>) => listener(event.data)),
    terminate: () => worker.terminate(),
  };
}
