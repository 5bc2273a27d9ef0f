// The write-ahead journal of one open realm. Replicache writes to disk in idle moments, so each change is recorded here
// first, removed once the server has confirmed it, and replayed when the client that made it ended before that.
import type { MutatorDefs, PendingMutation, Replicache } from 'replicache';
import { AppError } from '#shared/errors.ts';
import type { Journal } from '#client/replica/worker/journal.ts';
import {
  isPlanned,
  PLANNED_FROM,
  recordKey,
  type JournalRecord,
  type MutationRef,
} from '#client/replica/worker/journal-records.ts';
import { holdClientLock, recover, type RecoveryOptions } from '#client/replica/worker/recovery.ts';
import { REPLAY, replayOf } from '#client/replica/worker/replayed.ts';

export interface MutationJournalOptions {
  journal: Journal;
  replicache: Replicache<MutatorDefs>;
  signal: AbortSignal;
  /** The change could not be written to the device and is in memory only. */
  onFailure(error: unknown): void;
  /** A change of an earlier client could not be replayed; resolves to true once it is stored in another way. */
  onLost(record: JournalRecord, error: unknown): Promise<boolean>;
}

/** Longest wait for Replicache to write what it has when a workspace is left. */
const SETTLE_MS = 3_000;
const SETTLE_STEP_MS = 50;
/** Interval at which the records of other clients are checked. */
const FOREIGN_STEP_MS = 200;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class MutationJournal {
  readonly #options: MutationJournalOptions;
  readonly #lock: Promise<void>;
  readonly #recovery: RecoveryOptions;
  #endRecovery: () => void = () => undefined;
  /** Resolves when the changes of earlier clients have been replayed; those of this client must come after them. */
  readonly recovered: Promise<void>;
  readonly #lockEnd = new AbortController();
  #newestId = 0;
  #planned = PLANNED_FROM;
  #confirmed = 0;

  constructor(options: MutationJournalOptions) {
    this.#options = options;
    const { replicache, journal, signal } = options;
    const { clientID, idbName: databaseName } = replicache;
    this.recovered = new Promise((resolve) => (this.#endRecovery = resolve));
    signal.addEventListener('abort', () => this.#endRecovery(), { once: true });
    this.#lock = holdClientLock({ databaseName, clientID, signal: this.#lockEnd.signal }).catch(
      (error: unknown) => {
        console.warn('replica: other tabs cannot see that this one is open', error);
      },
    );
    this.#recovery = {
      databaseName,
      journal,
      clientID,
      signal,
      awaited: new Set(),
      replay: (record) => this.#replay(record),
    };
  }

  /** Replays the changes that ended clients left in the journal. Never throws: on failure they stay in the journal. */
  async recover(): Promise<void> {
    try {
      await this.#lock;
      await recover(this.#recovery);
    } catch (error) {
      if (!this.#options.signal.aborted) this.#options.onFailure(error);
    } finally {
      this.#endRecovery();
    }
  }

  async #replay(record: JournalRecord): Promise<void> {
    const { replicache, journal, signal } = this.#options;
    const { clientID } = replicache;
    const again = replayOf(record);
    let id: unknown;
    try {
      id = await replicache.mutate[REPLAY]?.(again);
    } catch (error) {
      // When the queue is full or the page closes, the record stays for a later recovery.
      const isFinal = error instanceof AppError && error.code !== 'rate_limited';
      if (signal.aborted || !isFinal) throw error;
      if (await this.#options.onLost(record, error)) await journal.drop([record]);
      return;
    }
    if (typeof id !== 'number') return;
    this.#newestId = id;
    await journal.add([{ ...record, clientID, id, of: again.of }], record);
  }

  /**
   * Resolves when the change is on disk, instead of its plan when there was one, or once `onFailure` has been called. It takes
   * the time of its plan, so that it comes before those that were planned after it.
   */
  async record(change: { id: number; name: string; args: unknown }, planned?: JournalRecord): Promise<void> {
    const { journal, replicache } = this.#options;
    this.#newestId = change.id;
    const at = planned?.at ?? Date.now();
    await this.#try(() => journal.add([{ ...change, clientID: replicache.clientID, at }], planned));
  }

  /** Writes changes to disk that are about to be made, so that the end of the page does not end them. */
  async plan(changes: readonly { name: string; args: unknown }[]): Promise<JournalRecord[]> {
    const { journal, replicache } = this.#options;
    const { clientID } = replicache;
    const at = Date.now();
    const records = changes.map(({ name, args }) => ({ clientID, id: (this.#planned += 1), name, args, at }));
    await this.#try(() => journal.add(records));
    return records;
  }

  /** The changes of this client that are still to be made. */
  async planned(): Promise<JournalRecord[]> {
    const { clientID } = this.#options.replicache;
    return (await this.#records()).filter((record) => record.clientID === clientID && isPlanned(record));
  }

  /** Removes the plans of changes that will not be made. */
  async cancel(planned: readonly JournalRecord[]): Promise<void> {
    await this.#try(() => this.#options.journal.drop(planned));
  }

  async #try(act: () => Promise<unknown>): Promise<void> {
    try {
      await this.#lock;
      await act();
    } catch (error) {
      if (!this.#options.signal.aborted) this.#options.onFailure(error);
    }
  }

  /** Id of the newest mutation of this client. */
  get newestId(): number {
    return this.#newestId;
  }

  /**
   * Removes the records that the server has confirmed: those up to `newestId` that are not in `pending`.
   * `newestId` must have been read before `pending`.
   */
  confirmBefore(newestId: number, pending: readonly PendingMutation[]): void {
    const { journal, replicache, signal } = this.#options;
    const { clientID } = replicache;
    const first = pending.find((mutation) => mutation.clientID === clientID);
    const id = first ? first.id - 1 : newestId;
    if (id <= this.#confirmed) return;
    this.#confirmed = id;
    journal.confirm({ clientID, id }).catch((error: unknown) => {
      // A leftover record is harmless: the server ignores a mutation that it has already applied.
      if (!signal.aborted) console.info('replica: a confirmed change stays in the journal', error);
    });
  }

  /** Waits until no record of this client is left, for at most SETTLE_MS. */
  async settled(): Promise<void> {
    const end = Date.now() + SETTLE_MS;
    while (this.#newestId > this.#confirmed && Date.now() < end && (await this.#isHolding())) {
      await pause(SETTLE_STEP_MS);
    }
  }

  async #isHolding(): Promise<boolean> {
    return (await this.#own()).length > 0;
  }

  /**
   * Resolves when the journal holds no change of another client, such as a page that is still closing: each one was
   * replayed here, written by Replicache or confirmed by the server.
   */
  async untilForeignSettled(): Promise<void> {
    const { replicache, signal } = this.#options;
    const isForeign = ({ clientID }: JournalRecord) => clientID !== replicache.clientID;
    while (!signal.aborted && (await this.#records()).some(isForeign)) await pause(FOREIGN_STEP_MS);
  }

  async #own(): Promise<MutationRef[]> {
    return (await this.#records()).filter(({ clientID }) => clientID === this.#options.replicache.clientID);
  }

  async #records(): Promise<JournalRecord[]> {
    try {
      return (await this.#options.journal.read()).records;
    } catch (error) {
      console.info('replica: the journal cannot be read', error);
      return [];
    }
  }

  /** Those of the changes that the log does not hold. */
  async unlogged<M extends MutationRef>(changes: readonly M[]): Promise<M[]> {
    const logged = new Set((await this.#options.journal.logged()).map(recordKey));
    return changes.filter((change) => !logged.has(recordKey(change)));
  }

  /** Removes the records of changes that were transferred in another way. */
  async drop(changes: readonly MutationRef[]): Promise<void> {
    await this.#options.journal.drop(changes);
  }

  /** Removes the records of this client except the plans, after its changes were transferred in another way. */
  async clear(): Promise<void> {
    await this.#options.journal.drop((await this.#own()).filter((ref) => !isPlanned(ref)));
  }

  async close(): Promise<void> {
    this.#lockEnd.abort();
    await this.#options.journal.close();
  }
}
