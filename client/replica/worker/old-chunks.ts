// Converts what version 1 of a database holds, three records for each chunk. The upgrade itself only renames the object
// store: Chromium restores records after a crash within a large upgrade, but may answer with the upgraded form before it
// has restored that. The records follow in a transaction like any other.
import type { ReadonlyJSONValue } from 'replicache';
import { committed, OBJECT_STORE, promiseOf } from '#client/replica/worker/idb-requests.ts';
import { PackIndex, writeStep } from '#client/replica/worker/pack-index.ts';

/** Name in version 1, which is Replicache's. Pages of that version look for it, and must not find it any more. */
const OLD_NAME = 'chunks';
const NEW_NAME = 'chunks of version 1';
/** Records per request. */
const BATCH = 600;
/** Keys of the journal, which has the same form in both versions. */
const JOURNAL = /^[jpx]\//;

/** Upgrades the form of a database of version 1. */
export function upgradeForm(upgrade: IDBTransaction): void {
  upgrade.db.createObjectStore(OBJECT_STORE);
  if (upgrade.db.objectStoreNames.contains(OLD_NAME)) upgrade.objectStore(OLD_NAME).name = NEW_NAME;
}

/** Moves what is left in the old form into packs; all of it or nothing. */
export async function convertChunks(database: IDBDatabase): Promise<void> {
  if (!database.objectStoreNames.contains(NEW_NAME)) return;
  const transaction = database.transaction([NEW_NAME, OBJECT_STORE], 'readwrite');
  const done = committed(transaction);
  try {
    await moveRecords(transaction.objectStore(NEW_NAME), transaction.objectStore(OBJECT_STORE));
  } catch (error) {
    done.catch(() => undefined);
    if (transaction.error === null) transaction.abort();
    throw error;
  }
  await done;
}

async function moveRecords(old: IDBObjectStore, store: IDBObjectStore): Promise<void> {
  const replicas = new Map<string, ReadonlyJSONValue>();
  let range: IDBKeyRange | undefined;
  let count: number;
  do {
    const [keys, values] = await Promise.all([
      promiseOf(old.getAllKeys(range, BATCH)),
      promiseOf<ReadonlyJSONValue[]>(old.getAll(range, BATCH)),
    ]);
    for (const [at, key] of keys.entries()) {
      const value = values[at];
      if (typeof key !== 'string' || value === undefined) continue;
      if (JOURNAL.test(key)) store.put(value, key);
      else replicas.set(key, value);
    }
    count = keys.length;
    range = IDBKeyRange.lowerBound(keys.at(-1) ?? '', true);
  } while (count === BATCH);
  if (replicas.size > 0) writeStep(store, new PackIndex().stepOf(replicas));
  old.clear();
}
