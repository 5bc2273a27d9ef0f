// The list of databases beneath Replicache: what Replicache sees was opened just now, what is on the device is true.
import '#tests/support/production-mode.ts';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dropDatabase, Replicache, type KVRead, type KVStore, type ReadonlyJSONValue } from 'replicache';
import { REPLICA_REGISTRY } from '#client/replica/device-names.ts';
import { IdbDatabase } from '#client/replica/worker/idb-database.ts';
import { promiseOf } from '#client/replica/worker/idb-requests.ts';
import { packedStore, readStore } from '#client/replica/worker/kv-store.ts';
import { registeredIn } from '#client/replica/worker/registry.ts';

const DAY = 24 * 3_600_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const kvStore = packedStore((error) => {
  throw new Error('The storage failed', { cause: error });
});
let list: KVStore;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  list = kvStore.create(REPLICA_REGISTRY);
});

afterEach(async () => {
  vi.useRealTimers();
  await list.close();
  await promiseOf(indexedDB.deleteDatabase(REPLICA_REGISTRY));
});

const later = (days: number) => vi.setSystemTime(START + days * DAY);

/** Database names with the day of the last opening, as Replicache sees them. */
async function seen(): Promise<Record<string, number>> {
  const read = await list.read();
  const value = Object.entries((await read.get('dbs')) ?? {});
  read.release();
  return Object.fromEntries(value.map(([name, { lastOpenedTimestampMS: at }]) => [name, (at - START) / DAY]));
}

/** The same as they are on the device. */
async function kept(): Promise<Record<string, number>> {
  const database = new IdbDatabase(REPLICA_REGISTRY, { mayCreate: false });
  const found = await registeredIn(await readStore(database));
  await database.close();
  return Object.fromEntries(found.map(({ name, openedAt }) => [name, (openedAt - START) / DAY]));
}

type Entries = Record<string, ReadonlyJSONValue | undefined>;

async function entriesIn(read: KVRead): Promise<Entries> {
  return Object.fromEntries(Object.entries((await read.get('dbs')) ?? {}));
}

/** Reads the list, changes it and writes it back, as Replicache does. */
async function change(make: (entries: Entries) => Entries, { isAborted = false } = {}): Promise<void> {
  const write = await list.write();
  await write.put('dbs', make(await entriesIn(write)));
  if (!isAborted) await write.commit();
  write.release();
}

function opening(name: string) {
  const entry = { name, replicacheName: name, replicacheFormatVersion: 7, schemaVersion: '1' };
  return (entries: Entries): Entries => ({
    ...entries,
    [name]: { ...entry, lastOpenedTimestampMS: Date.now() },
  });
}

it('what was opened long ago looks opened now, and keeps its time through every write', async () => {
  await change(opening('a'));
  later(40);
  await change(opening('b'));
  expect(await seen()).toEqual({ a: 40, b: 40 });
  later(50);
  expect(await seen()).toEqual({ a: 50, b: 50 });
  expect(await kept()).toEqual({ a: 0, b: 40 });
  await change(opening('a'), { isAborted: true });
  expect(await kept()).toEqual({ a: 0, b: 40 });
  await change(({ a: _gone, ...others }) => others);
  expect(await kept()).toEqual({ b: 40 });
  await change(opening('b'));
  expect(await kept()).toEqual({ b: 50 });
});

it('the list is what was put last within a transaction, and true times come out of it in the end', async () => {
  await change(opening('a'));
  later(3);
  const write = await list.write();
  expect(await write.has('dbs')).toBe(true);
  await write.put('profileId', 'p1');
  await write.put('dbs', opening('b')(await entriesIn(write)));
  later(5);
  await write.put('dbs', opening('c')(await entriesIn(write)));
  expect(Object.keys(await entriesIn(write))).toEqual(['a', 'b', 'c']);
  await write.commit();
  expect(await kept()).toEqual({ a: 0, b: 3, c: 5 });
  expect(await (await list.read()).get('profileId')).toBe('p1');
  const removal = await list.write();
  await removal.del('dbs');
  await removal.commit();
  expect([await seen(), await kept()]).toEqual([{}, {}]);
});

it('Replicache notes its openings, and the removal of a database takes its entry alone', async () => {
  const names: string[] = [];
  for (const name of ['left', 'used', 'used']) {
    const replicache = new Replicache({ name, kvStore, pullInterval: null, logLevel: 'error' });
    await replicache.clientGroupID;
    names.push(replicache.idbName);
    await replicache.close();
    vi.setSystemTime(Date.now() + 20 * DAY);
  }
  const [left = '', used = ''] = names;
  expect(await kept()).toEqual({ [left]: 0, [used]: 40 });
  await dropDatabase(used, { kvStore });
  expect(await kept()).toEqual({ [left]: 0 });
  expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(used);
});
