// Facts for the permission table about resources that grants may open. Grants are looked up only where they can decide.
import type { Tx } from '../define/mutator.ts';
import type { Actor, Subject } from '../permissions.ts';
import { subjectOf } from '../subject.ts';
import type { Visibility } from './visibility.ts';
import { grantedSubject, levelOn, memorySubject, type GrantPlace } from './grant-level.ts';

export interface PlaceRow extends GrantPlace {
  ownerId: string;
  visibility: Visibility;
}

/** Positions decide alone, unless a person may neither by their own position nor because all members may. */
function mayNeedGrant({ userId, position }: Actor, { ownerId, workspaceReads }: Subject): boolean {
  return position === 'guest' || (position === 'member' && ownerId !== userId && workspaceReads !== true);
}

/** Facts about a space or a thread that the actor reads. */
export async function placeSubject(tx: Tx, actor: Actor, row: PlaceRow): Promise<Subject> {
  const subject = subjectOf(row, row);
  if (!mayNeedGrant(actor, subject)) return subject;
  return grantedSubject(subject, actor, levelOn(row, actor, await tx.ownGrants()));
}

export interface MemoryPlace {
  id: string;
  ownerId: string;
  spaceId: string | null;
}

/** `memorySubject` of the rows that a transaction reads. */
export async function readMemorySubject(tx: Tx, actor: Actor, row: MemoryPlace): Promise<Subject> {
  const home = row.spaceId === null ? null : await tx.get('space', row.spaceId);
  const subject = memorySubject(row, { home, filedIn: [] }, { actor, grants: [] });
  if (home === undefined || !mayNeedGrant(actor, subject)) return subject;
  const grants = await tx.ownGrants();
  const filedIn = home === null ? await filedSpaces(tx, row.id, grants) : [];
  return memorySubject(row, { home, filedIn }, { actor, grants });
}

/** The undeleted spaces with a grant in which a memory is filed. */
async function filedSpaces(
  tx: Tx,
  memoryId: string,
  grants: Awaited<ReturnType<Tx['ownGrants']>>,
): Promise<PlaceRow[]> {
  const places: PlaceRow[] = [];
  for (const { resourceId } of grants) {
    if ((await tx.get('space_memory', `${resourceId}/${memoryId}`)) === undefined) continue;
    const space = await tx.get('space', resourceId);
    if (space !== undefined && space.deletedAt === null) places.push(space);
  }
  return places;
}
