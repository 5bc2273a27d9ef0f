// How a mutation is declared, and the storage interface it runs on. The same function runs on the replica at once
// and on the server in a transaction; it must be idempotent, because a confirmed mutation can replay over its effect.
import type { z } from 'zod';
import type { Head, SyncedKind } from '../entities.ts';
import { isId, type Id } from '../ids.ts';
import { AppError } from '../errors.ts';
import type { Actor } from '../permissions.ts';

/** Storage bound to one actor and one realm: a row that the actor may not read does not exist. */
export interface Tx {
  readonly side: 'client' | 'server';
  /** The row, deleted ones included; undefined when unknown or not readable. */
  get<K extends SyncedKind>(kind: K, id: string): Promise<Head<K> | undefined>;
  /**
   * Adds a row and returns true. False when the row is there already because the mutation is repeated: the mutator must then
   * return, since its first run did the rest. @throws conflict when the id belongs to another row
   */
  insert<K extends SyncedKind>(kind: K, row: Head<K>): Promise<boolean>;
  /** Sets these fields of an existing row. */
  update<K extends SyncedKind>(kind: K, id: string, fields: Partial<Head<K>>): Promise<void>;
  /** Deletes the row permanently; does nothing when it does not exist. */
  remove(kind: SyncedKind, id: string): Promise<void>;
  /** Like `get` for several ids, without the fields that only the server has. */
  getMany<K extends SyncedKind>(kind: K, ids: readonly string[]): Promise<ReadonlyMap<string, Head<K>>>;
  /** Adds several rows as `insert` does and returns the ids of the new ones. @throws conflict */
  insertMany<K extends SyncedKind>(kind: K, rows: readonly Head<K>[]): Promise<ReadonlySet<string>>;
  /** Sets fields of several existing rows, of each its own. */
  updateEach<K extends SyncedKind>(kind: K, changes: ReadonlyMap<string, Partial<Head<K>>>): Promise<void>;
  /** Removes several rows as `remove` does. */
  removeMany(kind: SyncedKind, ids: readonly string[]): Promise<void>;
  /** All grants in which the actor may be named; `levelOn` says which of them count. */
  ownGrants(): Promise<readonly Head<'grant'>[]>;
  /**
   * What a thread says up to a message of it, oldest first and without earlier versions; a device may lack the first ones.
   * @throws conflict for more than THREADS.branchMax
   */
  messagesUpTo(last: Head<'message'>): Promise<readonly Head<'message'>[]>;
  /** Syncs the messages of a thread to this user's replicas. */
  openThread(threadId: string, at: string): Promise<void>;
  /** Forgets the result of a rejected mutation, `<clientID>/<mutationID>`, once its author has seen it. */
  acknowledge(resultId: string): Promise<void>;
}

/**
 * Whether a row that was found under an id can come from an earlier run of the mutation that would add `row`. Clients choose
 * ids, so the id alone is no proof: the same person must have created the row and still own it. For kinds without an author,
 * such as members, the id is sufficient, as for links and grants, which several people may create.
 */
export function isRepeatedInsert<K extends SyncedKind>(kind: K, found: Head<K>, row: Head<K>): boolean {
  if (kind === 'space_memory' || kind === 'grant') return true;
  const same = (field: 'createdBy' | 'ownerId') =>
    new Map<string, unknown>(Object.entries(found)).get(field) ===
    new Map<string, unknown>(Object.entries(row)).get(field);
  return same('createdBy') && same('ownerId');
}

export interface MutationContext {
  /** Person who acts, with the position in the realm's workspace (guest in an account realm). */
  actor: Actor;
  /** Workspace id, or user id in an account realm. */
  realmId: string;
  /** Time to store for an event at the client's time: that time, on the server never in the future. */
  at(clientTime: string): string;
  /**
   * When the server processes the mutation, which decides deadlines and the last change; on a device its own time, until the
   * server's replaces it. A device may have been away for a month, and its clock may be wrong.
   */
  arrival(clientTime: string): string;
}

/** The part of a mutation that was refused while the rest was applied. */
export interface RefusedPart {
  /** The arguments of a mutation that would be this part alone. */
  args: object;
  error: AppError;
}

export interface MutatorConfig<S extends z.ZodType> {
  /** Kind of realm whose rows it writes. */
  realm: 'workspace' | 'account' | 'any';
  args: S;
  /** @throws AppError with a code of the table; a mutation that throws is rolled back. */
  run(tx: Tx, args: z.output<S>, context: MutationContext): Promise<RefusedPart | void>;
}

/** Declares a mutation; names and argument shapes are a public interface, a changed shape needs a new name. */
export function defineMutator<S extends z.ZodType>(config: MutatorConfig<S>): MutatorConfig<S> {
  return config;
}

/** The workspace whose realm is written. @throws not_found in an account realm */
export function workspaceOf(context: MutationContext): Id<'workspace'> {
  if (!isId('workspace', context.realmId)) throw new AppError('not_found', 'Workspace not found');
  return context.realmId;
}
