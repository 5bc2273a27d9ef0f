// The stored text of the page behind a link.
import type { Id } from '#shared/ids.ts';
import type { Database } from '../db/database.ts';

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
