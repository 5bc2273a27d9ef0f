/**
 * The end of a closed workspace, WORKSPACE_KEEP_DAYS after it was closed: first it is readable no more,
 * then its rows go in pieces, so that no write of others ever waits long, and at last the workspace and its feed.
 */
import { sql } from 'kysely';
import { DAY_MS } from '#shared/constants.ts';
import { WORKSPACE_KEEP_DAYS } from '#shared/workspaces/limits.ts';
import { isId } from '#shared/ids.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { systemActor } from '../db/server-tx.ts';
import { writeInRealm, type WriteContext } from '../db/transaction.ts';
import { guestsAudience } from '../sync/readers/audiences.ts';
import { leaveAudiences } from '../sync/readers/memberships.ts';
import { forgetRealm } from '../sync/retention.ts';

const CHUNK = 500;
/** Tables with many rows, deleted in batches; the rest is deleted by the cascade of the workspace's row. */
const LARGE = ['message', 'space_memory', 'memory'] as const;

/** Removes the workspaces that were closed long enough ago; returns how many. */
export async function purgeWorkspaces(context: WriteContext, now: Date): Promise<number> {
  const until = new Date(now.getTime() - WORKSPACE_KEEP_DAYS * DAY_MS).toISOString();
  const { rows } = await sql<{ id: string }>`
    select "id" from "workspace" where "deletedAt" < ${until} order by "deletedAt"
    ${across('purge')}`.execute(context.db);
  for (const { id } of rows) await purgeWorkspace(context, id);
  return rows.length;
}

/** Deletes a workspace permanently; after a crash, the work done before is not repeated. */
export async function purgeWorkspace(context: WriteContext, workspaceId: string): Promise<void> {
  if (!isId('workspace', workspaceId)) throw new Error(`${workspaceId} is no workspace`);
  await writeInRealm(context, workspaceId, systemActor, async (tx) => {
    const members = await tx.trx
      .selectFrom('workspace_member')
      .select('userId')
      .where('workspaceId', '=', workspaceId)
      .execute();
    const guests = await tx.trx
      .selectFrom('sync_audience_member')
      .select('userId')
      .where('realmId', '=', workspaceId)
      .where('audienceId', '=', guestsAudience(workspaceId))
      .execute();
    for (const { userId } of [...members, ...guests]) {
      if (isId('user', userId)) await leaveAudiences(tx, { workspaceId, userId });
    }
    await tx.trx.deleteFrom('workspace_member').where('workspaceId', '=', workspaceId).execute();
  });
  for (const table of LARGE) while ((await removeSome(context, table, workspaceId)) > 0);
  await writeInRealm(context, workspaceId, systemActor, async (tx) => {
    await tx.trx.deleteFrom('slug_redirect').where('scope', '=', workspaceId).execute();
    await tx.trx.deleteFrom('slug_redirect').where('targetId', '=', workspaceId).execute();
    await tx.trx.deleteFrom('workspace').where('id', '=', workspaceId).execute();
  });
  await forgetRealm(context.db, workspaceId);
}

/** Rows without readers need no entry in the feed. */
async function removeSome(
  context: WriteContext,
  table: (typeof LARGE)[number],
  workspaceId: string,
): Promise<number> {
  const { value } = await writeInRealm(context, workspaceId, systemActor, async ({ trx }) => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where "workspaceId" = ${workspaceId} limit ${CHUNK}))
        and "workspaceId" = ${workspaceId}`.execute(trx);
    return Number(numAffectedRows ?? 0n);
  });
  return value;
}

/** Workspaces in which the person is the only member. */
export async function ownAlone(db: Database, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m."workspaceId" as "id" from "workspace_member" m where m."userId" = ${userId}
      and not exists (select 1 from "workspace_member" other
        where other."workspaceId" = m."workspaceId" and other."userId" <> ${userId})
    ${across('account')}`.execute(db);
  return rows.map(({ id }) => id);
}
