// The stored text of the page behind a link, and the saved page itself.
import { sql } from 'kysely';
import type { Id } from '#shared/ids.ts';
import { pageHashOf, snapshotOf } from '#shared/memories/memory-kinds.ts';
import { fileKey } from '../capture/service.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { forgetEmbeddingsOfPages } from '../db/memory-followers.ts';
import type { ServerTx } from '../db/server-tx.ts';

/** Undefined before the first successful fetch and for a page without text. */
export async function findPage(
  db: Database,
  { workspaceId, memoryId }: { workspaceId: Id<'workspace'>; memoryId: Id<'memory'> },
): Promise<{ text: string; hash: string } | undefined> {
  const row = await db
    .selectFrom('memory_page')
    .select(['text', 'hash'])
    .where('workspaceId', '=', workspaceId)
    .where('memoryId', '=', memoryId)
    .executeTakeFirst();
  return row === undefined || row.text === null || row.hash === null
    ? undefined
    : { text: row.text, hash: row.hash };
}

/** The upload that is the saved page of a link; undefined for a link without one. */
export async function findSnapshot(
  db: Context['db'],
  { workspaceId, memoryId }: { workspaceId: Id<'workspace'>; memoryId: Id<'memory'> },
): Promise<{ id: Id<'upload'>; hash: string } | undefined> {
  return db
    .selectFrom('memory_page')
    .innerJoin('upload', (join) =>
      join
        .onRef('upload.workspaceId', '=', 'memory_page.workspaceId')
        .onRef('upload.id', '=', 'memory_page.snapshotId'),
    )
    .select(['upload.id', 'upload.hash'])
    .where('memory_page.workspaceId', '=', workspaceId)
    .where('memory_page.memoryId', '=', memoryId)
    .where('upload.workspaceId', '=', workspaceId)
    .executeTakeFirst();
}

/** The saved page of a link as HTML, named by its hash; undefined for a link without one. */
export async function readSnapshot(
  { db, files }: Pick<Context, 'db' | 'files'>,
  { workspaceId, memoryId }: { workspaceId: Id<'workspace'>; memoryId: Id<'memory'> },
): Promise<{ text: string; hash: string } | undefined> {
  const upload = await findSnapshot(db, { workspaceId, memoryId });
  const bytes = upload && (await files.get(fileKey({ workspaceId, id: upload.id })));
  return bytes && { text: bytes.toString('utf8'), hash: upload.hash };
}

/** Removes the text and the saved page that a memory no longer names, because its address was changed. */
export async function dropFormerPage(tx: ServerTx, memoryId: Id<'memory'>): Promise<void> {
  const row = await tx.get('memory', memoryId);
  if (row === undefined || row.type === 'file' || (pageHashOf(row) ?? snapshotOf(row)) !== undefined) return;
  const { numAffectedRows = 0n } = await sql`
    update "memory_page" set "url" = null, "text" = null, "hash" = null, "fetched" = null, "snapshotId" = null
    where "workspaceId" = ${tx.realmId} and "memoryId" = ${memoryId} and "fetched" is not null`.execute(
    tx.trx,
  );
  if (numAffectedRows > 0n) await forgetEmbeddingsOfPages(tx, [memoryId]);
}
