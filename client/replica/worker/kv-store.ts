// Replicache's storage on this device: the layout of its own IndexedDB store, but reading ahead in bulk, and reporting
// aborted writes (its own store waits forever when the disk is full). Writes and everything that can change always go
// through IndexedDB's transactions, so that tabs agree.
import type { KVRead, KVStore, KVStoreProvider, KVWrite, ReadonlyJSONValue } from 'replicache';
import { frozen } from '#client/replica/worker/frozen.ts';
import { committed, IdbDatabase, OBJECT_STORE, promiseOf } from '#client/replica/worker/idb-database.ts';
import { removeWrittenRecords } from '#client/replica/worker/journal-records.ts';
import {
  isDataKey,
  ReadAhead,
  referencesKeyOf,
  type StoredChunk,
} from '#client/replica/worker/read-ahead.ts';

/** Values of the store were written by Replicache and are JSON. */
function isJsonValue(value: unknown): value is ReadonlyJSONValue {
  return value !== undefined;
}

const HEAD_PREFIX = 'h/';

function storeOf(transaction: IDBTransaction): IDBObjectStore {
  return transaction.objectStore(OBJECT_STORE);
}

/** A view of the database; one that has read a head stays on its own transaction, so that heads and chunks agree. */
class Reading implements KVRead {
  closed = false;
  readonly #database: IdbDatabase;
  readonly #ahead: ReadAhead;
  #transaction: IDBTransaction;
  #isStrict = false;
  /** References of the chunk read last: Replicache reads them right after its data. */
  #references: { key: string; value: unknown } | undefined;

  constructor(database: IdbDatabase, ahead: ReadAhead, transaction: IDBTransaction) {
    this.#database = database;
    this.#ahead = ahead;
    this.#transaction = transaction;
  }

  async has(key: string): Promise<boolean> {
    return (await this.#ask((store) => store.count(key))) > 0;
  }

  async get(key: string): Promise<ReadonlyJSONValue | undefined> {
    const value = await this.#find(key);
    return isJsonValue(value) ? frozen(value) : undefined;
  }

  async #find(key: string): Promise<unknown> {
    if (isDataKey(key)) {
      const chunk = (this.#isStrict ? undefined : await this.#ahead.take(key)) ?? (await this.#chunk(key));
      this.#references = { key: referencesKeyOf(key), value: chunk?.references };
      return chunk?.data;
    }
    if (this.#references?.key === key) return this.#references.value;
    const value: unknown = await this.#ask((store) => store.get(key));
    this.#isStrict ||= key.startsWith(HEAD_PREFIX);
    return value;
  }

  /** Data and references with one request. */
  async #chunk(key: string): Promise<StoredChunk | undefined> {
    const range = IDBKeyRange.bound(key, referencesKeyOf(key));
    const found: unknown[] = await this.#ask((store) => store.getAll(range));
    return found.length === 0 ? undefined : { data: found[0], references: found[1] };
  }

  /** A transaction ends by itself while chunks come from elsewhere; chunks may then be read in a new one. */
  async #ask<T>(request: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    try {
      return await promiseOf(request(storeOf(this.#transaction)));
    } catch (error) {
      if (this.#isStrict || !(error instanceof DOMException)) throw error;
      this.#transaction = await this.#database.begin('readonly');
      return await promiseOf(request(storeOf(this.#transaction)));
    }
  }

  release(): void {
    this.closed = true;
  }
}

const DELETED = Symbol('deleted');

/** One write transaction; nothing of it is visible elsewhere before `commit`. */
class Writing implements KVWrite {
  closed = false;
  readonly #ahead: ReadAhead;
  readonly #transaction: IDBTransaction;
  readonly #onFailure: OnFailure;
  readonly #pending = new Map<string, ReadonlyJSONValue | typeof DELETED>();

  constructor(ahead: ReadAhead, transaction: IDBTransaction, onFailure: OnFailure) {
    this.#ahead = ahead;
    this.#transaction = transaction;
    this.#onFailure = onFailure;
  }

  async has(key: string): Promise<boolean> {
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending !== DELETED;
    return (await promiseOf(storeOf(this.#transaction).count(key))) > 0;
  }

  async get(key: string): Promise<ReadonlyJSONValue | undefined> {
    const pending = this.#pending.get(key);
    if (pending === DELETED) return undefined;
    if (pending !== undefined) return pending;
    const value: unknown = await promiseOf(storeOf(this.#transaction).get(key));
    return isJsonValue(value) ? frozen(value) : undefined;
  }

  async put(key: string, value: ReadonlyJSONValue): Promise<void> {
    this.#pending.set(key, value);
  }

  async del(key: string): Promise<void> {
    this.#pending.set(key, DELETED);
  }

  async commit(): Promise<void> {
    if (this.#pending.size === 0) return;
    const done = committed(this.#transaction);
    try {
      this.#writeAll();
      await done;
    } catch (error) {
      // A failed write aborts the transaction, which rejects `done` as well.
      done.catch(() => undefined);
      this.#onFailure(error);
      throw error;
    }
  }

  #writeAll(): void {
    const store = storeOf(this.#transaction);
    for (const [key, value] of this.#pending) {
      if (value !== DELETED) store.put(value, key);
      else {
        store.delete(key);
        this.#ahead.drop(key);
      }
    }
    removeWrittenRecords(store, this.#pending.values());
  }

  release(): void {
    this.closed = true;
  }
}

/** Receives every failure of the storage beneath a store. */
type OnFailure = (error: unknown) => void;

class ReadAheadStore implements KVStore {
  readonly #database: IdbDatabase;
  readonly #ahead: ReadAhead;
  readonly #onFailure: OnFailure;

  constructor(name: string, onFailure: OnFailure) {
    this.#database = new IdbDatabase(name);
    this.#ahead = new ReadAhead(this.#database);
    this.#onFailure = onFailure;
  }

  get closed(): boolean {
    return this.#database.closed;
  }

  async #begin(mode: IDBTransactionMode): Promise<IDBTransaction> {
    try {
      return await this.#database.begin(mode);
    } catch (error) {
      if (!this.#database.closed) this.#onFailure(error);
      throw error;
    }
  }

  async read(): Promise<KVRead> {
    return new Reading(this.#database, this.#ahead, await this.#begin('readonly'));
  }

  async write(): Promise<KVWrite> {
    return new Writing(this.#ahead, await this.#begin('readwrite'), this.#onFailure);
  }

  async close(): Promise<void> {
    this.#ahead.close();
    await this.#database.close();
  }
}

async function drop(name: string): Promise<void> {
  await promiseOf(indexedDB.deleteDatabase(name));
}

/** The provider for all Replicache databases of this origin, including those of other tabs during recovery. */
export function readAheadStore(onFailure: OnFailure): KVStoreProvider {
  return { create: (name) => new ReadAheadStore(name, onFailure), drop };
}
