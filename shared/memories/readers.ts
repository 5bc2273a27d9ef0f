// Who reads a memory (PRODUCT 5.1): its owner, the readers of its home, and those of every live space it is in. The one
// rule behind audiences on the server and the sentences before a move. Pure: knows facts, no rows and no database.
import { workspaceReads, type Visibility } from '../spaces/visibility.ts';

/** What decides who reads a place. */
export interface PlaceFacts {
  ownerId: string;
  visibility: Visibility;
}

/** What decides who reads a memory. */
export interface ReaderFacts {
  ownerId: string;
  /** The home space, deleted or not: deleting a private space must not show what was captured into it. */
  home: PlaceFacts | null;
  /** The spaces it is linked to that are not deleted. */
  spaces: readonly PlaceFacts[];
}

/** The whole workspace, or only these users of it. */
export type MemoryReaders = { workspace: true } | { workspace: false; userIds: readonly string[] };

/** Every user is in the workspace: where that reads, nobody needs naming. The guest values are enforced as private. */
export function memoryReaders({ ownerId, home, spaces }: ReaderFacts): MemoryReaders {
  const places = home === null ? spaces : [home, ...spaces];
  if (home === null || places.some(({ visibility }) => workspaceReads(visibility)))
    return { workspace: true };
  return { workspace: false, userIds: [...new Set([ownerId, ...places.map((place) => place.ownerId)])] };
}
