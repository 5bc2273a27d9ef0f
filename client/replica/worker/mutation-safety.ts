// Keeps the changes of one open realm safe between the moment they are made and the moment Replicache has them on the
// device: notes them, forgets what the server confirmed, and brings back what earlier clients of the realm left.
import type { MutatorDefs, PendingMutation, Replicache } from 'replicache';
import { AppError } from '#shared/errors.ts';
import type { Journal } from '#client/replica/worker/journal.ts';
import type { JournalRecord, MutationRef } from '#client/replica/worker/journal-records.ts';
import { holdLife, recover, type RecoveryOptions } from '#client/replica/worker/recovery.ts';
import { REPLAY, replayOf } from '#client/replica/worker/replayed.ts';

/** What the realm gives. */
export interface SafetyOptions {
  journal: Journal;
  replicache: Replicache<MutatorDefs>;
  signal: AbortSignal;
  /** The device took no note; the change is in memory only. */
  onFailure(error: unknown): void;
  /** A change of an earlier client that cannot be made any more. */
  onLost(record: JournalRecord, error: unknown): void;
}

/** Longest wait for Replicache to write what it has when a workspace is left. */
const SETTLE_MS = 3_000;
const SETTLE_STEP_MS = 50;
/** How often is looked whether other clients still have something noted. */
const FOREIGN_STEP_MS = 200;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The journal of one open realm. */
export class MutationSafety {
  readonly #options: SafetyOptions;
  readonly #life: Promise<void>;
  readonly #recovery: RecoveryOptions;
  #endRecovery: () => void = () => undefined;
  /** Settles when what earlier clients left has been looked at; changes of this client come after it. */
  readonly recovered: Promise<void>;
  readonly #lifeEnd = new AbortController();
  #noted = 0;
  #confirmed = 0;

  constructor(options: SafetyOptions) {
    this.#options = options;
    const { replicache, journal, signal } = options;
    const { clientID, idbName: databaseName } = replicache;
    this.recovered = new Promise((resolve) => (this.#endRecovery = resolve));
    signal.addEventListener('abort', () => this.#endRecovery(), { once: true });
    this.#life = holdLife({ databaseName, clientID, signal: this.#lifeEnd.signal }).catch(
      (error: unknown) => {
        console.warn('replica: other tabs cannot see that this one lives', error);
      },
    );
    this.#recovery = {
      ...{ databaseName, journal, clientID, signal, awaited: new Set() },
      replay: (record) => this.#replay(record),
    };
  }

  /** Makes the changes again that ended clients had not on the device. Never fails: what is there stays there. */
  async recover(): Promise<void> {
    try {
      await this.#life;
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
      // A full queue or a closing page leaves the record for a better time.
      const isFinal = error instanceof AppError && error.code !== 'rate_limited';
      if (signal.aborted || !isFinal) throw error;
      this.#options.onLost(record, error);
      return journal.drop([record]);
    }
    if (typeof id !== 'number') return;
    this.#noted = id;
    await journal.add({ ...record, clientID, id, of: again.of }, record);
  }

  /** Resolves when the change is on disk, or when the device refused it and that was told. */
  async note(change: { id: number; name: string; args: unknown }): Promise<void> {
    const { journal, replicache, onFailure } = this.#options;
    this.#noted = change.id;
    try {
      await this.#life;
      await journal.add({ ...change, clientID: replicache.clientID, at: Date.now() });
    } catch (error) {
      if (!this.#options.signal.aborted) onFailure(error);
    }
  }

  /** Id of the newest change that was made here. */
  get noted(): number {
    return this.#noted;
  }

  /** Forgets changes up to `noted` that are not among those that waited after it was read: the server has them. */
  confirmBefore(noted: number, pending: readonly PendingMutation[]): void {
    const { journal, replicache, signal } = this.#options;
    const { clientID } = replicache;
    const first = pending.find((mutation) => mutation.clientID === clientID);
    const id = first ? first.id - 1 : noted;
    if (id <= this.#confirmed) return;
    this.#confirmed = id;
    journal.confirm({ clientID, id }).catch((error: unknown) => {
      // A record too many is harmless: the server knows that it has been taken.
      if (!signal.aborted) console.info('replica: a confirmed change stays noted', error);
    });
  }

  /** Waits until nothing of this client is left in the journal. */
  async settled(): Promise<void> {
    const end = Date.now() + SETTLE_MS;
    while (this.#noted > this.#confirmed && Date.now() < end && (await this.#isHolding())) {
      await pause(SETTLE_STEP_MS);
    }
  }

  async #isHolding(): Promise<boolean> {
    return (await this.#own()).length > 0;
  }

  /**
   * Resolves when no change of another client is noted any more, as those of a page that is still ending: it was made
   * again here, Replicache has it, or the server.
   */
  async untilNoForeign(): Promise<void> {
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

  /** Forgets everything of this client, when it was handed on in another way. */
  async clear(): Promise<void> {
    await this.#options.journal.drop(await this.#own());
  }

  async close(): Promise<void> {
    this.#lifeEnd.abort();
    await this.#options.journal.close();
  }
}
