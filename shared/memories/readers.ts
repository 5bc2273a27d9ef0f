// Who can read a memory: its owner, the readers of its home, and those of every live space it is in. The one rule
// behind audiences on the server and the sentences before a move. Pure.
import { outsidersRead, type Visibility } from '../spaces/visibility.ts';
import { isOpenHome } from '../subject.ts';

export interface PlaceFacts {
  ownerId: string;
  visibility: Visibility;
}

/** The facts that decide who can read a memory. */
export interface ReaderFacts {
  ownerId: string;
  /** The home space, deleted or not: deleting a private space must not show memories captured into it. */
  home: PlaceFacts | null;
  /** The spaces it is linked to that are not deleted. */
  spaces: readonly PlaceFacts[];
}

/**
 * The whole workspace, or only these users of it. `isShared` means that people with a grant or of the workspace's domain read
 * it too.
 */
export type MemoryReaders = { isShared: boolean } & (
  | { workspace: true }
  | { workspace: false; userIds: readonly string[] }
);

/** Every user is in the workspace: where that reads, no users are listed. */
export function memoryReaders({ ownerId, home, spaces }: ReaderFacts): MemoryReaders {
  const places = home === null ? spaces : [home, ...spaces];
  const isShared = places.some(({ visibility }) => outsidersRead(visibility));
  if (isOpenHome(home) || places.some(isOpenHome)) return { workspace: true, isShared };
  const userIds = [...new Set([ownerId, ...places.map((place) => place.ownerId)])];
  return { workspace: false, isShared, userIds };
}
