/** What the public may see of random things, kept apart from the server's own rule. */
import type { Id } from '#shared/ids.ts';
import type { Visibility } from '#shared/spaces/visibility.ts';

export interface Thing {
  /** A word that stands in everything the thing shows. */
  word: string;
  workspaceId: Id<'workspace'>;
  deleted: boolean;
}
export interface SpaceModel extends Thing {
  slug: string;
  visibility: Visibility;
  /** The notes of its memories are shown too. */
  publishText: boolean;
}
export interface ThreadModel extends Thing {
  visibility: Visibility;
  messages: string[];
}
export interface MemoryModel extends Thing {
  archived: boolean;
}

/** Words of all seeds so far: they share a server, and lists of everything show them all. */
let words = 0;

/** What was done so far, as the model of visibility sees it; written apart from the server's own rule. */
export class Model {
  readonly spaces = new Map<Id<'space'>, SpaceModel>();
  readonly threads = new Map<Id<'thread'>, ThreadModel>();
  readonly memories = new Map<Id<'memory'>, MemoryModel>();
  readonly links = new Set<string>();

  word(): string {
    words += 1;
    return `shown${words}x`;
  }

  isReached({ visibility, deleted }: SpaceModel | ThreadModel): boolean {
    return !deleted && (visibility === 'public' || visibility === 'unlisted');
  }

  isListed(thing: SpaceModel | ThreadModel): boolean {
    return !thing.deleted && thing.visibility === 'public';
  }

  memoriesOf(spaceId: Id<'space'>): Id<'memory'>[] {
    return [...this.memories]
      .filter(([id, { archived, deleted }]) => !archived && !deleted && this.links.has(`${spaceId} ${id}`))
      .map(([id]) => id);
  }

  /** The memory's notes are shown in a space, of all or of those that are listed. */
  isTextShown(memory: Id<'memory'>, among: 'reached' | 'listed'): boolean {
    return [...this.spaces].some(
      ([id, space]) =>
        space.publishText &&
        (among === 'listed' ? this.isListed(space) : this.isReached(space)) &&
        this.memoriesOf(id).includes(memory),
    );
  }

  /** Every word of this model, open or not. */
  words(): Set<string> {
    const things = [...this.spaces.values(), ...this.memories.values(), ...this.threads.values()];
    return new Set([
      ...things.map(({ word }) => word),
      ...[...this.threads.values()].flatMap(({ messages }) => messages),
    ]);
  }

  /** Every word that a visitor may read anywhere. */
  openWords(): Set<string> {
    const spaces = [...this.spaces].filter(([, space]) => this.isReached(space));
    const threads = [...this.threads.values()].filter((thread) => this.isReached(thread));
    return new Set([
      ...spaces.map(([, { word }]) => word),
      ...spaces.flatMap(([id]) => this.memoriesOf(id).map((memory) => this.memories.get(memory)?.word ?? '')),
      ...threads.flatMap(({ word, messages }) => [word, ...messages]),
    ]);
  }
}
