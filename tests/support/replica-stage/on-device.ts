// What Replicache has written to the databases of this browser, read past it: how far its last written snapshot is.
import { IdbDatabase, OBJECT_STORE, promiseOf } from '#client/replica/worker/idb-database.ts';

/** Where Replicache notes its client groups, and with them the snapshots they start from. */
const GROUPS_HEAD = 'h/client-groups';

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** Cookie of the snapshot at the end of a chain of commits. */
async function cookieAt(store: IDBObjectStore, hash: unknown): Promise<unknown> {
  const meta = fieldOf(await promiseOf(store.get(`c/${String(hash)}/d`)), 'meta');
  const base = fieldOf(meta, 'baseSnapshotHash');
  return base === undefined ? fieldOf(meta, 'cookieJSON') : cookieAt(store, base);
}

/** Cookies of the snapshots that a database holds; none before the first was written. */
export async function cookiesIn(databaseName: string): Promise<unknown[]> {
  const database = new IdbDatabase(databaseName);
  try {
    const store = (await database.begin('readonly')).objectStore(OBJECT_STORE);
    const head: unknown = await promiseOf(store.get(GROUPS_HEAD));
    const groups: unknown = await promiseOf(store.get(`c/${String(head)}/d`));
    const cookies: unknown[] = [];
    for (const group of Object.values(typeof groups === 'object' && groups !== null ? groups : {}))
      cookies.push(await cookieAt(store, fieldOf(group, 'headHash')));
    return cookies;
  } finally {
    await database.close();
  }
}

/** Whether a cookie of the fake server stands behind the last page of a first sync. */
export function isComplete(cookie: unknown): boolean {
  return fieldOf(cookie, 'k') === null;
}
