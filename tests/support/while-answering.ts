/** A change that is made while an answer is looked for: its texts are read, and it is not stored yet. */
import { Worker } from 'node:worker_threads';
import { vi } from 'vitest';

/** Makes the change once, before the next search for passages begins in its thread. */
export function whileAnswering(change: () => Promise<unknown>): void {
  const post = Object.getOwnPropertyDescriptor(Worker.prototype, 'postMessage')?.value;
  const spy = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function postMessage(
    this: Worker,
    ...sent
  ) {
    const send = () => void Reflect.apply(post, this, sent);
    const [message] = sent;
    const isSearch = typeof message === 'object' && message !== null && 'sources' in message;
    if (!isSearch) return send();
    spy.mockRestore();
    void change().finally(send);
  });
}
