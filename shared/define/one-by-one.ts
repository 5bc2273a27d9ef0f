// The operations on several rows, for a storage in memory that does not benefit from batches.
import type { Head, SyncedKind } from '../entities.ts';
import { entityIdOf } from '../kinds.ts';
import type { Tx } from './mutator.ts';

export type ManyRows = Pick<Tx, 'getMany' | 'insertMany' | 'updateEach' | 'removeMany'>;

/** Makes those operations out of the ones on a single row. */
export function oneByOne(tx: Pick<Tx, 'get' | 'insert' | 'update' | 'remove'>): ManyRows {
  return {
    async getMany<K extends SyncedKind>(kind: K, ids: readonly string[]) {
      const rows = await Promise.all(ids.map((id) => tx.get(kind, id)));
      const found = new Map<string, Head<K>>();
      for (const row of rows) if (row !== undefined) found.set(entityIdOf(kind, row), row);
      return found;
    },
    async insertMany(kind, rows) {
      const added = new Set<string>();
      for (const row of rows) if (await tx.insert(kind, row)) added.add(entityIdOf(kind, row));
      return added;
    },
    async updateEach(kind, changes) {
      for (const [id, fields] of changes) await tx.update(kind, id, fields);
    },
    async removeMany(kind, ids) {
      for (const id of ids) await tx.remove(kind, id);
    },
  };
}
