// What the replica is measured against, in the same page: the physical limits of the browser without any replica.
import { Dexie, type Table } from 'dexie';

interface Row {
  id: string;
  created: string;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'id' in value && 'created' in value;
}

function rowsOf(text: string): Row[] {
  const body: unknown = JSON.parse(text);
  const patch: unknown = typeof body === 'object' && body !== null && 'patch' in body ? body.patch : [];
  if (!Array.isArray(patch)) return [];
  return patch.flatMap((operation: unknown) =>
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

class RowDatabase extends Dexie {
  readonly rows: Table<Row, string>;

  constructor() {
    super('reference-dexie');
    this.version(1).stores({ rows: 'id, created' });
    this.rows = this.table('rows');
  }
}

function openPacked(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('reference-packed', 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore('pages'));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('no database')));
  });
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
    const database = await openPacked();
    const transaction = database.transaction('pages', 'readwrite');
    for (let at = 0; at < rows.length; at += 256) {
      transaction.objectStore('pages').put(rows.slice(at, at + 256), at);
    }
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    database.close();
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
    const database = await openPacked();
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
