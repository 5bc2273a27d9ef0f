// Who is in the audiences of a workspace: joining and leaving write memberships, and add or remove the workspace in the
// member's account realm. Called by server/workspaces/membership.ts, inside its transaction.
import { sql } from 'kysely';
import { keyOf, RESULT_PREFIX } from '#shared/sync/keys.ts';
import type { Id } from '#shared/ids.ts';
import { userAudience, workspaceAudience } from './audiences.ts';
import { RESULT_KIND, writeEdges, type FeedWriter } from '../feed.ts';
import { joinSpaceAudiences } from './space-audiences.ts';

interface Membership {
  workspaceId: Id<'workspace'>;
  userId: Id<'user'>;
}

/** From this version on the user reads what the workspace reads, and sees the workspace in the account realm. */
export async function joinAudiences(writer: FeedWriter, { workspaceId, userId }: Membership): Promise<void> {
  await sql`
    insert into "sync_audience_member" ("realmId", "audienceId", "userId")
    values (${workspaceId}, ${workspaceAudience(workspaceId)}, ${userId}),
           (${workspaceId}, ${userAudience(userId, workspaceId)}, ${userId})
    on conflict do nothing`.execute(writer.trx);
  await joinSpaceAudiences(writer, { workspaceId, userId });
  const { rows } = await sql`
    select 1 from "workspace" where "id" = ${workspaceId} and "deletedAt" is null`.execute(writer.trx);
  if (rows.length === 0) return;
  await writer.versions.lock([userId]);
  const edge = {
    realmId: userId,
    audienceId: userAudience(userId, userId),
    key: keyOf('workspace', { id: workspaceId }),
    entityId: workspaceId,
  };
  await writeEdges(writer, {
    realmId: userId,
    kind: 'workspace',
    entityIds: [workspaceId],
    edges: [edge],
    reason: 'changed',
  });
}

/**
 * From this version on the user can no longer read the workspace; the thread windows are deleted too. Refusals that the user
 * has not acknowledged go to the account realm, where they stay readable.
 */
export async function leaveAudiences(writer: FeedWriter, { workspaceId, userId }: Membership): Promise<void> {
  await sql`delete from "sync_audience_member" where "userId" = ${userId} and "realmId" = ${workspaceId}`.execute(
    writer.trx,
  );
  await sql`delete from "sync_window" where "userId" = ${userId} and "realmId" = ${workspaceId}`.execute(
    writer.trx,
  );
  await writer.versions.lock([userId]);
  await writeEdges(writer, {
    realmId: userId,
    kind: 'workspace',
    entityIds: [workspaceId],
    edges: [],
    reason: 'changed',
  });
  await moveResults(writer, { workspaceId, userId });
}

async function moveResults(writer: FeedWriter, { workspaceId, userId }: Membership): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update "sync_mutation_result" set "realmId" = ${userId}, "workspaceId" = ${workspaceId}
    where "realmId" = ${workspaceId} and "userId" = ${userId}
    returning "clientId" || '/' || "mutationId"::text as "id"`.execute(writer.trx);
  if (rows.length === 0) return;
  const entityIds = rows.map(({ id }) => id);
  const change = { kind: RESULT_KIND, entityIds, reason: 'changed' } as const;
  await writeEdges(writer, { ...change, realmId: workspaceId, edges: [] });
  const audienceId = userAudience(userId, userId);
  const edges = entityIds.map((entityId) => ({
    realmId: userId,
    audienceId,
    key: `${RESULT_PREFIX}${entityId}`,
    entityId,
  }));
  await writeEdges(writer, { ...change, realmId: userId, edges });
}

/** Members no longer read a deleted workspace, so its refusals move to the account realms of their authors. */
export async function moveResultsOfDeleted(writer: FeedWriter, workspaceId: string): Promise<void> {
  const { rows } = await sql<{ workspaceId: Id<'workspace'>; userId: Id<'user'> }>`
    select distinct w."id" as "workspaceId", result."userId" from "sync_mutation_result" result
    join "workspace" w on w."id" = result."realmId" and w."deletedAt" is not null
    where result."realmId" = ${workspaceId} order by 2`.execute(writer.trx);
  await writer.versions.lock(rows.map(({ userId }) => userId));
  for (const row of rows) await moveResults(writer, row);
}
