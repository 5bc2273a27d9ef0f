// Reads chunks in bulk before Replicache requests them. Replicache reads a chunk with two consecutive requests of half
// a millisecond each, so a scan of everything takes seconds. Chunks are immutable, so a chunk read early is always
// current.
import { OBJECT_STORE, promiseOf, type IdbDatabase } from '#client/replica/worker/idb-database.ts';

/** Chunks read singly within WINDOW_MS before reading ahead starts: the first screen needs fewer. */
const START_AFTER = 40;
const WINDOW_MS = 500;
/** Records per bulk request; two or three belong to a chunk. */
const BATCH = 600;
/** Chunks that have not been used by then are dropped. */
const FORGET_MS = 4_000;
const FIRST_KEY = 'c/';
const LAST_KEY = 'c0';

/** A chunk as Replicache stores it: its data, and the hashes it refers to when there are any. */
export interface StoredChunk {
  data: unknown;
  references: unknown;
}

/** True for keys of chunk data, which never changes. */
export function isDataKey(key: string): boolean {
  return key.startsWith(FIRST_KEY) && key.endsWith('/d');
}

/** Key of a chunk's references beside its data; absent for chunks that refer to nothing. */
export function referencesKeyOf(dataKey: string): string {
  return `${dataKey.slice(0, -1)}m`;
}

/** The early chunks of one database. */
export class ReadAhead {
  readonly #database: IdbDatabase;
  /** By the key of the data. */
  readonly #early = new Map<string, StoredChunk>();
  #reads = 0;
  #windowEnd = 0;
  #running: Promise<void> | undefined;
  /** Keys up to here have been fetched by the run under way. */
  #reached = '';
  #batch: Promise<void> = Promise.resolve();
  #forget: ReturnType<typeof setTimeout> | undefined;

  constructor(database: IdbDatabase) {
    this.#database = database;
  }

  /** The chunk, if it is here or will be in a moment; it is handed out once. */
  async take(dataKey: string): Promise<StoredChunk | undefined> {
    this.#count();
    while (this.#running && dataKey > this.#reached) await this.#batch;
    const chunk = this.#early.get(dataKey);
    this.#early.delete(dataKey);
    return chunk;
  }

  /** A chunk was deleted by this page. */
  drop(key: string): void {
    this.#early.delete(key);
  }

  close(): void {
    clearTimeout(this.#forget);
    this.#early.clear();
  }

  #count(): void {
    const now = Date.now();
    if (now > this.#windowEnd) {
      this.#reads = 0;
      this.#windowEnd = now + WINDOW_MS;
    }
    this.#reads += 1;
    if (this.#reads < START_AFTER || this.#running || this.#early.size > 0) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      this.#reached = '';
    });
  }

  async #run(): Promise<void> {
    clearTimeout(this.#forget);
    try {
      let from = FIRST_KEY;
      while (!this.#database.closed) {
        const batch = this.#fetch(from);
        this.#batch = batch.then(
          () => undefined,
          () => undefined,
        );
        const last = await batch;
        if (last === undefined) break;
        from = last;
      }
    } catch (error) {
      // Reading ahead is optional; the single reads report the failure to their callers.
      console.info('replica: reading ahead ended early', error);
    } finally {
      this.#reached = LAST_KEY;
      this.#forget = setTimeout(() => this.#early.clear(), FORGET_MS);
    }
  }

  async #fetch(after: string): Promise<string | undefined> {
    const store = (await this.#database.begin('readonly')).objectStore(OBJECT_STORE);
    const range = IDBKeyRange.bound(after, LAST_KEY, true);
    const [keys, values] = await Promise.all([
      promiseOf(store.getAllKeys(range, BATCH)),
      promiseOf<unknown[]>(store.getAll(range, BATCH)),
    ]);
    const isLast = keys.length < BATCH;
    const names = keys.map(String);
    // The chunk at the cut may continue in the next batch, so it is left to that one.
    const cut = names.at(-1)?.slice(0, -1) ?? '';
    for (const [index, key] of names.entries()) {
      if (!isDataKey(key) || (!isLast && key.startsWith(cut))) continue;
      const hasReferences = names[index + 1] === referencesKeyOf(key);
      this.#early.set(key, {
        data: values[index],
        references: hasReferences ? values[index + 1] : undefined,
      });
    }
    if (isLast) return undefined;
    this.#reached = cut;
    return cut;
  }
}
