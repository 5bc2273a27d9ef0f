// What the version before left on the device, three records for each chunk: it is converted whole or stays, and a page of
// that version does not take half of it for a replica.
import '#tests/support/production-mode.ts';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { KVStore, ReadonlyJSONValue } from 'replicache';
import { DatabaseGoneError, IdbDatabase } from '#client/replica/worker/idb-database.ts';
import { promiseOf } from '#client/replica/worker/idb-requests.ts';
import { openIdbJournal } from '#client/replica/worker/journal.ts';
import { packedStore, readStore } from '#client/replica/worker/kv-store.ts';
import { openOld, writeOld } from '#tests/support/old-store.ts';

const open: KVStore[] = [];
let count = 0;
let name = '';

beforeEach(() => {
  count += 1;
  name = `rep:old-${count}`;
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()));
});

function openStore(failures: unknown[] = []): KVStore {
  const store = packedStore((error) => failures.push(error)).create(name);
  open.push(store);
  return store;
}

const dataKey = (at: number) => `c/${at}/d`;
const headOf = async (store: KVStore) => (await store.read()).get('h/main');

const records: (readonly [string, ReadonlyJSONValue])[] = [
  ...Array.from({ length: 900 }, (_unused, at) => [dataKey(at), { at }] as const),
  ...Array.from({ length: 900 }, (_unused, at) => [`c/${at}/r`, 1] as const),
  ...Array.from({ length: 9 }, (_unused, at) => [`c/${at}/m`, [String(at + 10)]] as const),
  ['h/main', '8'],
  ['dbs', { one: 1 }],
];
const change = { clientID: 'c1', id: 3, name: 'memory.update', args: { title: 'Unsent' }, at: 1 };

async function makeOldOne(): Promise<IDBDatabase> {
  const database = await openOld(name);
  await writeOld(database, records);
  await writeOld(database, [
    ['j/c1/000000000003', change],
    ['p/c1', 2],
    ['x/checked', 77],
  ]);
  return database;
}

it('a database of the version before is converted whole, with the changes that were never sent', async () => {
  (await makeOldOne()).close();
  const reading = await openStore().read();
  const found = new Map<string, unknown>();
  for (const [key] of records.toReversed()) found.set(key, await reading.get(key));
  expect(found).toEqual(new Map(records.toReversed()));
  const journal = openIdbJournal(name);
  expect(await journal.read()).toEqual({ records: [change], clients: ['c1'] });
  expect(await journal.checkedAt()).toBe(77);
  await journal.close();
});

it('a database of the version before is left alone by a page that only looks whether there is one, and converted when there is', async () => {
  const absent = new IdbDatabase(name, { mayCreate: false });
  await expect(readStore(absent)).resolves.toBeDefined();
  await expect((await readStore(absent)).get('h/main')).rejects.toThrow(DatabaseGoneError);
  expect((await indexedDB.databases()).map((each) => each.name)).not.toContain(name);
  (await makeOldOne()).close();
  const present = new IdbDatabase(name, { mayCreate: false });
  expect(await (await readStore(present)).get('h/main')).toBe('8');
  await present.close();
});

it('a database of the version before is as it was when the conversion fails', async () => {
  (await makeOldOne()).close();
  const failing = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError');
  });
  const failures: unknown[] = [];
  await expect(openStore(failures).write()).rejects.toThrow('Full');
  expect(failures).toHaveLength(1);
  failing.mockRestore();
  expect(await headOf(openStore())).toBe('8');
});

it('a database of the version before that a sleeping page holds on to is reported, and converted when that page has gone', async () => {
  const sleeping = await makeOldOne();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const failures: unknown[] = [];
  const opening = openStore(failures).write();
  const refusal = opening.then(() => undefined, String);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  vi.runAllTimers();
  vi.useRealTimers();
  expect(await refusal).toContain('in use by an earlier version');
  expect(failures).toHaveLength(1);
  sleeping.close();
  expect(await headOf(openStore())).toBe('8');
});

it('a database of the version before is gone for a page of that version, which must not find half a replica', async () => {
  const old = await makeOldOne();
  old.addEventListener('versionchange', () => old.close());
  expect(await headOf(openStore())).toBe('8');
  // What that version does after its connection was closed.
  const again = await promiseOf(indexedDB.open(name));
  expect(() => again.transaction('chunks')).toThrow(expect.objectContaining({ name: 'NotFoundError' }));
  again.close();
});

it('a database of a later version is gone for this one', async () => {
  const later = await promiseOf(indexedDB.open(name, 3));
  later.close();
  await expect(openStore().write()).rejects.toThrow(DatabaseGoneError);
});
