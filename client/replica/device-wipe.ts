// Removes what this device holds of a person: databases by the hash in their names, cached pages, stored settings.
// Works without any of them being open, so that it can also clean up after a page that was closed too early.
import { DEVICE_DATABASE_PREFIX, SEARCH_DATABASE_PREFIX } from '#client/replica/device-names.ts';

const REPLICA_PREFIX = 'rep:';
const REPLICA_REGISTRY = 'replicache-dbs-v0';
/** Code of the app that everybody may have. */
const PUBLIC_CACHE = /precache/;

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener('success', () => resolve());
    // Another tab still has it open; it closes when it hears of the deletion, and then this succeeds.
    request.addEventListener('error', () =>
      reject(request.error ?? new Error(`${name} could not be deleted`)),
    );
  });
}

async function databaseNames(): Promise<string[]> {
  return (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
}

/** Databases of a person, by the key that their names carry. */
export async function databasesOf(userKey: string): Promise<string[]> {
  const prefixes = [REPLICA_PREFIX, DEVICE_DATABASE_PREFIX, SEARCH_DATABASE_PREFIX].map(
    (prefix) => `${prefix}${userKey}`,
  );
  return (await databaseNames()).filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
}

/** Deletes every database of the person and every cache that may hold their pages; answers what could not be removed. */
export async function wipeDevice(userKey: string): Promise<string[]> {
  const mine = await databasesOf(userKey);
  const results = await Promise.allSettled(mine.map((name) => deleteDatabase(name)));
  const left = mine.filter((_name, index) => results[index]?.status === 'rejected');
  const others = (await databaseNames()).some((name) => name.startsWith(REPLICA_PREFIX));
  // The registry lists databases of all people of this browser; without any it is only a trace.
  if (!others) await deleteDatabase(REPLICA_REGISTRY);
  if (typeof caches !== 'undefined') {
    for (const name of await caches.keys()) if (!PUBLIC_CACHE.test(name)) await caches.delete(name);
  }
  return left;
}
