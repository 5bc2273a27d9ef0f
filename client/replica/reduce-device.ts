// Reduces a person's data on this device when their session ends. What stays: changes that were never sent, files
// waiting to be uploaded, and lost and found. Everything else is deleted.
import { DEVICE_DATABASE_PREFIX, SEARCH_DATABASE_PREFIX } from '#client/replica/device-names.ts';
import { databasesOf, deleteDatabase, REPLICA_PREFIX, wipeTraces } from '#client/replica/device-wipe.ts';
import { isUnsentName, readUnsent, unsentNameOf } from '#client/replica/unsent-records.ts';
import { committed, promiseOf } from '#client/replica/worker/idb-requests.ts';
import { openIdbJournal } from '#client/replica/worker/journal.ts';
import { liveClients } from '#client/replica/worker/recovery.ts';

/** Time for other tabs of the person to end. */
const END_MS = 3_000;
const END_STEP_MS = 50;

/** A tab that has been notified of the end of the session may still be recording its last change. */
async function untilUnused(databaseName: string): Promise<void> {
  const end = Date.now() + END_MS;
  while (Date.now() < end && ((await liveClients(databaseName))?.size ?? 0) > 0) {
    await new Promise((resolve) => setTimeout(resolve, END_STEP_MS));
  }
}

async function reduceReplica(name: string): Promise<number> {
  await untilUnused(name);
  const unsent = await readUnsent(name);
  if (isUnsentName(name)) {
    if (unsent.length === 0) await deleteDatabase(name);
    return unsent.length;
  }
  if (unsent.length > 0) {
    const journal = openIdbJournal(unsentNameOf(name));
    // Before the replica is deleted: after a crash in between they exist twice, and the server applies them once.
    await journal.add(unsent);
    await journal.close();
  }
  await deleteDatabase(name);
  return unsent.length;
}

async function reduceTables(name: string): Promise<number> {
  const database = await promiseOf(indexedDB.open(name));
  const isThere = (table: string) => database.objectStoreNames.contains(table);
  const [kept, removed] = [
    ['lost', 'upload'].filter(isThere),
    ['answer', 'body', 'file', 'preference'].filter(isThere),
  ];
  let count = 0;
  if (kept.length + removed.length > 0) {
    const transaction = database.transaction([...kept, ...removed], 'readwrite');
    const done = committed(transaction);
    for (const table of removed) transaction.objectStore(table).clear();
    for (const table of kept) count += await promiseOf(transaction.objectStore(table).count());
    await done;
  }
  database.close();
  if (count === 0) await deleteDatabase(name);
  return count;
}

async function reduceDatabase(name: string): Promise<number> {
  if (name.startsWith(DEVICE_DATABASE_PREFIX)) return reduceTables(name);
  if (!name.startsWith(SEARCH_DATABASE_PREFIX)) return reduceReplica(name);
  await deleteDatabase(name);
  return 0;
}

/** Removes what need not be sent; returns how many changes and files stay. @throws when a database is in use */
export async function reduceToUnsent(userKey: string): Promise<number> {
  let count = 0;
  const names = await databasesOf(userKey);
  // A database that the loop adds is counted where it is made.
  for (const name of names) count += await reduceDatabase(name);
  // Only once, when the session ends: later these are the settings of the next person.
  const isFirstTime = names.some((name) => name.startsWith(REPLICA_PREFIX) && !isUnsentName(name));
  if (isFirstTime) await wipeTraces();
  return count;
}
