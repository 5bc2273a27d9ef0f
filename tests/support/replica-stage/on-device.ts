// What Replicache has written to the databases of this browser, read past it: how far its last written snapshot is.
import type { KVRead, KVStore } from 'replicache';
import { packedStore } from '#client/replica/worker/kv-store.ts';

/** Where Replicache notes its client groups, and with them the snapshots they start from. */
const GROUPS_HEAD = 'h/client-groups';

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** Cookie of the snapshot at the end of a chain of commits. */
async function cookieAt(read: KVRead, hash: unknown): Promise<unknown> {
  const meta = fieldOf(await read.get(`c/${String(hash)}/d`), 'meta');
  const base = fieldOf(meta, 'baseSnapshotHash');
  return base === undefined ? fieldOf(meta, 'cookieJSON') : cookieAt(read, base);
}

/** Kept open, because some ask every few milliseconds; a database that is deleted closes them. */
const stores = new Map<string, KVStore>();

/** Reads what Replicache has written to a database. */
async function reading<T>(databaseName: string, act: (read: KVRead) => Promise<T>): Promise<T> {
  const store =
    stores.get(databaseName) ?? packedStore(() => stores.delete(databaseName)).create(databaseName);
  stores.set(databaseName, store);
  const read = await store.read();
  try {
    return await act(read);
  } finally {
    read.release();
  }
}

/** The chunk that a head stands on. */
async function atHead(read: KVRead, head: string): Promise<object> {
  const hash: unknown = await read.get(head);
  const found: unknown = await read.get(`c/${String(hash)}/d`);
  return typeof found === 'object' && found !== null ? found : {};
}

/** Cookies of the snapshots that a database holds; none before the first was written. */
export function cookiesIn(databaseName: string): Promise<unknown[]> {
  return reading(databaseName, async (read) => {
    const cookies: unknown[] = [];
    for (const group of Object.values(await atHead(read, GROUPS_HEAD)))
      cookies.push(await cookieAt(read, fieldOf(group, 'headHash')));
    return cookies;
  });
}

/** Names of the clients that a database knows. */
export function clientsIn(databaseName: string): Promise<string[]> {
  return reading(databaseName, async (read) => Object.keys(await atHead(read, 'h/clients')));
}

/** Whether a cookie of the fake server stands behind the last page of a first sync. */
export function isComplete(cookie: unknown): boolean {
  return fieldOf(cookie, 'k') === null;
}
