// The rows that the first screen draws, sent to a page before the rest of a replica.
import type { ReadTransaction } from 'replicache';
import type { KeyChange } from '#client/replica/mirror.ts';

/** Keys of small kinds plus the newest memories: what the first screen needs. */
const FIRST_SCREEN: readonly (readonly [prefix: string, limit: number])[] = [
  ['0/', 1_000],
  ['1/', 1_000],
  ['2/', 1_000],
  ['3/', 100],
  ['4/', 50],
  ['6/', 50],
];
/** Reads them with a few short scans. */
export async function firstScreen(tx: ReadTransaction): Promise<KeyChange[]> {
  const changes: KeyChange[] = [];
  for (const [prefix, limit] of FIRST_SCREEN) {
    for (const [key, value] of await tx.scan({ prefix, limit }).entries().toArray())
      changes.push([key, value]);
  }
  return changes;
}
