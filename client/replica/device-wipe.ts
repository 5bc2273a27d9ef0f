// Removes what this device holds of a person: databases by the hash in their names, cached pages, settings about their
// content. Works without any of them being open, so that it can also clean up after a page that was closed too early.
import {
  DEVICE_DATABASE_PREFIX,
  REPLICA_REGISTRY,
  SEARCH_DATABASE_PREFIX,
} from '#client/replica/device-names.ts';

/** Replicas; the key of the person and the realm follow. */
export const REPLICA_PREFIX = 'rep:';
/** Cached code of the app, which is not personal. */
const PUBLIC_CACHE = /precache/;
/** A suspended page never closes its database, however long one waits. */
const BLOCKED_MS = 5_000;
/** Settings that carry words or ids of a person's content. */
const PERSONAL_SETTINGS = [
  'loci-capsule-',
  'loci-checklist-closed',
  'loci-height:',
  'loci-import-',
  'loci-layout-',
  'loci-reading-',
];

/** Deletes a database. @throws when a page holds on to it */
export function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () =>
      reject(request.error ?? new Error(`${name} could not be deleted`)),
    );
    // Another tab still has it open; that tab closes it on `versionchange`, and then this request succeeds.
    request.addEventListener('blocked', () =>
      setTimeout(() => reject(new Error(`${name} is in use`)), BLOCKED_MS),
    );
  });
}

async function databaseNames(): Promise<string[]> {
  return (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
}

const PREFIXES = [REPLICA_PREFIX, DEVICE_DATABASE_PREFIX, SEARCH_DATABASE_PREFIX];
const PERSON_KEY = /^[0-9a-f]+/;

/** Databases of a person, by the key in their names. */
export async function databasesOf(userKey: string): Promise<string[]> {
  const mine = PREFIXES.map((prefix) => `${prefix}${userKey}`);
  return (await databaseNames()).filter((name) => mine.some((prefix) => name.startsWith(prefix)));
}

/** User keys of all people with a database on this device. */
export async function storedUsers(): Promise<string[]> {
  const keys = (await databaseNames()).flatMap((name) => {
    const prefix = PREFIXES.find((each) => name.startsWith(each));
    return prefix === undefined ? [] : (PERSON_KEY.exec(name.slice(prefix.length))?.[0] ?? []);
  });
  return [...new Set(keys)];
}

/** Removes Replicache's list of databases once no replica is left, cached pages, and settings about content. */
export async function wipeTraces(): Promise<void> {
  const hasReplicas = (await databaseNames()).some((name) => name.startsWith(REPLICA_PREFIX));
  if (!hasReplicas) await deleteDatabase(REPLICA_REGISTRY);
  if (typeof caches !== 'undefined') {
    for (const name of await caches.keys()) if (!PUBLIC_CACHE.test(name)) await caches.delete(name);
  }
  const settings = Object.keys(globalThis.localStorage ?? {});
  for (const name of settings) {
    if (PERSONAL_SETTINGS.some((prefix) => name.startsWith(prefix))) localStorage.removeItem(name);
  }
}

/** Deletes every database of the person and every cache that may hold their pages; returns what could not be removed. */
export async function wipeDevice(userKey: string): Promise<string[]> {
  const mine = await databasesOf(userKey);
  const results = await Promise.allSettled(mine.map((name) => deleteDatabase(name)));
  const left = mine.filter((_name, index) => results[index]?.status === 'rejected');
  await wipeTraces();
  return left;
}
