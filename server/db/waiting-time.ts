/**
 * How long one request has waited for the database: for connections, for statements, for its turn to write. The limits
 * of single statements cannot bound a request, which runs several, so the request's time limit is based on this sum.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Adds up the waits of one request; waits at the same time count once. */
export class WaitingTime {
  #pending = 0;
  #since = 0;
  #past = 0;

  /** Milliseconds so far, the present wait included. */
  get ms(): number {
    return this.#past + (this.#pending > 0 ? performance.now() - this.#since : 0);
  }

  /** Runs the work and counts until it settles. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#pending === 0) this.#since = performance.now();
    this.#pending += 1;
    try {
      return await work();
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) this.#past += performance.now() - this.#since;
    }
  }
}

const current = new AsyncLocalStorage<WaitingTime>();

/** Runs work whose waits are counted in `time`, wherever they are deep inside. */
export function countingWaits<T>(time: WaitingTime, work: () => T): T {
  return current.run(time, work);
}

/** One wait for the database; outside of a request, as in jobs, it is not counted. */
export function countWait<T>(work: () => Promise<T>): Promise<T> {
  const time = current.getStore();
  return time === undefined ? work() : time.during(work);
}
