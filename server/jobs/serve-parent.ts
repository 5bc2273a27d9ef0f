// The inside of a thread of run-in-thread.ts or a process of run-in-process.ts: signals that its modules are loaded, so that
// loading does not count against its limits, then replies to one input after the other.
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { isAnswer, type Question } from './questions.ts';

/** Asks the parent, which has said how it answers. */
export type Ask = (question: unknown) => Promise<unknown>;

/** A failure of the work ends the thread or process, and its parent has no reply. */
export function serveParent<I>(work: (input: I, ask: Ask) => unknown): void {
  const port = parentPort ?? process;
  const send = (message: unknown) =>
    parentPort === null ? process.send?.(message) : parentPort.postMessage(message);
  const waiting = new Map<number, (value: unknown) => void>();
  let asked = 0;
  const ask: Ask = (value) =>
    new Promise((resolve) => {
      asked += 1;
      waiting.set(asked, resolve);
      send({ asked, value } satisfies Question);
    });
  port.on('message', (message: I) => {
    if (!isAnswer(message)) {
      void Promise.resolve(work(message, ask)).then(send);
      return;
    }
    waiting.get(message.answerTo)?.(message.value);
    waiting.delete(message.answerTo);
  });
  send('ready');
}

/**
 * As `serveParent` in a thread to which requests go before; a process has its priority from its parent. Only Linux has a
 * priority for each thread.
 */
export function serveInBackground<I>(work: (input: I, ask: Ask) => unknown): void {
  if (process.platform === 'linux') setPriority(ownThread(), constants.priority.PRIORITY_BELOW_NORMAL);
  serveParent(work);
}

/** The kernel's number of this thread. */
function ownThread(): number {
  return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
}
