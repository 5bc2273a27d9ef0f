// The inside of a thread of run-in-thread.ts or a process of run-in-process.ts: signals that its modules are loaded, so that
// loading does not count against its limits, then replies to one input after the other.
import { parentPort } from 'node:worker_threads';

/** A failure of the work ends the thread or process, and its parent has no reply. */
export function serveParent<I>(work: (input: I) => unknown): void {
  const port = parentPort ?? process;
  const send = (message: unknown) =>
    parentPort === null ? process.send?.(message) : parentPort.postMessage(message);
  port.on('message', (input: I) => {
    void Promise.resolve(work(input)).then(send);
  });
  send('ready');
}
