// Sends changed rows to the page in batches, each one after the page has acknowledged the last, so that neither side
// blocks while tens of thousands arrive. A small change overtakes the queue; per key the last value wins, so the order
// of batches does not matter.
import type { KeyChange } from '#client/replica/mirror.ts';

/** Rows per message; cloning and applying them takes the page a few milliseconds. */
const BATCH_SIZE = 250;
/** A change up to this size is posted at once. */
const SMALL = 50;

export class RowBatches {
  readonly #queue = new Map<string, unknown>();
  readonly #post: (changes: KeyChange[], bulk: boolean) => void;
  #draining = false;
  #closed = false;
  #whenEmpty: (() => void)[] = [];
  /** Sends the next batch; defined while the page applies one. */
  #next: (() => void) | undefined;

  constructor(post: (changes: KeyChange[], bulk: boolean) => void) {
    this.#post = post;
  }

  push(changes: readonly KeyChange[]): void {
    if (changes.length === 0 || this.#closed) return;
    if (changes.length <= SMALL) {
      for (const [key] of changes) this.#queue.delete(key);
      this.#post([...changes], false);
      return;
    }
    for (const [key, value] of changes) {
      this.#queue.delete(key);
      this.#queue.set(key, value);
    }
    this.#moveControlLast();
    if (!this.#draining) void this.#drain();
  }

  /** Posts rows at once and in one message, for a view that waits for them. */
  pushFirst(changes: readonly KeyChange[]): void {
    if (changes.length > 0) this.#post([...changes], false);
  }

  /** Progress must not reach the page before the rows that it counts. */
  #moveControlLast(): void {
    const control = [...this.#queue].filter(([key]) => key.startsWith('0/'));
    for (const [key, value] of control) {
      this.#queue.delete(key);
      this.#queue.set(key, value);
    }
  }

  /** Calls back once the page has applied everything queued so far, or after `close`. */
  whenEmpty(callback: () => void): void {
    if (this.#draining) this.#whenEmpty.push(callback);
    else callback();
  }

  /** Call when the page has acknowledged the last batch. */
  taken(): void {
    this.#next?.();
  }

  close(): void {
    this.#closed = true;
    this.#queue.clear();
    this.#next?.();
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    while (this.#queue.size > 0) {
      const batch: KeyChange[] = [];
      for (const change of this.#queue) {
        batch.push(change);
        if (batch.length === BATCH_SIZE) break;
      }
      for (const [key] of batch) this.#queue.delete(key);
      const isTaken = new Promise<void>((resolve) => (this.#next = resolve));
      this.#post(batch, true);
      await isTaken;
    }
    this.#next = undefined;
    this.#draining = false;
    const waiting = this.#whenEmpty;
    this.#whenEmpty = [];
    for (const callback of waiting) callback();
  }
}
