// Limits for what a device stores only for speed or offline reading: the least recently used is removed first.
import type { Collection } from 'dexie';

/** Share of the cap that is left after eviction, so that not every addition removes something. */
const KEEP_SHARE = 0.9;

interface Used {
  bytes: number;
  lastUsed: number;
}

/** A table of sized rows with an index on their last use. */
interface UsedTable {
  orderBy(index: 'lastUsed'): Collection<Used, string>;
  toCollection(): Collection<Used, string>;
  bulkDelete(keys: string[]): PromiseLike<void>;
}

/** The constant, or a share of what the browser grants if that is less. */
export async function capOnDevice(maxBytes: number, quotaShare: number): Promise<number> {
  const quota = (await globalThis.navigator?.storage?.estimate?.())?.quota;
  return quota === undefined ? maxBytes : Math.min(maxBytes, Math.floor(quota * quotaShare));
}

/** Sum of all rows. */
export async function countBytes(table: UsedTable): Promise<number> {
  let sum = 0;
  await table.toCollection().each(({ bytes }) => {
    sum += bytes;
  });
  return sum;
}

/** Removes the least recently used rows until the rest fits; returns the size of the rest. */
export async function evictLeastUsed(
  table: UsedTable,
  { total, cap }: { total: number; cap: number },
): Promise<number> {
  if (total <= cap) return total;
  const leaving: string[] = [];
  let left = total;
  await table
    .orderBy('lastUsed')
    .until(() => left <= cap * KEEP_SHARE)
    .each(({ bytes }, { primaryKey }) => {
      leaving.push(primaryKey);
      left -= bytes;
    });
  await table.bulkDelete(leaving);
  return left;
}
