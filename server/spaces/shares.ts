/** Spaces and threads shared with a person by name: the list over all workspaces, and leaving one. */
import { sql } from 'kysely';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { GrantResource } from '#shared/spaces/grant.ts';
import type { Share } from '#shared/spaces/share.ts';
import { READ_BY } from '#shared/spaces/visibility.ts';
import type { Context } from '../context.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { writeAs } from '../http/write.ts';
import { readerIn, type WorkspaceReader } from '../sync/readable.ts';

/** The spaces and threads in which the person is named, by account or proven address, while that counts. */
export async function sharesWith(db: Database, userId: Id<'user'>): Promise<Share[]> {
  const { rows } = await sql<Share>`
    select place."id", place."kind", place."name", place."slug", w."id" as "workspaceId",
      w."slug" as "workspaceSlug", w."name" as "workspaceName", min(g."created") as "created",
      case when bool_or(g."level" = 'write') then 'write' else 'read' end as "level"
    from "grant" g
    join "workspace" w on w."id" = g."workspaceId" and w."deletedAt" is null
    join (
      select "workspaceId", "id", 'space' as "kind", "name", "slug", "visibility", "deletedAt" from "space"
      union all
      select "workspaceId", "id", 'thread', "name", null, "visibility", "deletedAt" from "thread"
    ) place on place."workspaceId" = g."workspaceId" and place."id" = g."resourceId"
    where g."userId" = ${userId} and place."deletedAt" is null
      and place."visibility" = any(${READ_BY.guests}::text[])
    group by place."id", place."kind", place."name", place."slug", w."id"
    order by lower(w."name"), w."id", lower(place."name"), place."id"
    ${across('account')}`.execute(db);
  return rows;
}

/** Ends the grants of a person on a space or thread, on all their devices. @throws not_found */
export function leaveShare(context: Context, member: WorkspaceReader, resourceId: GrantResource) {
  return writeAs(context, readerIn(member), async ({ tx, at, apply }) => {
    const own = await tx.ownGrants();
    if (!own.some((row) => row.resourceId === resourceId && row.userId === member.userId))
      throw new AppError('not_found', 'Share not found');
    await apply('grant.leave', { resourceId, at });
  });
}
