// Data for selectors: the two open realms as one set of rows, live ones by default. Records which kinds were read, so
// that a query runs again only when one of them has changed.
import type { Head, SyncedKind } from '#shared/entities.ts';
import { livesInAccount } from '#shared/kinds.ts';
import type { Id } from '#shared/ids.ts';
import type { Actor, Position } from '#shared/permissions.ts';
import { isDeleted, type RowList } from '#client/replica/row-list.ts';
import { Mirror } from '#client/replica/mirror.ts';

/** The two realms of a page: the person's own and the workspace that is open. */
export interface Mirrors {
  userId: Id<'user'>;
  workspaceId: Id<'workspace'> | undefined;
  account: Mirror;
  workspace: Mirror;
}

function isLive<T extends object>(row: T | undefined): row is T {
  return row !== undefined && !isDeleted(row);
}

function newestFirst<T extends { created: string; id: string }>(rows: T[]): T[] {
  return rows.sort((a, b) =>
    a.created === b.created ? (a.id < b.id ? -1 : 1) : a.created > b.created ? -1 : 1,
  );
}

const NO_SPACES: readonly Head<'space'>[] = [];

/** Revision per kind over both realms. */
export function revisionOf({ account, workspace }: Mirrors, kind: SyncedKind): number {
  return account.lists[kind].revision + workspace.lists[kind].revision;
}

/** Reads of the replica; rows and lists are the same objects until they change. */
export class ReplicaView {
  /** Kinds read so far. */
  readonly kinds = new Set<SyncedKind>();
  readonly #mirrors: Mirrors;

  constructor(mirrors: Mirrors) {
    this.#mirrors = mirrors;
  }

  /** The workspace that is open; undefined on pages without one. */
  get workspaceId(): Id<'workspace'> | undefined {
    return this.#mirrors.workspaceId;
  }

  get userId(): Id<'user'> {
    return this.#mirrors.userId;
  }

  /** The person with the position in the open workspace, as `can` wants it. */
  get actor(): Actor {
    const { userId } = this.#mirrors;
    return { userId, position: this.position(userId) ?? 'guest' };
  }

  position(userId: string): Position | undefined {
    return this.get('workspace_member', userId)?.position;
  }

  #list<K extends SyncedKind>(kind: K): RowList<K> {
    this.kinds.add(kind);
    return (livesInAccount(kind) ? this.#mirrors.account : this.#mirrors.workspace).lists[kind];
  }

  /** Live rows, newest first. */
  list<K extends SyncedKind>(kind: K): readonly Head<K>[] {
    return this.#list(kind).live;
  }

  /** Rows of "Recently deleted", newest first. */
  deleted<K extends SyncedKind>(kind: K): readonly Head<K>[] {
    return this.#list(kind).deleted;
  }

  /** How many live rows there are, without building the list. */
  count(kind: SyncedKind): number {
    return this.#list(kind).liveCount;
  }

  /** The row, deleted or not. */
  peek<K extends SyncedKind>(kind: K, id: string): Head<K> | undefined {
    const own = this.#list(kind).byId.get(id);
    // The open workspace's own realm contains its newest row, with this page's edits.
    return kind === 'workspace' ? (this.#mirrors.workspace.lists[kind].byId.get(id) ?? own) : own;
  }

  /** The row, unless it is deleted. */
  get<K extends SyncedKind>(kind: K, id: string): Head<K> | undefined {
    const row = this.peek(kind, id);
    return row !== undefined && isDeleted(row) ? undefined : row;
  }

  /** Live memories filed in a space, newest first. */
  memoriesIn(spaceId: string): readonly Head<'memory'>[] {
    this.kinds.add('space_memory');
    const ids = [...this.#mirrors.workspace.memoriesOfSpace.of(spaceId)];
    return newestFirst(ids.map((id) => this.get('memory', id)).filter(isLive));
  }

  /** How many live memories a space holds. */
  countIn(spaceId: string): number {
    this.kinds.add('space_memory');
    let count = 0;
    for (const id of this.#mirrors.workspace.memoriesOfSpace.of(spaceId)) {
      if (this.get('memory', id) !== undefined) count += 1;
    }
    return count;
  }

  /** Live spaces that hold a memory, newest first. */
  spacesOf(memoryId: string): readonly Head<'space'>[] {
    this.kinds.add('space_memory');
    const ids = this.#mirrors.workspace.spacesOfMemory.of(memoryId);
    if (ids.size === 0) return NO_SPACES;
    return newestFirst([...ids].map((id) => this.get('space', id)).filter(isLive));
  }

  isIn(memoryId: string, spaceId: string): boolean {
    this.kinds.add('space_memory');
    return this.#mirrors.workspace.memoriesOfSpace.of(spaceId).has(memoryId);
  }

  /** Messages of a thread, oldest first; only threads opened lately have any. */
  messagesOf(threadId: string): readonly Head<'message'>[] {
    // Recorded even when there are none, so that the query runs again when the first one arrives.
    this.kinds.add('message');
    const ids = [...this.#mirrors.workspace.messagesOfThread.of(threadId)];
    return ids
      .map((id) => this.get('message', id))
      .filter(isLive)
      .sort((a, b) =>
        a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? -1 : 1,
      );
  }
}
