// Which snapshot a link has: the row of its page has the id of the file, and the metadata of the memory shows it to devices.
import { sql } from 'kysely';
import type { Id } from '#shared/ids.ts';
import type { SnapshotFacts } from '#shared/memories/memory-kinds.ts';
import type { ServerTx } from '../../db/server-tx.ts';
import type { TakenSnapshot } from './take-snapshot.ts';

/** A text of a page, by the moment at which it was stored. */
export interface StoredText {
  memoryId: Id<'memory'>;
  fetched: string;
}

/** Stores the snapshot that belongs to this text of a link; does nothing when another text was stored since. */
export async function storeSnapshot(
  tx: ServerTx,
  { memoryId, fetched }: StoredText,
  { uploadId, hash, bytes, picture }: TakenSnapshot,
): Promise<void> {
  const { numAffectedRows } = await sql`
    update "memory_page" set "snapshotId" = ${uploadId}
    where "workspaceId" = ${tx.realmId} and "memoryId" = ${memoryId} and "fetched" = ${fetched}`.execute(
    tx.trx,
  );
  const row = await tx.get('memory', memoryId);
  if (row === undefined || numAffectedRows !== 1n) return;
  const snapshot: SnapshotFacts = { hash, taken: fetched, bytes };
  await tx.update('memory', memoryId, {
    metadata: { ...withoutSnapshot(row.metadata), snapshot, ...picture },
  });
}

/** What a memory says of its page without the snapshot and its picture. */
export function withoutSnapshot(metadata: Record<string, unknown>): Record<string, unknown> {
  const {
    snapshot: _snapshot,
    preview: _preview,
    thumbnail: _small,
    width: _width,
    height: _height,
    ...kept
  } = metadata;
  return kept;
}

/** Removes the snapshot of another address before the text of a page is replaced. */
export async function dropOtherSnapshot(
  tx: ServerTx,
  { memoryId, url }: { memoryId: Id<'memory'>; url: string | null },
): Promise<{ isKept: boolean }> {
  const { rows } = await sql<{ isKept: boolean }>`
    update "memory_page" set "snapshotId" = case when "url" = ${url} then "snapshotId" end
    where "workspaceId" = ${tx.realmId} and "memoryId" = ${memoryId}
    returning "snapshotId" is not null as "isKept"`.execute(tx.trx);
  return { isKept: rows[0]?.isKept === true };
}
