// Chunks that were read together with a requested one. A pack holds many chunks, and a page that reads many of them reads all,
// so from then on packs are read ahead of requests. Chunks never change, so one that was read early is current.
import { OBJECT_STORE, promiseOf } from '#client/replica/worker/idb-requests.ts';
import type { IdbDatabase } from '#client/replica/worker/idb-database.ts';
import { packKey, type Pack, type PackIndex } from '#client/replica/worker/pack-index.ts';
import type { ReadonlyJSONValue } from 'replicache';

/** Packs read one by one after which everything is read; the first screen needs fewer. */
const ALL_AFTER = 20;
/** Packs per request. */
const BATCH = 32;
/** Unused chunks are dropped after this time. */
const FORGET_MS = 4_000;

/** The early chunks of one database. */
export class ReadAhead {
  readonly #database: IdbDatabase;
  readonly #index: () => PackIndex;
  readonly #early = new Map<string, ReadonlyJSONValue>();
  /** Packs that are being read. */
  readonly #coming = new Map<number, Promise<void>>();
  /** Packs that were read since everything was forgotten. */
  readonly #read = new Set<number>();
  #single = 0;
  #isReadingAll = false;
  #forget: ReturnType<typeof setTimeout> | undefined;

  constructor(database: IdbDatabase, index: () => PackIndex) {
    this.#database = database;
    this.#index = index;
  }

  /** The chunk; undefined when its pack was deleted. It is returned once, because Replicache caches it. */
  async take(key: string, pack: number): Promise<ReadonlyJSONValue | undefined> {
    if (!this.#early.has(key)) await (this.#coming.get(pack) ?? this.#one(pack));
    const chunk = this.#early.get(key);
    this.#early.delete(key);
    return chunk;
  }

  #one(pack: number): Promise<void> {
    this.#single += 1;
    const reading = this.#some([pack]);
    if (this.#single >= ALL_AFTER && !this.#isReadingAll) void this.#all();
    return reading;
  }

  clear(): void {
    clearTimeout(this.#forget);
    this.#single = 0;
    this.#early.clear();
    this.#read.clear();
  }

  #some(packs: readonly number[]): Promise<void> {
    const reading = this.#request(packs).finally(() => packs.forEach((pack) => this.#coming.delete(pack)));
    for (const pack of packs) {
      this.#coming.set(pack, reading);
      this.#read.add(pack);
    }
    return reading;
  }

  async #request(packs: readonly number[]): Promise<void> {
    const store = (await this.#database.begin('readonly')).objectStore(OBJECT_STORE);
    const range = IDBKeyRange.bound(packKey(packs[0] ?? 0), packKey(packs.at(-1) ?? 0));
    const found: Pack[] = await promiseOf(store.getAll(range));
    const { chunks } = this.#index();
    for (const { id, keys, chunks: values } of found) {
      for (const [at, key] of keys.entries()) {
        const value = values[at];
        if (chunks.get(key) === id && value !== undefined) this.#early.set(key, value);
      }
    }
    if (!this.#isReadingAll) this.#forgetSoon();
  }

  #forgetSoon(): void {
    clearTimeout(this.#forget);
    this.#forget = setTimeout(() => this.clear(), FORGET_MS);
  }

  async #all(): Promise<void> {
    this.#isReadingAll = true;
    try {
      const packs = [...this.#index().packs.keys()].sort((one, other) => one - other);
      while (packs.length > 0 && !this.#database.closed) {
        const batch = this.#nextOf(packs);
        if (batch.length > 0) await this.#some(batch);
      }
    } catch (error) {
      // Reading ahead is optional; the reading that needs a pack reports the failure to its caller.
      console.info('replica: reading ahead ended early', error);
    } finally {
      this.#isReadingAll = false;
      this.#single = 0;
      this.#read.clear();
      this.#forgetSoon();
    }
  }

  /** Removes and returns the next batch; a pack that was read meanwhile is not read again, and no batch spans it. */
  #nextOf(packs: number[]): number[] {
    while (packs[0] !== undefined && this.#read.has(packs[0])) packs.shift();
    const end = packs.slice(0, BATCH).findIndex((pack) => this.#read.has(pack));
    return packs.splice(0, end === -1 ? BATCH : end);
  }
}
