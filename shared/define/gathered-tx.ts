// Runs the same work for many rows at the cost of one. Concurrent reads of the parts are combined, and their writes are held
// back until all have ended and then written together. A part that throws writes nothing.
import type { Head, SyncedKind } from '../entities.ts';
import { AppError } from '../errors.ts';
import { entityIdOf } from '../kinds.ts';
import { isRepeatedInsert, type Tx } from './mutator.ts';
import { oneByOne } from './one-by-one.ts';

/** Rows of one kind, each read once. */
class GatheredRows<K extends SyncedKind> {
  readonly #tx: Tx;
  readonly #kind: K;
  readonly #rows = new Map<string, Promise<Head<K> | undefined>>();
  #next: { ids: string[]; rows: Promise<ReadonlyMap<string, Head<K>>> } | undefined;

  constructor(tx: Tx, kind: K) {
    this.#tx = tx;
    this.#kind = kind;
  }

  get(id: string): Promise<Head<K> | undefined> {
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    this.#next ??= this.#gather();
    this.#next.ids.push(id);
    const row = this.#next.rows.then((rows) => rows.get(id));
    this.#rows.set(id, row);
    return row;
  }

  /** The read begins when every part that runs now has named its row. */
  #gather() {
    const ids: string[] = [];
    const rows = Promise.resolve().then(() => {
      this.#next = undefined;
      return this.#tx.getMany(this.#kind, ids);
    });
    return { ids, rows };
  }
}

class GatheredReads {
  readonly tx: Tx;
  readonly #kinds = new Map<SyncedKind, unknown>();
  #grants: Promise<readonly Head<'grant'>[]> | undefined;

  constructor(tx: Tx) {
    this.tx = tx;
  }

  get<K extends SyncedKind>(kind: K, id: string): Promise<Head<K> | undefined> {
    // The value of each kind is its own type of rows, which a Map cannot express.
    const known = this.#kinds.get(kind) as GatheredRows<K> | undefined;
    const rows = known ?? new GatheredRows(this.tx, kind);
    if (known === undefined) this.#kinds.set(kind, rows);
    return rows.get(id);
  }

  ownGrants(): Promise<readonly Head<'grant'>[]> {
    this.#grants ??= this.tx.ownGrants();
    return this.#grants;
  }
}

interface Staged<K extends SyncedKind> {
  kind: K;
  id: string;
  isRemoved: boolean;
  added?: Head<K>;
  fields?: Partial<Head<K>>;
}

/** The storage of one part: the rows of all, and its own writes over them. */
class PartTx implements Tx {
  readonly side;
  readonly #reads: GatheredReads;
  readonly #staged = new Map<string, Staged<SyncedKind>>();
  readonly #many = oneByOne(this);
  readonly getMany: Tx['getMany'] = this.#many.getMany;
  readonly insertMany: Tx['insertMany'] = this.#many.insertMany;
  readonly updateEach: Tx['updateEach'] = this.#many.updateEach;
  readonly removeMany: Tx['removeMany'] = this.#many.removeMany;

  constructor(reads: GatheredReads) {
    this.side = reads.tx.side;
    this.#reads = reads;
  }

  get staged(): readonly Staged<SyncedKind>[] {
    return [...this.#staged.values()];
  }

  #stagedOf<K extends SyncedKind>(kind: K, id: string): Staged<K> | undefined {
    // The key names the kind.
    return this.#staged.get(`${kind} ${id}`) as Staged<K> | undefined;
  }

  #stage<K extends SyncedKind>(staged: Staged<K>): void {
    this.#staged.set(`${staged.kind} ${staged.id}`, staged);
  }

  async get<K extends SyncedKind>(kind: K, id: string): Promise<Head<K> | undefined> {
    const staged = this.#stagedOf(kind, id);
    if (staged?.added !== undefined || staged?.isRemoved) return staged.added;
    const row = await this.#reads.get(kind, id);
    return row === undefined || staged?.fields === undefined ? row : { ...row, ...staged.fields };
  }

  async insert<K extends SyncedKind>(kind: K, row: Head<K>): Promise<boolean> {
    const id = entityIdOf(kind, row);
    const found = await this.get(kind, id);
    if (found === undefined) {
      this.#stage({ kind, id, isRemoved: this.#stagedOf(kind, id)?.isRemoved ?? false, added: row });
      return true;
    }
    if (isRepeatedInsert(kind, found, row)) return false;
    throw new AppError('conflict', 'This id is taken');
  }

  async update<K extends SyncedKind>(kind: K, id: string, fields: Partial<Head<K>>): Promise<void> {
    const staged = this.#stagedOf(kind, id) ?? { kind, id, isRemoved: false };
    if (staged.added !== undefined) this.#stage({ ...staged, added: { ...staged.added, ...fields } });
    else if (!staged.isRemoved) this.#stage({ ...staged, fields: { ...staged.fields, ...fields } });
  }

  async remove(kind: SyncedKind, id: string): Promise<void> {
    this.#stage({ kind, id, isRemoved: true });
  }

  ownGrants(): Promise<readonly Head<'grant'>[]> {
    return this.#reads.ownGrants();
  }

  messagesUpTo(last: Head<'message'>): Promise<readonly Head<'message'>[]> {
    return this.#reads.tx.messagesUpTo(last);
  }

  openThread(threadId: string, at: string): Promise<void> {
    return this.#reads.tx.openThread(threadId, at);
  }

  acknowledge(resultId: string): Promise<void> {
    return this.#reads.tx.acknowledge(resultId);
  }
}

/** Writes what the parts made: removals first, because a row may replace another. */
async function writeStaged(tx: Tx, staged: readonly Staged<SyncedKind>[]): Promise<void> {
  const kinds = [...new Set(staged.map(({ kind }) => kind))];
  const ofKind = (kind: SyncedKind) => staged.filter((one) => one.kind === kind);
  for (const kind of kinds) {
    const removed = ofKind(kind).flatMap(({ id, isRemoved }) => (isRemoved ? [id] : []));
    if (removed.length > 0) await tx.removeMany(kind, removed);
  }
  for (const kind of kinds) {
    const changed = ofKind(kind).flatMap(({ id, fields }) => (fields ? [[id, fields] as const] : []));
    if (changed.length > 0) await tx.updateEach(kind, new Map(changed));
  }
  for (const kind of kinds) {
    const added = ofKind(kind).flatMap((one) => (one.added ? [one.added] : []));
    if (added.length > 0) await tx.insertMany(kind, added);
  }
}

/** Ids for which the work was refused, with the reasons. */
export type Refusals<I extends string> = readonly (readonly [id: I, error: AppError])[];

/**
 * Runs `part` for each id, all at the same time, so that no part may depend on what another writes. Returns the ids whose part
 * threw an AppError. @throws any other error of a part; then nothing is written
 */
export async function runGathered<I extends string>(
  tx: Tx,
  ids: readonly I[],
  part: (tx: Tx, id: I) => Promise<unknown>,
): Promise<Refusals<I>> {
  const reads = new GatheredReads(tx);
  const outcomes = await Promise.allSettled(
    ids.map(async (id) => {
      const own = new PartTx(reads);
      try {
        await part(own, id);
        return { staged: own.staged };
      } catch (error) {
        if (error instanceof AppError) return { refused: [id, error] as const };
        throw error;
      }
    }),
  );
  const done = outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
  await writeStaged(
    tx,
    done.flatMap(({ staged = [] }) => staged),
  );
  return done.flatMap(({ refused }) => (refused ? [refused] : []));
}
