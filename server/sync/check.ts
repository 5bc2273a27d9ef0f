// The comparison of a replica with the truth: the rows that its person may read, from one snapshot, summed up like the
// replica's own. It costs as much as a first sync, so routes limit it by the same turns, and replicas request it rarely.
import { SYNC } from '#shared/sync/limits.ts';
import { DigestSum, type RowDigest } from '#shared/sync/digest.ts';
import type { CheckRequest, CheckState } from '#shared/sync/protocol.ts';
import type { Database } from '../db/database.ts';
import { readAllRows, readRealm } from './feed-reads.ts';
import { chunked } from './feed.ts';
import { loadHeads } from './heads.ts';
import type { PullRequestFrom } from './pull.ts';

/** Called for a replica that differs, which should never happen. */
export type OnDifference = (server: RowDigest, replica: CheckRequest) => void;

/** Checks whether a replica at a version is correct; `unknown` when the realm is at another version by now. */
export async function checkReplica(
  db: Database,
  from: Pick<PullRequestFrom, 'userId' | 'realmId'>,
  { given, onDifference }: { given: CheckRequest; onDifference: OnDifference },
): Promise<CheckState> {
  const expected = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => digestAt(trx, from, given.v));
  if (expected === undefined) return 'unknown';
  if (expected.count === given.count && expected.sum === given.sum) return 'same';
  onDifference(expected, given);
  return 'different';
}

async function digestAt(
  db: Database,
  { userId, realmId }: Pick<PullRequestFrom, 'userId' | 'realmId'>,
  version: number,
): Promise<RowDigest | undefined> {
  const realm = await readRealm(db, { userId, realmId, clientGroupId: '' });
  if (realm?.version !== version || realm.audiences.length === 0) return undefined;
  const sum = new DigestSum();
  for (const rows of chunked(await readAllRows(db, realmId, realm.audiences), SYNC.pageRows)) {
    const values = await loadHeads(db, realmId, rows);
    for (const [index, { key }] of rows.entries()) {
      const json = values[index] ?? null;
      // The pull reports and deletes an entry without a row.
      if (json !== null) sum.add(key, JSON.parse(json));
    }
  }
  return sum.digest;
}
