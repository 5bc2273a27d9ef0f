// One IndexedDB database in the format of Replicache's own store (object store `chunks`, string keys), so that both
// stores can open each other's data. Knows connections and transactions; must not know what is stored.

/** The object store; the name is Replicache's. */
export const OBJECT_STORE = 'chunks';

/** The database was deleted while this page uses it; the storage watch recognises this error by its name. */
class DatabaseGoneError extends Error {
  override readonly name = 'IDBNotFoundError';
}

/** Turns a request into a promise. */
export function promiseOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB request failed')));
  });
}

/**
 * Resolves when the transaction is on disk. Rejects on abort as well as on error: a full disk aborts at commit without
 * a failed request, and then no error event is fired.
 */
export function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(transaction.error ?? new DOMException('Transaction aborted', 'AbortError'));
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', fail);
    transaction.addEventListener('error', fail);
  });
}

function open(name: string, mayCreate: boolean): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name);
    request.addEventListener('upgradeneeded', () => {
      if (mayCreate) request.result.createObjectStore(OBJECT_STORE);
      else {
        request.transaction?.abort();
        reject(new DatabaseGoneError(`Replica database not found: ${name}`));
      }
    });
    request.addEventListener('error', () =>
      reject(request.error ?? new Error(`${name} could not be opened`)),
    );
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

  constructor(name: string) {
    this.#name = name;
    this.#database = open(name, true);
    // Users of the database receive the failure; until then it must not count as an unhandled rejection.
    this.#database.catch(() => undefined);
  }

  /** A new transaction; a strict one commits on disk. @throws an IDBNotFoundError when the database was deleted */
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
