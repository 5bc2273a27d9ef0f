// Replicache's storage on this device. Its own store writes three records for each chunk of nine kilobytes; here chunks share
// records, which makes reading everything and writing much cheaper. Writes and everything that can change always go through
// IndexedDB's transactions, so that tabs agree, and aborted writes are reported (Replicache's own store waits forever when the
// disk is full).
import type { KVRead, KVStore, KVStoreProvider, KVWrite, ReadonlyJSONValue } from 'replicache';
import { REPLICA_REGISTRY } from '#client/replica/device-names.ts';
import { frozen } from '#client/replica/worker/frozen.ts';
import { IdbDatabase } from '#client/replica/worker/idb-database.ts';
import { committed, OBJECT_STORE, promiseOf } from '#client/replica/worker/idb-requests.ts';
import { removeWrittenRecords } from '#client/replica/worker/journal-records.ts';
import {
  isChunkKey,
  PackIndex,
  packKey,
  referencesKeyOf,
  writeStep,
  type Pack,
  type Written,
} from '#client/replica/worker/pack-index.ts';
import { ReadAhead } from '#client/replica/worker/read-ahead.ts';
import { registryStore } from '#client/replica/worker/registry.ts';

type Value = ReadonlyJSONValue | undefined;

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended.
  }
}

/** A transaction, and the index as it is in it. */
class Session {
  readonly transaction: IDBTransaction;
  readonly store: IDBObjectStore;
  readonly index: PackIndex;
  readonly #at: number;
  /** Packs read in this transaction. */
  readonly #packs = new Map<number, Promise<Pack | undefined>>();

  constructor(transaction: IDBTransaction, store: IDBObjectStore, index: PackIndex) {
    this.transaction = transaction;
    this.store = store;
    this.index = index;
    this.#at = index.at;
  }

  /** @throws DOMException when the transaction has ended and another one has written since */
  async get(key: string): Promise<Value> {
    if (this.index.at !== this.#at) {
      throw new DOMException('Read after the end of the transaction', 'TransactionInactiveError');
    }
    if (!isChunkKey(key)) return this.index.values.get(key);
    const id = this.index.chunks.get(key);
    const pack = id === undefined ? undefined : await this.pack(id);
    return pack?.chunks[pack.keys.indexOf(key)];
  }

  /** Writes a step with everything that belongs to it, or nothing; then the index has it. */
  async write(written: Written, alsoWrite: (store: IDBObjectStore) => void = () => undefined): Promise<void> {
    const { transaction, store, index } = this;
    const done = committed(transaction);
    try {
      writeStep(store, written);
      alsoWrite(store);
    } catch (error) {
      // Requests made before the failure would be committed without the rest.
      abort(transaction);
      done.catch(() => undefined);
      throw error;
    }
    await done;
    index.apply(written.step);
  }

  pack(id: number): Promise<Pack | undefined> {
    const pack = this.#packs.get(id) ?? promiseOf<Pack | undefined>(this.store.get(packKey(id)));
    this.#packs.set(id, pack);
    return pack;
  }
}

/** A view of the database; one that has read a head stays on its own transaction, so that heads and chunks agree. */
class Reading implements KVRead {
  closed = false;
  readonly #store: PackedStore;
  #session: Promise<Session> | undefined;
  /** References of chunks that were read: Replicache reads them right after the data, and must get both or neither. */
  readonly #references = new Map<string, Value>();

  constructor(store: PackedStore) {
    this.#store = store;
  }

  #begin(): Promise<Session> {
    this.#session ??= this.#store.begin('readonly');
    return this.#session;
  }

  async has(key: string): Promise<boolean> {
    const { index } = await this.#begin();
    return index.chunks.has(key) || index.values.has(key);
  }

  async get(key: string): Promise<Value> {
    const value = isChunkKey(key) ? await this.#chunk(key) : await this.#value(key);
    return value === undefined ? undefined : frozen(value);
  }

  async #value(key: string): Promise<Value> {
    if (!this.#references.has(key)) return await (await this.#begin()).get(key);
    const references = this.#references.get(key);
    this.#references.delete(key);
    return references;
  }

  async #chunk(key: string): Promise<Value> {
    const referencesKey = referencesKeyOf(key);
    if (!this.#session) {
      const references = this.#store.index.values.get(referencesKey);
      const chunk = await this.#store.early(key);
      if (chunk !== undefined) {
        this.#references.set(referencesKey, references);
        return chunk;
      }
    }
    const session = this.#session ? await this.#session : await this.#store.begin('readonly');
    this.#references.set(referencesKey, session.index.values.get(referencesKey));
    return await session.get(key);
  }

  release(): void {
    this.closed = true;
  }
}

/** One write transaction; its writes are not visible elsewhere before `commit`. */
class Writing implements KVWrite {
  closed = false;
  readonly #session: Session;
  readonly #onCommit: () => void;
  readonly #onFailure: OnFailure;
  /** Undefined deletes. */
  readonly #changes = new Map<string, Value>();

  constructor(session: Session, { onCommit, onFailure }: { onCommit: () => void; onFailure: OnFailure }) {
    this.#session = session;
    this.#onCommit = onCommit;
    this.#onFailure = onFailure;
  }

  async has(key: string): Promise<boolean> {
    if (this.#changes.has(key)) return this.#changes.get(key) !== undefined;
    const { chunks, values } = this.#session.index;
    return chunks.has(key) || values.has(key);
  }

  async get(key: string): Promise<Value> {
    if (this.#changes.has(key)) return this.#changes.get(key);
    const value = await this.#session.get(key);
    return value === undefined ? undefined : frozen(value);
  }

  async put(key: string, value: ReadonlyJSONValue): Promise<void> {
    this.#changes.set(key, value);
  }

  async del(key: string): Promise<void> {
    this.#changes.set(key, undefined);
  }

  async commit(): Promise<void> {
    if (this.#changes.size === 0) return;
    try {
      await this.#session.write(this.#session.index.stepOf(this.#changes), (store) =>
        removeWrittenRecords(store, this.#changes.values()),
      );
    } catch (error) {
      this.#onFailure(error);
      throw error;
    }
    this.#onCommit();
  }

  release(): void {
    this.closed = true;
  }
}

/** Receives every failure of the storage beneath a store. */
type OnFailure = (error: unknown) => void;

class PackedStore implements KVStore {
  readonly #database: IdbDatabase;
  readonly #onFailure: OnFailure;
  readonly #ahead: ReadAhead;
  /** Connection that the index belongs to; a database that was deleted and recreated has another one. */
  #connection: IDBDatabase | undefined;
  #isTidying = false;
  index = new PackIndex();

  constructor(database: IdbDatabase, onFailure: OnFailure) {
    this.#database = database;
    this.#onFailure = onFailure;
    this.#ahead = new ReadAhead(database, () => this.index);
  }

  get closed(): boolean {
    return this.#database.closed;
  }

  /** Begins a transaction and reads what other tabs have written. */
  async begin(mode: IDBTransactionMode): Promise<Session> {
    try {
      const transaction = await this.#database.begin(mode);
      if (transaction.db !== this.#connection) {
        this.#connection = transaction.db;
        this.index = new PackIndex();
        this.#ahead.clear();
      }
      const { index } = this;
      const store = transaction.objectStore(OBJECT_STORE);
      await index.catchUp(store);
      return new Session(transaction, store, index);
    } catch (error) {
      if (!this.#database.closed) this.#onFailure(error);
      throw error;
    }
  }

  /** A chunk that is known, without a transaction of the caller. */
  async early(key: string): Promise<Value> {
    const pack = this.index.chunks.get(key);
    return pack === undefined ? undefined : await this.#ahead.take(key, pack);
  }

  async read(): Promise<KVRead> {
    return new Reading(this);
  }

  async write(): Promise<KVWrite> {
    return new Writing(await this.begin('readwrite'), {
      onCommit: () => void this.#tidy(),
      onFailure: this.#onFailure,
    });
  }

  /** Writes the index anew and merges thin packs when too much has piled up. */
  async #tidy(): Promise<void> {
    if (this.#isTidying || this.closed || !this.index.isUntidy()) return;
    this.#isTidying = true;
    try {
      const session = await this.begin('readwrite');
      const { index } = session;
      const moved = new Map<string, ReadonlyJSONValue>();
      for (const pack of await Promise.all(index.thinPacks().map((id) => session.pack(id)))) {
        for (const [at, key] of pack?.keys.entries() ?? []) {
          const chunk = pack?.chunks[at];
          if (index.chunks.get(key) === pack?.id && chunk !== undefined) moved.set(key, chunk);
        }
      }
      await session.write(index.tidyStep(moved));
      this.#isTidying = false;
    } catch (error) {
      // Everything is as it was. Not tried again before the next start, because the reason is probably a full disk.
      console.info('replica: packs were not merged', error);
    }
  }

  async close(): Promise<void> {
    this.#ahead.clear();
    await this.#database.close();
  }
}

async function drop(name: string): Promise<void> {
  await promiseOf(indexedDB.deleteDatabase(name));
}

/** The provider for all Replicache databases of this origin, including those of other tabs during recovery. */
export function packedStore(onFailure: (error: unknown, databaseName: string) => void): KVStoreProvider {
  return {
    create(name) {
      const store = new PackedStore(new IdbDatabase(name), (error) => onFailure(error, name));
      return name === REPLICA_REGISTRY ? registryStore(store) : store;
    },
    drop,
  };
}

/** Reads what Replicache has written to a database, the list of databases with its true times; throws DatabaseGoneError when there is none. */
export function readStore(database: IdbDatabase): Promise<KVRead> {
  return new PackedStore(database, () => undefined).read();
}
