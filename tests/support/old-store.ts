// Databases as the version before left them: the object store `chunks` in version 1, with one record for each key of
// Replicache and of the journal.
import { IdbDatabase } from '#client/replica/worker/idb-database.ts';
import { committed, OBJECT_STORE, promiseOf } from '#client/replica/worker/idb-requests.ts';
import { PackIndex, type Pack } from '#client/replica/worker/pack-index.ts';

const OLD_STORE = 'chunks';

/** Opens a database of version 1, made when there is none. */
export async function openOld(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(OLD_STORE));
  return await promiseOf(request);
}

/** Writes records into a database of version 1. */
export async function writeOld(database: IDBDatabase, records: Iterable<readonly [string, unknown]>) {
  const transaction = database.transaction(OLD_STORE, 'readwrite', { durability: 'strict' });
  const done = committed(transaction);
  for (const [key, value] of records) transaction.objectStore(OLD_STORE).put(value, key);
  await done;
}

/** Everything that a database holds, as records of version 1. */
async function recordsOf(name: string): Promise<Map<string, unknown>> {
  const database = new IdbDatabase(name, { mayCreate: false });
  try {
    const store = (await database.begin('readonly')).objectStore(OBJECT_STORE);
    const index = new PackIndex();
    await index.catchUp(store);
    const records = new Map<string, unknown>(index.values);
    const range = IDBKeyRange.bound('j', 'z');
    const [keys, values] = await Promise.all([
      promiseOf(store.getAllKeys(range)),
      promiseOf<unknown[]>(store.getAll(range)),
    ]);
    for (const [at, key] of keys.entries()) if (typeof key === 'string') records.set(key, values[at]);
    const packs = await promiseOf<Pack[]>(store.getAll(IDBKeyRange.bound('c/', 'c0')));
    for (const { id, keys: held, chunks } of packs) {
      for (const [at, key] of held.entries()) if (index.chunks.get(key) === id) records.set(key, chunks[at]);
    }
    return records;
  } finally {
    await database.close();
  }
}

/** Puts a database back into the form of version 1. No page may have it open. */
export async function makeOld(name: string): Promise<void> {
  const records = await recordsOf(name);
  await promiseOf(indexedDB.deleteDatabase(name));
  const database = await openOld(name);
  await writeOld(database, records);
  database.close();
}
