// Who is in the audiences of a workspace (SYNC 2.2): joining and leaving write memberships, and show or take away the
// workspace in the member's account realm. Called by server/workspaces/membership.ts, inside its transaction.
import { sql } from 'kysely';
import { keyOf } from '#shared/sync/keys.ts';
import type { Id } from '#shared/ids.ts';
import { userAudience, workspaceAudience } from './audiences.ts';
import { writeEdges, type FeedWriter } from './feed.ts';

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
  await writer.versions.lock([userId]);
  const edge = {
    ...{ realmId: userId, audienceId: userAudience(userId, userId) },
    ...{ key: keyOf('workspace', { id: workspaceId }), entityId: workspaceId },
  };
  await writeEdges(writer, {
    ...{ realmId: userId, kind: 'workspace', entityIds: [workspaceId], edges: [edge], reason: 'changed' },
  });
}

/** From this version on the user reads nothing of the workspace; the thread windows are forgotten too. */
export async function leaveAudiences(writer: FeedWriter, { workspaceId, userId }: Membership): Promise<void> {
  await sql`delete from "sync_audience_member" where "userId" = ${userId} and "realmId" = ${workspaceId}`.execute(
    writer.trx,
  );
  await sql`delete from "sync_window" where "userId" = ${userId} and "realmId" = ${workspaceId}`.execute(
    writer.trx,
  );
  await writer.versions.lock([userId]);
  await writeEdges(writer, {
    ...{ realmId: userId, kind: 'workspace', entityIds: [workspaceId], edges: [], reason: 'changed' },
  });
}
