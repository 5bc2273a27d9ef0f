// The rows that the first screen draws, sent to a page before the rest of a replica.
import type { ReadTransaction } from 'replicache';
import { KINDS, SYNCED_KINDS } from '#shared/kinds.ts';
import { firstRowsMax } from '#client/replica/first-rows.ts';
import type { KeyChange } from '#client/replica/mirror.ts';

/** Control rows are few; among them is how far the replica is. */
const CONTROL = { prefix: '0/', limit: 1_000 };

/** Reads them with a few short scans. */
export async function firstScreen(tx: ReadTransaction): Promise<KeyChange[]> {
  const scans = SYNCED_KINDS.map((kind) => ({ prefix: KINDS[kind].prefix, limit: firstRowsMax(kind) }));
  const changes: KeyChange[] = [];
  for (const { prefix, limit } of [CONTROL, ...scans]) {
    if (limit === 0) continue;
    for (const [key, value] of await tx.scan({ prefix, limit }).entries().toArray())
      changes.push([key, value]);
  }
  return changes;
}
