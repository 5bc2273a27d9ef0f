/**
 * Stores the serialised search index of a user and workspace on this device, one small Dexie database for each name, so
 * that deleting it leaves nothing behind. Stores bytes only; whether they are a usable index is decided on loading.
 */
import { Dexie, type Table } from 'dexie';
import { SEARCH_DATABASE_PREFIX } from '#client/replica/device-names.ts';

interface StoredIndex {
  key: 'index';
  buffer: ArrayBuffer;
}

export interface IndexStore {
  load(): Promise<ArrayBuffer | undefined>;
  save(buffer: ArrayBuffer): Promise<void>;
  close(): void;
}

/** Opens the store of a name, such as user id and workspace id joined. */
export function openIndexStore(name: string): IndexStore {
  const database = new Dexie(SEARCH_DATABASE_PREFIX + name);
  database.version(1).stores({ searchIndex: 'key' });
  const table: Table<StoredIndex, string> = database.table('searchIndex');
  return {
    async load() {
      return (await table.get('index'))?.buffer;
    },
    async save(buffer) {
      await table.put({ key: 'index', buffer });
    },
    close() {
      database.close();
    },
  };
}

/** Removes what is stored under a name; close the client of that name first, or it may store its index again. */
export async function deleteSearchIndex(name: string): Promise<void> {
  await Dexie.delete(SEARCH_DATABASE_PREFIX + name);
}
