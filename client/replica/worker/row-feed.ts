// Hands changed rows to the page in slices, the next one when the page has had time for the last, so that neither side
// blocks while tens of thousands arrive. A small change overtakes the queue; per key the last value wins, so the order
// of slices does not matter.
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
  /** Lets the next slice go; there while the page is busy with one. */
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

  /** Calls back once the page has taken everything queued so far, or will take no more. */
  whenEmpty(callback: () => void): void {
    if (this.#draining) this.#whenEmpty.push(callback);
    else callback();
  }

  /** The page has taken the last slice over and had time for what came between. */
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
      const slice: KeyChange[] = [];
      for (const change of this.#queue) {
        slice.push(change);
        if (slice.length === SLICE) break;
      }
      for (const [key] of slice) this.#queue.delete(key);
      const isTaken = new Promise<void>((resolve) => (this.#next = resolve));
      this.#post(slice, true);
      await isTaken;
    }
    this.#next = undefined;
    this.#draining = false;
    const waiting = this.#whenEmpty;
    this.#whenEmpty = [];
    for (const callback of waiting) callback();
  }
}
