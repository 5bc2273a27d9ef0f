// Reading a database from outside: one that does not exist, or is no replica, is left as it is, and what may still hold
// something is never taken for empty.
import 'fake-indexeddb/auto';
import { afterEach, expect, it } from 'vitest';
import { readUnsent, readUse, realmsWithUnsent } from '#client/replica/unsent-records.ts';
import { userKey } from '#client/replica/user-key.ts';
import { LaterVersionError } from '#client/replica/worker/idb-database.ts';
import { promiseOf } from '#client/replica/worker/idb-requests.ts';
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
  await journal.add({ clientID: 'c1', id: 4, name: 'memory.update', args: {}, at: 1 });
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
  await journal.add({ clientID: 'c1', id: 1, name: 'memory.update', args: {}, at: 1 });
  await journal.close();
  await expect(readUnsent(later)).rejects.toThrow(LaterVersionError);
  await expect(readUse(later)).rejects.toThrow(LaterVersionError);
  expect(await realmsWithUnsent(userId)).toEqual(['b']);
});
