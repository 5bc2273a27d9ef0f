// Which grants count for whom: the one rule for mutators, buttons and handlers. Without zod, because pages use it at once.
import type { Actor, Subject } from '../permissions.ts';
import { subjectOf } from '../subject.ts';
import { VISIBILITY, type Visibility } from './visibility.ts';

export const GRANT_LEVELS = ['read', 'write'] as const;
export type GrantLevel = (typeof GRANT_LEVELS)[number];

/** A space or a thread with what decides which of its grants count. */
export interface GrantPlace {
  id: string;
  visibility: Visibility;
}

export interface GrantFacts {
  resourceId: string;
  holder: string;
  userId: string | null;
  level: GrantLevel;
}

/** The level of an actor's grants on a place, undefined without one. */
export function levelOn(
  { id, visibility }: GrantPlace,
  { userId, position }: Actor,
  grants: readonly GrantFacts[],
): GrantLevel | undefined {
  const { guests, positions } = VISIBILITY[visibility];
  const levels = grants
    .filter(({ resourceId }) => resourceId === id)
    .filter((row) => (guests && row.userId === userId) || (positions && row.holder === position))
    .map((row) => row.level);
  if (levels.includes('write')) return 'write';
  return levels.length > 0 ? 'read' : undefined;
}

/**
 * A subject with the level that the actor was granted. A guest reads only granted content, so everything that a guest can read
 * is granted at least for reading.
 */
export function grantedSubject(
  subject: Subject,
  { position }: Actor,
  level: GrantLevel | undefined,
): Subject {
  const granted = level ?? (position === 'guest' ? 'read' : undefined);
  return granted === undefined ? subject : { ...subject, grant: granted };
}

/** Where a memory is: its home, for `subjectOf`, and the undeleted spaces that it is filed in. */
export interface MemoryPlaces {
  home: GrantPlace | null | undefined;
  filedIn: readonly GrantPlace[];
}

/**
 * Facts about a memory that the actor reads. It is granted with its home; one that belongs to the whole workspace is
 * granted with any space that it is filed in.
 */
export function memorySubject(
  row: { ownerId: string },
  { home, filedIn }: MemoryPlaces,
  { actor, grants }: { actor: Actor; grants: readonly GrantFacts[] },
): Subject {
  const places = home === null ? filedIn : home === undefined ? [] : [home];
  const mayWrite = places.some((place) => levelOn(place, actor, grants) === 'write');
  return grantedSubject(subjectOf(row, home), actor, mayWrite ? 'write' : undefined);
}
