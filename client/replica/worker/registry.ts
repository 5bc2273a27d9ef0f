// Replicache's list of the databases of this device, with the time at which each was opened last. Replicache 15.3 removes old
// ones by itself, but looks for their unsent changes with its own store instead of the configured one: in packs that store
// finds nothing and deletes the database with its changes. So Replicache reads a list in which every database was opened just
// now and removes nothing; the list on the device has the true times, for `collect-databases.ts`.
import type { KVRead, KVStore, KVWrite, ReadonlyJSONObject, ReadonlyJSONValue } from 'replicache';
import { frozen } from '#client/replica/worker/frozen.ts';

/** Key of the list; the only other key holds the id of the browser's profile. */
const LIST_KEY = 'dbs';
const OPENED = 'lastOpenedTimestampMS';

type Value = ReadonlyJSONValue | undefined;
/** Entries as stored on the device, by the entry that Replicache was shown instead. */
type Originals = WeakMap<object, Value & object>;

function isEntry(value: Value): value is ReadonlyJSONObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The list with every database opened now. */
function shown(list: Value, originals?: Originals): Value {
  if (!isEntry(list)) return list;
  const entries = Object.entries(list).map(([name, entry]): [string, Value] => {
    if (!isEntry(entry)) return [name, entry];
    const fresh = { ...entry, [OPENED]: Date.now() };
    originals?.set(fresh, entry);
    return [name, fresh];
  });
  return frozen(Object.fromEntries(entries));
}

/**
 * The list to store. Replicache writes back the entries that it read and replaces the one that it changes, so an entry that was
 * shown in this transaction maps to the stored one, and any other is new.
 */
function stored(list: ReadonlyJSONValue, originals: Originals): ReadonlyJSONValue {
  if (!isEntry(list)) return list;
  const entries = Object.entries(list).map(([name, entry]) => [
    name,
    (isEntry(entry) && originals.get(entry)) || entry,
  ]);
  return Object.fromEntries(entries);
}

/** Reads the list for Replicache. */
class RegistryRead implements KVRead {
  readonly #inner: KVRead;
  readonly #originals: Originals | undefined;

  constructor(inner: KVRead, originals?: Originals) {
    this.#inner = inner;
    this.#originals = originals;
  }

  get closed(): boolean {
    return this.#inner.closed;
  }

  has(key: string): Promise<boolean> {
    return this.#inner.has(key);
  }

  async get(key: string): Promise<Value> {
    const value = await this.#inner.get(key);
    return key === LIST_KEY ? shown(value, this.#originals) : value;
  }

  release(): void {
    this.#inner.release();
  }
}

/** One write transaction on the list. */
class RegistryWrite extends RegistryRead implements KVWrite {
  readonly #write: KVWrite;
  readonly #shown: Originals;

  constructor(write: KVWrite, originals: Originals = new WeakMap()) {
    super(write, originals);
    this.#write = write;
    this.#shown = originals;
  }

  put(key: string, value: ReadonlyJSONValue): Promise<void> {
    return this.#write.put(key, key === LIST_KEY ? stored(value, this.#shown) : value);
  }

  del(key: string): Promise<void> {
    return this.#write.del(key);
  }

  commit(): Promise<void> {
    return this.#write.commit();
  }
}

/** The store of the list for Replicache, above the one that holds it. */
export function registryStore(inner: KVStore): KVStore {
  return {
    read: async () => new RegistryRead(await inner.read()),
    write: async () => new RegistryWrite(await inner.write()),
    close: () => inner.close(),
    get closed() {
      return inner.closed;
    },
  };
}

/** A database and the time at which it was opened last, in milliseconds. */
export interface Registered {
  name: string;
  openedAt: number;
}

/** The databases in the list, from a reading of the store that holds it. Without those that have no time. */
export async function registeredIn(read: KVRead): Promise<Registered[]> {
  const list = await read.get(LIST_KEY);
  if (!isEntry(list)) return [];
  return Object.entries(list).flatMap(([name, entry]) => {
    const openedAt = isEntry(entry) ? entry[OPENED] : undefined;
    return typeof openedAt === 'number' ? { name, openedAt } : [];
  });
}
