// One IndexedDB database of a replica: its version, connections and transactions. Must not know what is stored.
import { OBJECT_STORE } from '#client/replica/worker/idb-requests.ts';

/** Version 1 is the form of Replicache's own store. */
const VERSION = 2;

/** The database does not exist, or no longer; the storage watch recognises this error by its name. */
export class DatabaseGoneError extends Error {
  override readonly name = 'IDBNotFoundError';
}

/** A page of a later version has converted it, so for this page it is no longer there; its content is. */
export class LaterVersionError extends DatabaseGoneError {}

function open(name: string, mayCreate: boolean): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, VERSION);
    request.addEventListener('upgradeneeded', ({ oldVersion }) => {
      if (oldVersion > 0 || mayCreate) return void request.result.createObjectStore(OBJECT_STORE);
      request.transaction?.abort();
      reject(new DatabaseGoneError(`Replica database not found: ${name}`));
    });
    request.addEventListener('error', () => {
      if (request.error?.name === 'VersionError')
        reject(new LaterVersionError(`Of a later version: ${name}`));
      else reject(request.error ?? new Error(`${name} could not be opened`));
    });
    request.addEventListener('success', () => {
      const database = request.result;
      // Another tab wants to delete it; an open connection would only block that.
      database.addEventListener('versionchange', () => database.close());
      resolve(database);
    });
  });
}

/** A connection that is opened again when the browser closed it, but never creates a database that was deleted. */
export class IdbDatabase {
  readonly #name: string;
  #database: Promise<IDBDatabase>;
  closed = false;

  /** @param mayCreate false when only a database that exists is of interest; `begin` then throws if there is none */
  constructor(name: string, { mayCreate = true } = {}) {
    this.#name = name;
    this.#database = open(name, mayCreate);
    // Users of the database receive the failure; until then it must not count as an unhandled rejection.
    this.#database.catch(() => undefined);
  }

  /** A new transaction; a strict one commits on disk. @throws DatabaseGoneError when there is none */
  async begin(
    mode: IDBTransactionMode,
    durability: 'relaxed' | 'strict' = 'relaxed',
  ): Promise<IDBTransaction> {
    const database = await this.#database;
    try {
      return beginOn(database, mode, durability);
    } catch (error) {
      if (this.closed || !(error instanceof DOMException)) throw error;
      if (error.name === 'NotFoundError') throw new DatabaseGoneError(`Object store is gone: ${this.#name}`);
      if (error.name !== 'InvalidStateError') throw error;
      // Safari closes connections of pages that slept; one that was closed for a deletion fails to open here.
      this.#database = open(this.#name, false);
      return beginOn(await this.#database, mode, durability);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    try {
      (await this.#database).close();
    } catch (error) {
      console.info('replica: a database that never opened was closed', error);
    }
  }
}

function beginOn(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  durability: 'relaxed' | 'strict',
): IDBTransaction {
  return database.transaction(OBJECT_STORE, mode, { durability });
}
