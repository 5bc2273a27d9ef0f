// The shared transaction interface on plain Maps: what mutator tests run on, in milliseconds and without a database.
// Every row in it counts as readable by the actor.
import type { Head, SyncedKind } from '#shared/entities.ts';
import { isRepeatedInsert, type MutationContext, type RefusedPart, type Tx } from '#shared/define/mutator.ts';
import { oneByOne } from '#shared/define/one-by-one.ts';
import { AppError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { MUTATORS, type MutatorArgs, type MutatorName } from '#shared/mutators.ts';
import type { Position } from '#shared/permissions.ts';
import { byPlace } from '#shared/threads/message-order.ts';
import { entityIdOf } from '#shared/kinds.ts';

type Rows = { [K in SyncedKind]: Map<string, Head<K>> };

/** A store with the rows of one realm. */
export class MapTx implements Tx {
  readonly side = 'client';
  readonly #many = oneByOne(this);
  readonly getMany: Tx['getMany'] = this.#many.getMany;
  readonly insertMany: Tx['insertMany'] = this.#many.insertMany;
  readonly updateEach: Tx['updateEach'] = this.#many.updateEach;
  readonly removeMany: Tx['removeMany'] = this.#many.removeMany;
  readonly opened = new Map<string, string>();
  readonly acknowledged: string[] = [];
  readonly rows: Rows = {
    workspace: new Map(),
    workspace_member: new Map(),
    grant: new Map(),
    sidebar: new Map(),
    space: new Map(),
    thread: new Map(),
    memory: new Map(),
    space_memory: new Map(),
    notification: new Map(),
    message: new Map(),
  };

  async get<K extends SyncedKind>(kind: K, id: string): Promise<Head<K> | undefined> {
    return this.rows[kind].get(id);
  }

  async insert<K extends SyncedKind>(kind: K, row: Head<K>): Promise<boolean> {
    const id = entityIdOf(kind, row);
    const found: Head<K> | undefined = this.rows[kind].get(id);
    if (found === undefined) this.rows[kind].set(id, row);
    else if (!isRepeatedInsert(kind, found, row)) throw new AppError('conflict', 'This id is taken');
    return found === undefined;
  }

  async update<K extends SyncedKind>(kind: K, id: string, fields: Partial<Head<K>>): Promise<void> {
    const row = this.rows[kind].get(id);
    if (row === undefined) throw new AppError('not_found');
    this.rows[kind].set(id, { ...row, ...fields });
  }

  async remove(kind: SyncedKind, id: string): Promise<void> {
    this.rows[kind].delete(id);
  }

  async ownGrants(): Promise<readonly Head<'grant'>[]> {
    return [...this.rows.grant.values()];
  }

  async messagesUpTo(last: Head<'message'>): Promise<readonly Head<'message'>[]> {
    return [...this.rows.message.values()]
      .filter((row) => row.threadId === last.threadId && byPlace(row, last) <= 0)
      .sort(byPlace);
  }

  async openThread(threadId: string, at: string): Promise<void> {
    this.opened.set(threadId, at);
  }

  async acknowledge(resultId: string): Promise<void> {
    this.acknowledged.push(resultId);
  }
}

/** A context of a member of a workspace; `at` passes client times through, as on a replica. */
export function contextOf(position: Position, realmId: string = newId('workspace')): MutationContext {
  return { actor: { userId: newId('user'), position }, realmId, at: (time) => time, arrival: (time) => time };
}

/** Parses the arguments as both sides do and runs the mutation; the part that was refused, if the rest was applied. */
export async function run<N extends MutatorName>(
  tx: Tx,
  context: MutationContext,
  name: N,
  args: MutatorArgs<N>,
): Promise<RefusedPart | void> {
  const mutator: {
    args: { parse(value: unknown): unknown };
    run(tx: Tx, args: never, context: MutationContext): Promise<RefusedPart | void>;
  } = MUTATORS[name];
  const parsed: never = mutator.args.parse(args) as never;
  return mutator.run(tx, parsed, context);
}
