/** Inserts rows up to a limit per workspace, under the lock of its row, so that concurrent calls cannot add more. */
import { sql } from 'kysely';
import { AppError } from '#shared/errors.ts';
import type { Database } from './database.ts';

/** How many rows of a table a workspace may have, and what people call them. */
export interface RowLimit {
  table: 'webhook' | 'oauth_client';
  workspaceId: string;
  most: number;
  plural: string;
}

/** Inserts in one transaction. @throws conflict when the workspace has as many as it may have */
export async function insertWithinLimit(
  db: Database,
  { table, workspaceId, most, plural }: RowLimit,
  insert: (trx: Database) => Promise<unknown>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select 1 from "workspace" where "id" = ${workspaceId} for no key update`.execute(trx);
    const { rows } = await sql<{ count: number }>`
      select count(*) as "count" from ${sql.table(table)} where "workspaceId" = ${workspaceId}`.execute(trx);
    if ((rows[0]?.count ?? 0) >= most)
      throw new AppError('conflict', `A workspace can have ${most} ${plural} at most`);
    await insert(trx);
  });
}
