// Hands changed rows to the page in slices, so that neither side blocks while tens of thousands arrive. A small change
// overtakes the queue; per key the last value wins, so the order of slices does not matter.
import type { KeyChange } from '#client/replica/mirror.ts';

/** Rows of one message; cloning them and taking them over costs the page a few milliseconds. */
const SLICE = 250;
/** A change up to this size is posted at once. */
const SMALL = 50;

/** A queue of changed keys that empties itself slice by slice. */
export class RowFeed {
  readonly #queue = new Map<string, unknown>();
  readonly #post: (changes: KeyChange[], bulk: boolean) => void;
  #draining = false;
  #closed = false;
  #whenEmpty: (() => void)[] = [];

  constructor(post: (changes: KeyChange[], bulk: boolean) => void) {
    this.#post = post;
  }

  push(changes: readonly KeyChange[]): void {
    if (changes.length === 0) return;
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

  /** Rows that somebody waits for: at once, in one message. */
  pushFirst(changes: readonly KeyChange[]): void {
    if (changes.length > 0) this.#post([...changes], false);
  }

  /** Progress must not be told before the rows it speaks of. */
  #moveControlLast(): void {
    const control = [...this.#queue].filter(([key]) => key.startsWith('0/'));
    for (const [key, value] of control) {
      this.#queue.delete(key);
      this.#queue.set(key, value);
    }
  }

  /** Calls back once everything queued so far has been posted. */
  whenEmpty(callback: () => void): void {
    if (this.#queue.size === 0) callback();
    else this.#whenEmpty.push(callback);
  }

  close(): void {
    this.#closed = true;
    this.#queue.clear();
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    while (this.#queue.size > 0 && !this.#closed) {
      const slice: KeyChange[] = [];
      for (const change of this.#queue) {
        slice.push(change);
        if (slice.length === SLICE) break;
      }
      for (const [key] of slice) this.#queue.delete(key);
      this.#post(slice, true);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    this.#draining = false;
    if (this.#closed) return;
    const waiting = this.#whenEmpty;
    this.#whenEmpty = [];
    for (const callback of waiting) callback();
  }
}
