/**
 * The indexes of a worker: loaded when they are first searched, and evicted when all together exceed the memory limit,
 * the least recently searched first. Maintenance runs while the worker is idle.
 */
import type { Database } from '../db/database.ts';
import { AudienceIndex, IndexTooLargeError } from './audience-index.ts';
import { IndexFiles } from './index-files.ts';
import { listOutdated, type ReaderRealm } from './search-rows.ts';

/** Searches build id tables, letter tables and lists of words beside the segments. */
const OVERHEAD = 1.5;
/** Indexes that were not searched for so long are released. */
const IDLE_MS = 15 * 60_000;
/** An index that was too large is tried again after so long. */
const TOO_LARGE_MS = 10 * 60_000;

interface Held {
  index: AudienceIndex;
  used: number;
}

/** `now` returns milliseconds since 1970. */
export interface CacheParts {
  db: Database;
  folder: string;
  /** Maximum bytes of all indexes together. */
  capacity: number;
  now?: () => number;
}

export class IndexCache {
  readonly #parts: Required<CacheParts>;
  readonly #files: IndexFiles;
  readonly #held = new Map<string, Held>();
  /** Audience → when it may be tried again. */
  readonly #tooLarge = new Map<string, number>();

  constructor(parts: CacheParts) {
    this.#parts = { now: Date.now, ...parts };
    this.#files = new IndexFiles(parts.folder);
  }

  get byteLength(): number {
    return [...this.#held.values()].reduce((sum, { index }) => sum + index.byteLength * OVERHEAD, 0);
  }

  /** The index of an audience with every write up to the realm's version; undefined when it is too large to hold. */
  async current(audienceId: string, realm: ReaderRealm): Promise<AudienceIndex | undefined> {
    const { now, db, capacity } = this.#parts;
    if ((this.#tooLarge.get(audienceId) ?? 0) > now()) return undefined;
    const held = this.#held.get(audienceId) ?? {
      index: new AudienceIndex(audienceId, { db, files: this.#files, capacity: capacity / OVERHEAD }),
      used: 0,
    };
    held.used = now();
    // A map lists in the order of entry, so the first is the one that was used longest ago.
    this.#held.delete(audienceId);
    this.#held.set(audienceId, held);
    try {
      await held.index.bringTo(realm);
    } catch (error) {
      this.#held.delete(audienceId);
      if (!(error instanceof IndexTooLargeError)) throw error;
      this.#tooLarge.set(audienceId, now() + TOO_LARGE_MS);
      return undefined;
    }
    this.#release(audienceId);
    return held.index;
  }

  /** Merges and stores indexes that are due, and releases idle ones. */
  async maintain(): Promise<void> {
    for (const [audienceId, { index, used }] of this.#held) {
      await index.maintain();
      if (used < this.#parts.now() - IDLE_MS) this.#held.delete(audienceId);
    }
  }

  /** Deletes the files of indexes over deleted content. */
  async sweep(): Promise<void> {
    const stored = await this.#files.list();
    if (stored.length === 0) return;
    for (const audienceId of await listOutdated(this.#parts.db, stored)) {
      await this.#files.remove(audienceId);
      this.#held.get(audienceId)?.index.forgetFile();
    }
  }

  #release(inUse: string): void {
    for (const audienceId of this.#held.keys()) {
      if (this.byteLength <= this.#parts.capacity) return;
      if (audienceId !== inUse) this.#held.delete(audienceId);
    }
  }
}
