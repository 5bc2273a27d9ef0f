// Who reads a row, as names of audiences (SYNC 2.2, PRODUCT 5.1 and 5.4): pure functions from facts, one per kind.
// They know no database; who is in an audience stands in sync_audience_member, written by memberships and windows.
import { memoryReaders, type PlaceFacts, type ReaderFacts } from '#shared/memories/readers.ts';
import { workspaceReads } from '#shared/spaces/visibility.ts';

/** All members of a workspace. */
export function workspaceAudience(workspaceId: string): string {
  return `w:${workspaceId}`;
}

/** One user inside one realm; in the account realm both are the same id. */
export function userAudience(userId: string, realmId: string): string {
  return `u:${userId}@${realmId}`;
}

/** Readers of a thread who have it open in their window. */
export function messageAudience(threadId: string): string {
  return `m:${threadId}`;
}

/** What decides who reads a space or a thread. */
export interface VisibleFacts extends PlaceFacts {
  workspaceId: string;
}

/** What decides who reads a memory. */
export interface MemoryFacts extends ReaderFacts {
  workspaceId: string;
}

/** Everyone, or the owner alone: the guest values are enforced as private until grants exist. */
export function visibleAudiences({ workspaceId, ownerId, visibility }: VisibleFacts): string[] {
  return [workspaceReads(visibility) ? workspaceAudience(workspaceId) : userAudience(ownerId, workspaceId)];
}

/**
 * Every user audience of a workspace is inside the workspace audience, so when that one reads it stands alone and the
 * feed holds one edge instead of several.
 */
export function memoryAudiences({ workspaceId, ...facts }: MemoryFacts): string[] {
  const readers = memoryReaders(facts);
  if (readers.workspace) return [workspaceAudience(workspaceId)];
  return readers.userIds.map((userId) => userAudience(userId, workspaceId)).sort();
}

/**
 * A link is read by those who read both ends. A live space widens the memory, so this is the space's audience; the
 * links of a deleted space stay with those who still read the memory, so that a restore works offline.
 */
export function linkAudiences(space: VisibleFacts, memory: readonly string[]): string[] {
  const everyone = workspaceAudience(space.workspaceId);
  const spaceAudiences = visibleAudiences(space);
  if (memory.includes(everyone)) return spaceAudiences;
  if (spaceAudiences.includes(everyone)) return [...memory];
  return spaceAudiences.filter((audience) => memory.includes(audience));
}
