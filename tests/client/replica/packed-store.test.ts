// The device's store against a plain map: several tabs that write and read by turns, transactions that fail, packs that
// are merged between them, and what may stand on the device beside what is needed.
import '#tests/support/production-mode.ts';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { KVStore, ReadonlyJSONValue } from 'replicache';
import { DatabaseGoneError, IdbDatabase } from '#client/replica/worker/idb-database.ts';
import { OBJECT_STORE, promiseOf } from '#client/replica/worker/idb-requests.ts';
import { packedStore } from '#client/replica/worker/kv-store.ts';
import { fc } from '#tests/support/fast-check.ts';

const open: KVStore[] = [];
let count = 0;
let name = '';

/** Every world has a database of its own: one that failed leaves nothing for the next. */
function newDatabase(): void {
  count += 1;
  name = `rep:packed-${count}`;
}

beforeEach(newDatabase);

/** A tab's store; `failed` receives the name of the database with every failure. */
function openStore(failed: string[] = []): KVStore {
  const store = packedStore((_error, databaseName) => failed.push(databaseName)).create(name);
  open.push(store);
  return store;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()));
});

type Value = ReadonlyJSONValue | undefined;
type Model = Map<string, ReadonlyJSONValue>;

const dataKey = (hash: number) => `c/${hash}/d`;
const chunkKeys = (hash: number) => [dataKey(hash), `c/${hash}/m`, `c/${hash}/r`];

/** What Replicache does in one transaction, in small numbers. */
interface Turn {
  tab: number;
  made: number;
  isInner: boolean;
  gone: number[];
  counted: number[];
  isAborted: boolean;
}

const turns = fc.array(
  fc.record<Turn>({
    tab: fc.nat(2),
    made: fc.oneof({ weight: 4, arbitrary: fc.nat(6) }, { weight: 1, arbitrary: fc.nat(80) }),
    isInner: fc.boolean(),
    gone: fc.array(fc.nat(), { maxLength: 12 }),
    counted: fc.array(fc.nat(), { maxLength: 4 }),
    isAborted: fc.boolean(),
  }),
  { minLength: 1, maxLength: 150, size: 'max' },
);

/** The turn as changes of keys; undefined deletes. */
function changesOf(turn: Turn, model: Model, next: () => number): Map<string, Value> {
  const changes = new Map<string, Value>();
  const held = [...model.keys()].filter((key) => key.endsWith('/d')).map((key) => Number(key.slice(2, -2)));
  const pick = (at: number) => held[at % Math.max(1, held.length)];
  for (const hash of turn.counted.flatMap((at) => pick(at) ?? [])) changes.set(`c/${hash}/r`, hash % 7);
  for (const hash of turn.gone.flatMap((at) => pick(at) ?? [])) drop(changes, hash);
  let last = 0;
  for (let made = 0; made < turn.made; made += 1) {
    last = next();
    changes.set(dataKey(last), { hash: last, text: 'x'.repeat(last % 50) });
    if (turn.isInner) changes.set(`c/${last}/m`, [String(last)]);
    changes.set(`c/${last}/r`, 1);
  }
  changes.set('h/main', String(last));
  return changes;
}

function drop(changes: Map<string, Value>, hash: number): void {
  for (const key of chunkKeys(hash)) changes.set(key, undefined);
}

async function write(store: KVStore, changes: Map<string, Value>, isAborted: boolean) {
  const transaction = await store.write();
  for (const [key, value] of changes) {
    if (value === undefined) await transaction.del(key);
    else await transaction.put(key, value);
  }
  for (const [key, value] of changes) expect(await transaction.get(key)).toEqual(value);
  if (!isAborted) await transaction.commit();
  transaction.release();
}

function take(model: Model, changes: Map<string, Value>): void {
  for (const [key, value] of changes) {
    if (value === undefined) model.delete(key);
    else model.set(key, value);
  }
}

/** What a reading that begins with a head finds must be what the map holds. */
async function expectSame(store: KVStore, model: Model, keys: Iterable<string>) {
  const reading = await store.read();
  expect(await reading.get('h/main')).toEqual(model.get('h/main'));
  const [shown, expected]: Map<string, unknown>[] = [new Map(), new Map()];
  for (const key of keys) {
    shown?.set(key, await reading.get(key));
    expected?.set(key, model.get(key));
  }
  expect(shown).toEqual(expected);
  reading.release();
}

/** A reading of single chunks may still find one that another tab has deleted, but then whole, and never another one. */
async function expectChunks(store: KVStore, model: Model, ever: Model) {
  const reading = await store.read();
  const chunks = [...ever.keys()].filter((key) => key.endsWith('/d'));
  for (const key of chunks.slice(-20)) {
    const references = key.replace(/d$/, 'm');
    const shown = [await reading.get(key), await reading.get(references)];
    const was = [ever.get(key), ever.get(references)];
    if (model.has(key) || shown[0] !== undefined) expect(shown).toEqual(was);
  }
  reading.release();
}

/** Records of a kind on the device. */
async function recordsOf(prefix: 'c' | 'i'): Promise<unknown[]> {
  const database = new IdbDatabase(name);
  const store = (await database.begin('readonly')).objectStore(OBJECT_STORE);
  const found = await promiseOf<unknown[]>(store.getAll(IDBKeyRange.bound(`${prefix}/`, `${prefix}0`)));
  await database.close();
  return found;
}

const chunksOnDevice = async () =>
  (await recordsOf('c')).reduce<number>(
    (sum, pack) =>
      sum +
      Object.entries(pack ?? {})
        .filter(([name]) => name === 'keys')
        .flatMap(([, keys]) => keys).length,
    0,
  );

it('the store holds what a map would hold, in every tab, whatever is written, aborted and merged', async () => {
  await fc.assert(
    fc.asyncProperty(turns, async (given) => {
      newDatabase();
      const tabs = [openStore(), openStore(), openStore()];
      const model: Model = new Map();
      const ever: Model = new Map();
      let hash = 0;
      for (const turn of given) {
        const tab = tabs[turn.tab] ?? openStore();
        const changes = changesOf(turn, model, () => (hash += 1));
        await write(tab, changes, turn.isAborted);
        const other = tabs[(turn.tab + 1) % tabs.length] ?? tab;
        if (!turn.isAborted) {
          take(model, changes);
          for (const [key, value] of changes) if (value !== undefined) ever.set(key, value);
        }
        if (turn.isInner) await expectSame(other, model, [...ever.keys()].slice(-20));
        else await expectChunks(other, model, ever);
      }
      for (const tab of [...tabs, openStore()]) await expectSame(tab, model, ever.keys());
      const live = [...model.keys()].filter((key) => key.endsWith('/d')).length;
      expect(await chunksOnDevice()).toBeLessThanOrEqual(2 * live + 200);
    }),
    { numRuns: 12 },
  );
});

it('the store stays within three times what is needed, however long it is edited', async () => {
  const store = openStore();
  const text = (at: number) => String(at).repeat(400).slice(0, 2_000);
  const live: number[] = [];
  let hash = 0;
  const put = (changes: Map<string, Value>, isInner = false) => {
    hash += 1;
    changes.set(dataKey(hash), text(hash)).set(`c/${hash}/r`, 1);
    if (isInner) changes.set(`c/${hash}/m`, ['1']);
    return hash;
  };
  const first = new Map<string, Value>();
  for (let at = 0; at < 200; at += 1) live.push(put(first));
  await write(store, first, false);
  let commit: number | undefined;
  for (let edit = 0; edit < 2_000; edit += 1) {
    const changes = new Map<string, Value>();
    const at = (edit * 37) % live.length;
    for (const old of [live[at], commit]) if (old !== undefined) drop(changes, old);
    live[at] = put(changes);
    commit = put(changes, true);
    await write(store, changes.set('h/main', String(commit)), false);
  }
  const bytes = JSON.stringify([await recordsOf('c'), await recordsOf('i')]).length;
  const needed = JSON.stringify([...live, commit ?? 0].map(text)).length;
  expect(bytes).toBeLessThan(3 * needed);
  expect((await recordsOf('i')).length).toBeLessThanOrEqual(66);
});

it('the store writes nothing at all when a write fails, says of which database, and goes on from what was there', async () => {
  const failed: string[] = [];
  const store = openStore(failed);
  await write(
    store,
    new Map([
      [dataKey(1), 'One'],
      ['h/main', '1'],
    ]),
    false,
  );
  const late = await store.write();
  await late.put('h/main', '2');
  // The transaction ends by itself when nothing is asked of it.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await expect(late.commit()).rejects.toThrow();
  const unclonable = await store.write();
  await unclonable.put('h/main', '3');
  await unclonable.put(
    dataKey(3),
    Object.assign(() => 3, []),
  );
  await expect(unclonable.commit()).rejects.toThrow();
  expect(failed).toEqual([name, name]);
  for (const tab of [store, openStore()]) {
    const reading = await tab.read();
    expect([await reading.get('h/main'), await reading.get(dataKey(3))]).toEqual(['1', undefined]);
  }
  await write(store, new Map([['h/main', '4']]), false);
  expect(await (await openStore().read()).get('h/main')).toBe('4');
});

it('the store refuses a reading that would mix two states', async () => {
  const [store, other] = [openStore(), openStore()];
  await write(store, new Map([['h/main', '1']]), false);
  const reading = await store.read();
  expect(await reading.get('h/main')).toBe('1');
  await write(other, new Map([['h/main', '2']]), false);
  expect(await (await store.read()).get('h/main')).toBe('2');
  await expect(reading.get('h/other')).rejects.toThrow('end of the transaction');
});

it('the store gives what a chunk refers to when it gave the chunk, though another tab deletes both in between', async () => {
  const [store, other] = [openStore(), openStore()];
  const chunk = new Map<string, Value>([
    [dataKey(1), 'One'],
    ['c/1/m', ['2']],
    ['c/1/r', 1],
  ]);
  await write(store, chunk, false);
  const reading = await store.read();
  expect(await reading.get(dataKey(1))).toBe('One');
  await write(other, new Map(chunkKeys(1).map((key) => [key, undefined])), false);
  await (await store.read()).has('h/main');
  expect(await reading.get('c/1/m')).toEqual(['2']);
});

it('the store is not written over when it was deleted and made again beneath an open tab', async () => {
  const store = openStore();
  for (let at = 0; at < 5; at += 1) await write(store, new Map([['h/main', String(at)]]), false);
  await promiseOf(indexedDB.deleteDatabase(name));
  const other = openStore();
  await write(
    other,
    new Map([
      ['h/main', 'new'],
      [dataKey(1), 'New'],
    ]),
    false,
  );
  await write(store, new Map([['h/other', 'mine']]), false);
  for (const tab of [store, other, openStore()]) {
    const reading = await tab.read();
    const found = ['h/main', 'h/other', dataKey(1)].map((key) => reading.get(key));
    expect(await Promise.all(found)).toEqual(['new', 'mine', 'New']);
  }
});

it('a database of a later version is gone for this one', async () => {
  const later = await promiseOf(indexedDB.open(name, 3));
  later.close();
  await expect(openStore().write()).rejects.toThrow(DatabaseGoneError);
});
