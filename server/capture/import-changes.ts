// Changes of an import, written in the transaction of each chunk, so that the whole import can be undone.
import type { ImportJob } from '#shared/capture/import-job.ts';
import type { Head } from '#shared/entities.ts';
import type { ServerTx } from '../db/server-tx.ts';

/** Of a memory that was there before. */
export interface Before {
  /** Only the values that the import replaced. */
  fields: Partial<Head<'memory'>>;
  /** The item that it was compared with; without hashes when the item was imported for the first time. */
  item: { path: string; part: number; contentHash?: string; bodyHash?: string | null };
}

export interface ImportChange {
  kind: 'space' | 'memory' | 'text' | 'link' | 'thread';
  entityId: string;
  /** Where it is from in the archive. */
  path: string;
  /** The time that the import gave the row; that of the transaction by default. */
  left?: string;
  before?: Before;
}

/** Adds the changes of one chunk, in an order in which the last can be undone first. */
export async function rememberChanges(
  tx: ServerTx,
  { workspaceId, id: importId }: ImportJob,
  changes: readonly ImportChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const at = tx.now.toISOString();
  const rows = changes.map(({ kind, entityId, path, left = at, before }) => {
    const stored = before ? JSON.stringify(before) : null;
    return { workspaceId, importId, kind, entityId, path, left, at, before: stored };
  });
  await tx.trx.insertInto('import_change').values(rows).execute();
}
