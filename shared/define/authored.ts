/** What spaces, threads and memories have in common when they are made. */
import type { Id } from '../ids.ts';

/** The fields that say whose a new row is, and since when. */
export function authoredBy(userId: Id<'user'>, workspaceId: Id<'workspace'>, created: string) {
  return {
    workspaceId,
    ownerId: userId,
    createdBy: userId,
    lastEditedBy: userId,
    created,
    updated: created,
    deletedAt: null,
  };
}
