// Who reads a row, as names of audiences: pure functions from facts, one per kind. They use no database; the members of an
// audience are in sync_audience_member, written by memberships and windows.
import { memoryReaders, type PlaceFacts, type ReaderFacts } from '#shared/memories/readers.ts';
import { VISIBILITY, workspaceReads } from '#shared/spaces/visibility.ts';

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

/**
 * Readers of a large space, for memories with their home there. Showing such a space or hiding it changes the members of this
 * audience, whatever the number of its memories.
 */
export function homeAudience(spaceId: string): string {
  return `s:${spaceId}`;
}

/** Readers of a large space while it is not deleted, for memories filed there with their home elsewhere. */
export function filedAudience(spaceId: string): string {
  return `f:${spaceId}`;
}

/**
 * Readers of a large space from outside the workspace, for what the whole workspace reads anyway. Members are not in it,
 * so that their replicas are not sent the same memory twice.
 */
export function outsideAudience(spaceId: string): string {
  return `o:${spaceId}`;
}

/** Whom the grants of a space or thread name: guests, chosen people and the members of chosen positions. */
export function namedAudience(placeId: string): string {
  return `r:${placeId}`;
}

/** Accounts with a proven address at the domain of a workspace in which they are no members. */
export function domainAudience(workspaceId: string): string {
  return `d:${workspaceId}`;
}

/** All non-members who read some content of a workspace. */
export function guestsAudience(workspaceId: string): string {
  return `g:${workspaceId}`;
}

/**
 * One guest inside one workspace. Content that a person owns as a member is in `userAudience`, which never contains guests: so
 * a former member who returns as a guest reads granted content, but not the former own content.
 */
export function guestAudience(userId: string, workspaceId: string): string {
  return `g:${userId}@${workspaceId}`;
}

/** Whether memories may be in an audience: all but those of messages and of guests as such. */
export function isAudienceOfMemories(audienceId: string): boolean {
  return !audienceId.startsWith('m:') && !audienceId.startsWith('g:');
}

export interface VisibleFacts extends PlaceFacts {
  id: string;
  workspaceId: string;
  isDeleted: boolean;
}

/** A space as the home of a memory or as a place where it is filed. */
interface SpaceFacts extends PlaceFacts {
  id: string;
  isDeleted: boolean;
  /** It has audiences of its own. */
  isLarge: boolean;
  /** It is large, and people outside the workspace read it or have read it. */
  hasOutside: boolean;
}

/** Facts that decide who reads a memory: deleted spaces count among `spaces` when they are large. */
export interface MemoryFacts extends Omit<ReaderFacts, 'home' | 'spaces'> {
  workspaceId: string;
  home: SpaceFacts | null;
  spaces: readonly SpaceFacts[];
}

export interface LinkFacts extends SpaceFacts {
  workspaceId: string;
  homeId: string | null;
}

/** Who has access by the visibility of a place besides the workspace or the owner. A deleted place has no readers by domain. */
export function sharedAudiences({
  id,
  workspaceId,
  visibility,
  isDeleted,
}: Omit<VisibleFacts, 'ownerId'>): string[] {
  const { guests, domain } = VISIBILITY[visibility];
  return [
    ...(guests ? [namedAudience(id)] : []),
    ...(domain && !isDeleted ? [domainAudience(workspaceId)] : []),
  ];
}

/** Everyone or the owner, and whom the place is shared with. */
export function visibleAudiences(place: VisibleFacts): string[] {
  const { workspaceId, ownerId, visibility } = place;
  const own = workspaceReads(visibility)
    ? workspaceAudience(workspaceId)
    : userAudience(ownerId, workspaceId);
  return [own, ...sharedAudiences(place)];
}

/**
 * Every other audience of members is inside the workspace audience, so when that one reads, it covers them all and the feed has
 * one edge instead of several. The readers of a large space are in its own audiences and are not named.
 */
export function memoryAudiences({ workspaceId, ownerId, home, spaces }: MemoryFacts): string[] {
  const places = home === null ? spaces : [home, ...spaces];
  const small = places.filter((place) => !place.isLarge);
  const large = places.filter((place) => place.isLarge);
  const shared = small.flatMap((place) => sharedAudiences({ ...place, workspaceId }));
  const named = home?.isLarge ? ({ ownerId, visibility: 'private' } as const) : home;
  const readers = memoryReaders({ ownerId, home: named, spaces: spaces.filter((place) => !place.isLarge) });
  const outside = large.filter(({ hasOutside }) => hasOutside).map(({ id }) => outsideAudience(id));
  if (readers.workspace) return [...new Set([workspaceAudience(workspaceId), ...shared, ...outside])].sort();
  return [
    ...new Set([
      ...readers.userIds.map((userId) => userAudience(userId, workspaceId)),
      ...shared,
      ...(home?.isLarge ? [homeAudience(home.id)] : []),
      ...large.filter(({ id }) => id !== home?.id).map(({ id }) => filedAudience(id)),
    ]),
  ].sort();
}

/**
 * A link is read by those who read both ends. A live space widens the memory, so this is the space's audience; so it is
 * where the space is the home of the memory, or the memory has none and the whole workspace reads it. Other links of a
 * deleted space have no readers until it is restored: who reads such a memory then depends on other spaces.
 */
export function linkAudiences({ homeId, ...space }: LinkFacts): string[] {
  const { id, isLarge, isDeleted } = space;
  const isAtHome = homeId === null || homeId === id;
  if (isLarge) return [isAtHome ? homeAudience(id) : filedAudience(id)];
  return isAtHome || !isDeleted ? visibleAudiences(space) : [];
}
