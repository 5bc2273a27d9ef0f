// The whole replica of one realm as plain objects on the page: updated by changes from the worker, read by views
// synchronously. Knows kinds and keys; must not know Replicache, React or the network.
import type { SyncedKind } from '#shared/entities.ts';
import { SYNCED_KINDS } from '#shared/kinds.ts';
import { ACCESS_KEY, idOfKey, keyOf, kindOfKey, RESULT_PREFIX, SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import type { MutationResult, SyncState } from '#shared/sync/protocol.ts';
import { isHead, isMutationResult, isSyncState } from '#client/replica/head.ts';
import { RowList, type RowChange } from '#client/replica/row-list.ts';

/** A replica key with its new value; null means that the key was deleted. */
export type KeyChange = readonly [key: string, value: unknown];

type Lists = { [K in SyncedKind]: RowList<K> };
type Pending = { [K in SyncedKind]: RowChange<K>[] };

/** One value for each kind; the cast is sound because the loop covers all kinds. */
function eachKind<T>(make: <K extends SyncedKind>(kind: K) => unknown): T {
  return Object.fromEntries(SYNCED_KINDS.map((kind) => [kind, make(kind)])) as T;
}

/** Every head of a realm with the indexes that views need. */
export class Mirror {
  readonly lists = eachKind<Lists>((kind) => new RowList(kind));
  readonly memoriesOfSpace = new GroupIndex();
  readonly spacesOfMemory = new GroupIndex();
  readonly messagesOfThread = new GroupIndex();
  /** Why the server refused mutations, by result id. */
  readonly results = new Map<string, MutationResult>();
  sync: SyncState | undefined;
  /** The server has reported that this person has lost access to the realm. */
  revoked = false;

  /** Applies changes and returns the kinds that they changed. */
  apply(changes: readonly KeyChange[]): ReadonlySet<SyncedKind> {
    const pending = eachKind<Pending>(() => []);
    const touched = new Set<SyncedKind>();
    for (const [key, value] of changes) {
      const kind = kindOfKey(key);
      if (kind === undefined) this.#control(key, value);
      else if (this.#collect(pending, kind, { key, value })) touched.add(kind);
    }
    for (const kind of touched) this.#applyKind(pending, kind);
    return touched;
  }

  #collect<K extends SyncedKind>(
    pending: Pending,
    kind: K,
    change: { key: string; value: unknown },
  ): boolean {
    const id = idOfKey(kind, change.key);
    if (change.value !== null && !isHead(kind, change.value)) return false;
    const row = change.value === null ? undefined : change.value;
    if (row === undefined && this.#livesElsewhere(pending[kind], kind, change.key)) return false;
    const before = this.lists[kind].byId.get(id);
    pending[kind].push({ id, row });
    this.#link(kind, id, row ?? before, row !== undefined);
    return true;
  }

  /**
   * When the server changes the date of a row, the row moves to a new key, and its arrival there may be reported before
   * its removal from the old key.
   */
  #livesElsewhere<K extends SyncedKind>(coming: readonly RowChange<K>[], kind: K, key: string): boolean {
    const id = idOfKey(kind, key);
    const row = (coming.findLast((change) => change.id === id) ?? { row: this.lists[kind].byId.get(id) }).row;
    return row !== undefined && keyOf(kind, row) !== key;
  }

  #applyKind<K extends SyncedKind>(pending: Pending, kind: K): void {
    this.lists[kind].apply(pending[kind]);
  }

  #link(kind: SyncedKind, id: string, row: object | undefined, present: boolean): void {
    const change = present ? 'add' : 'remove';
    if (kind === 'space_memory') {
      const [spaceId = '', memoryId = ''] = id.split('/');
      this.memoriesOfSpace[change](spaceId, memoryId);
      this.spacesOfMemory[change](memoryId, spaceId);
    }
    if (kind === 'message' && row !== undefined && 'threadId' in row && typeof row.threadId === 'string') {
      this.messagesOfThread[change](row.threadId, id);
    }
  }

  #control(key: string, value: unknown): void {
    if (key === SYNC_STATE_KEY) this.sync = isSyncState(value) ? value : undefined;
    if (key === ACCESS_KEY) {
      this.revoked =
        typeof value === 'object' && value !== null && 'revoked' in value && value.revoked === true;
    }
    if (!key.startsWith(RESULT_PREFIX)) return;
    if (isMutationResult(value)) this.results.set(key.slice(RESULT_PREFIX.length), value);
    else this.results.delete(key.slice(RESULT_PREFIX.length));
  }
}

/**
 * Which rows belong to which other row: links of a space, spaces of a memory, messages of a thread. Groups of ids; each
 * group is a set in order of arrival.
 */
class GroupIndex {
  readonly #groups = new Map<string, Set<string>>();

  /** The members of a group; an empty set when there are none. */
  of(group: string): ReadonlySet<string> {
    return this.#groups.get(group) ?? EMPTY;
  }

  add(group: string, member: string): void {
    const members = this.#groups.get(group);
    if (members) members.add(member);
    else this.#groups.set(group, new Set([member]));
  }

  remove(group: string, member: string): void {
    const members = this.#groups.get(group);
    if (!members?.delete(member)) return;
    if (members.size === 0) this.#groups.delete(group);
  }
}

const EMPTY: ReadonlySet<string> = new Set();
