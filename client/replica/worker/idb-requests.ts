// Requests and transactions of IndexedDB as promises.

/** The one object store of a replica's database: packs of chunks, the steps of their index, and the journal. */
export const OBJECT_STORE = 'packs';

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
