// What other applications share into this one waits here, in its own small IndexedDB, from the service worker's
// answer until the capture sheet takes it. Usable in the worker and in the page; knows nothing of memories.

/** One act of sharing, as the share target received it. */
export interface SharedItem {
  title: string;
  text: string;
  url: string;
  files: File[];
  receivedAt: number;
}

const DATABASE = 'loci-shared';
const STORE = 'items';

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener('upgradeneeded', () =>
      request.result.createObjectStore(STORE, { autoIncrement: true }),
    );
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('The store of shared items did not open')),
    );
  });
}

async function run<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.addEventListener('complete', () => resolve(request.result));
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? new Error('Shared items could not be kept')),
      );
    });
  } finally {
    database.close();
  }
}

/** Reads a share target's form. Fields that are missing become empty. */
export function sharedItemOf(form: FormData): SharedItem {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const files = form
    .getAll('files')
    .filter((value): value is File => value instanceof File && value.size > 0);
  return { title: text('title'), text: text('text'), url: text('url'), files, receivedAt: Date.now() };
}

/** Keeps an item until the application takes it. */
export async function keepSharedItem(item: SharedItem): Promise<void> {
  await run('readwrite', (store) => store.add(item));
}

/**
 * Hands over everything that waits, oldest first, and forgets it once the taker has it safe. What is shared meanwhile
 * waits for the next time.
 */
export async function takeSharedItems(take: (items: readonly SharedItem[]) => Promise<void>): Promise<void> {
  const keys = await run('readonly', (store) => store.getAllKeys());
  const last = keys.at(-1);
  if (last === undefined) return;
  const items: SharedItem[] = await run('readonly', (store) => store.getAll(IDBKeyRange.upperBound(last)));
  await take(items);
  await run('readwrite', (store) => store.delete(IDBKeyRange.upperBound(last)));
}
