// Reading a database from outside: one that does not exist, or is no replica, is left as it is, and what may still hold
// something is never taken for empty. When a session ends, what was sent leaves the device, also from the log.
import 'fake-indexeddb/auto';
import { afterEach, expect, it } from 'vitest';
import { reduceToUnsent } from '#client/replica/reduce-device.ts';
import { readUnsent, readUse, realmsWithUnsent, unsentNameOf } from '#client/replica/unsent-records.ts';
import { userKey } from '#client/replica/user-key.ts';
import { LaterVersionError } from '#client/replica/worker/idb-database.ts';
import { OBJECT_STORE, promiseOf } from '#client/replica/worker/idb-requests.ts';
import { openIdbJournal } from '#client/replica/worker/journal.ts';
import { packedStore } from '#client/replica/worker/kv-store.ts';
import type { ReadonlyJSONValue } from 'replicache';

const NAME = 'rep:deleted-a-moment-ago';

afterEach(() => {
  indexedDB.deleteDatabase(NAME);
});

const databaseNames = async () => (await indexedDB.databases()).map(({ name }) => name);

it('does not create a database that is gone', async () => {
  expect(await readUnsent(NAME)).toEqual([]);
  expect(await readUse(NAME)).toBeUndefined();
  expect(await databaseNames()).not.toContain(NAME);
});

it('finds nothing in a database without the store of a replica', async () => {
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.open(NAME);
    request.addEventListener('success', () => {
      request.result.close();
      resolve();
    });
    request.addEventListener('error', () => reject(request.error ?? new Error(NAME)));
  });
  expect(await readUnsent(NAME)).toEqual([]);
});

/** Writes what Replicache would, without one. */
async function put(values: Record<string, ReadonlyJSONValue>): Promise<void> {
  const store = packedStore(() => undefined).create(NAME);
  const write = await store.write();
  for (const [key, value] of Object.entries(values)) await write.put(key, value);
  await write.commit();
  await store.close();
}

const groups = (lastId: number, confirmed: Record<string, number>, disabled = false) =>
  put({
    'h/client-groups': 'g',
    'c/g/d': {
      one: { headHash: 'none', mutationIDs: { c1: lastId }, lastServerAckdMutationIDs: confirmed, disabled },
    },
  });

it('counts what the server has not confirmed, also of groups that it has forgotten', async () => {
  await put({
    'h/clients': 'c',
    'c/c/d': { c1: { heartbeatTimestampMs: 7 }, c2: { heartbeatTimestampMs: 9 } },
  });
  expect(await readUse(NAME)).toEqual({ hasUnsent: false, usedAt: 9 });
  await groups(3, { c1: 3 });
  expect(await readUse(NAME)).toMatchObject({ hasUnsent: false });
  await promiseOf(indexedDB.deleteDatabase(NAME));
  await groups(3, { c1: 2 });
  expect(await readUse(NAME)).toEqual({ hasUnsent: true, usedAt: 0 });
  await promiseOf(indexedDB.deleteDatabase(NAME));
  await groups(3, {}, true);
  expect(await readUse(NAME)).toMatchObject({ hasUnsent: true });
});

it('counts what the journal alone has', async () => {
  await groups(3, { c1: 3 });
  const journal = openIdbJournal(NAME);
  await journal.add([{ clientID: 'c1', id: 4, name: 'memory.update', args: {}, at: 1 }]);
  await journal.close();
  expect(await readUse(NAME)).toMatchObject({ hasUnsent: true });
});

it('does not take a damaged database for one without changes', async () => {
  await put({ 'h/client-groups': 'gone' });
  await expect(readUse(NAME)).rejects.toThrow('damaged');
});

it('does not take a database of a later version for one without changes, and finds those of the others', async () => {
  const userId = 'usr_someone';
  const [later, present] = [`rep:${userKey(userId)}:a:7:1`, `rep:${userKey(userId)}:b:7:1`];
  (await promiseOf(indexedDB.open(later, 3))).close();
  const journal = openIdbJournal(present);
  await journal.add([{ clientID: 'c1', id: 1, name: 'memory.update', args: {}, at: 1 }]);
  await journal.close();
  await expect(readUnsent(later)).rejects.toThrow(LaterVersionError);
  await expect(readUse(later)).rejects.toThrow(LaterVersionError);
  expect(await realmsWithUnsent(userId)).toEqual(['b']);
});

/** The words of all changes that the device still holds under this person's key, in whatever form. */
async function heldWords(key: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.includes(key)) continue;
    const database = await promiseOf(indexedDB.open(name));
    const store = database.transaction(OBJECT_STORE).objectStore(OBJECT_STORE);
    found.push(...(JSON.stringify(await promiseOf(store.getAll())).match(/word-\d/g) ?? []));
    database.close();
  }
  return [...new Set(found)].sort();
}

it('leaves nothing of what was sent on the device when the session ends, nor what is sent after it', async () => {
  const key = userKey('usr_else');
  const name = `rep:${key}:a:7:1`;
  const refs = [1, 2, 3].map((id) => ({ clientID: 'c1', id }));
  const journal = openIdbJournal(name);
  for (const ref of refs) {
    await journal.add([{ ...ref, name: 'memory.update', args: { title: `word-${ref.id}` }, at: Date.now() }]);
  }
  await journal.confirm({ clientID: 'c1', id: 1 });
  await journal.close();
  expect(await heldWords(key)).toEqual(['word-1', 'word-2', 'word-3']);
  expect(await reduceToUnsent(key)).toBe(2);
  expect(await heldWords(key)).toEqual(['word-2', 'word-3']);

  // The person is back, and the session ends again before everything was taken over.
  const left = openIdbJournal(unsentNameOf(name));
  await left.drop(refs.slice(1, 2));
  await left.close();
  expect(await reduceToUnsent(key)).toBe(1);
  expect(await heldWords(key)).toEqual(['word-3']);
});
