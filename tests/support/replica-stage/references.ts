// What the replica is measured against, in the same page: the physical limits of the browser without any replica.
import { Dexie, type Table } from 'dexie';
import type { PatchOperation } from 'replicache';
import { committed } from '#client/replica/worker/idb-requests.ts';

interface Row {
  id: string;
  created: string;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'id' in value && 'created' in value;
}

function patchOf(text: string): unknown[] {
  const body: unknown = JSON.parse(text);
  const patch: unknown = typeof body === 'object' && body !== null && 'patch' in body ? body.patch : [];
  return Array.isArray(patch) ? patch : [];
}

function rowsOf(text: string): Row[] {
  return patchOf(text).flatMap((operation) =>
    typeof operation === 'object' && operation !== null && 'value' in operation && isRow(operation.value)
      ? [operation.value]
      : [],
  );
}

async function textsOf(addresses: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for (const address of addresses) texts.push(await (await fetch(address)).text());
  return texts;
}

function isPut(operation: unknown): operation is PatchOperation {
  return typeof operation === 'object' && operation !== null && 'op' in operation && operation.op === 'put';
}

/** All rows at the addresses as one patch. */
export async function patchesOf(addresses: readonly string[]): Promise<PatchOperation[]> {
  return (await textsOf(addresses)).flatMap((text) => patchOf(text).filter(isPut));
}

class RowDatabase extends Dexie {
  readonly rows: Table<Row, string>;

  constructor() {
    super('reference-dexie');
    this.version(1).stores({ rows: 'id, created' });
    this.rows = this.table('rows');
  }
}

const PACKED = 'reference-packed';
const PACK = 256;

function openRaw(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore('pages'));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('no database')));
  });
}

/** Milliseconds of writing the records into a new database, in one transaction. */
async function writeRaw(name: string, records: readonly (readonly [key: IDBValidKey, value: unknown])[]) {
  const start = performance.now();
  const database = await openRaw(name);
  const transaction = database.transaction('pages', 'readwrite', { durability: 'relaxed' });
  const store = transaction.objectStore('pages');
  for (const [key, value] of records) store.put(value, key);
  await committed(transaction);
  database.close();
  return performance.now() - start;
}

function packed(rows: readonly Row[]) {
  return Array.from(
    { length: Math.ceil(rows.length / PACK) },
    (_unused, index) => [index, rows.slice(index * PACK, (index + 1) * PACK)] as const,
  );
}

/** Milliseconds of each reference. */
export const references = {
  /** Fetching and parsing pages of rows. */
  async fetchAndParse(addresses: readonly string[]): Promise<number> {
    const start = performance.now();
    let count = 0;
    for (const text of await textsOf(addresses)) count += rowsOf(text).length;
    if (count === 0) throw new Error('No rows came');
    return performance.now() - start;
  },

  /** Stores the rows for the two references below. */
  async prepare(addresses: readonly string[]): Promise<void> {
    const rows = (await textsOf(addresses)).flatMap(rowsOf);
    await new RowDatabase().rows.bulkPut(rows);
    await writeRaw(PACKED, packed(rows));
  },

  /** Writing each row under its id. */
  async putEach(addresses: readonly string[]): Promise<number> {
    const rows = (await textsOf(addresses)).flatMap(rowsOf);
    return await writeRaw(
      'reference-each',
      rows.map((row) => [row.id, row] as const),
    );
  },

  /** Writing all rows in records of 256. */
  async writePacked(addresses: readonly string[]): Promise<number> {
    return await writeRaw(PACKED, packed((await textsOf(addresses)).flatMap(rowsOf)));
  },

  /** Opening a Dexie database and reading the newest fifty by an index. */
  async dexieFifty(): Promise<number> {
    const start = performance.now();
    const rows = await new RowDatabase().rows.orderBy('created').reverse().limit(50).toArray();
    if (rows.length !== 50) throw new Error('Not fifty rows');
    return performance.now() - start;
  },

  /** Reading everything from records of 256 rows. */
  async packedAll(): Promise<number> {
    const start = performance.now();
    const database = await openRaw(PACKED);
    const request = database.transaction('pages', 'readonly').objectStore('pages').getAll();
    await new Promise((resolve) => request.addEventListener('success', resolve));
    const map = new Map<string, unknown>();
    for (const page of request.result)
      for (const row of Array.isArray(page) ? page : []) if (isRow(row)) map.set(row.id, row);
    if (map.size === 0) throw new Error('No rows stored');
    database.close();
    return performance.now() - start;
  },
};
