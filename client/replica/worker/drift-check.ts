// The drift alarm: once a day, and after each repair, a replica that is complete and has nothing to send is compared
// with the server by a short digest. A replica that differs is reported and reloaded.
import type { Replicache, ReadonlyJSONValue } from 'replicache';
import { withDefaults } from '#shared/entities.ts';
import { DigestSum, type RowDigest } from '#shared/sync/digest.ts';
import { kindOfKey, SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import { syncState, type CheckRequest, type CheckState } from '#shared/sync/protocol.ts';
import type { Drift } from '#client/replica/status.ts';
import { storageReport } from '#client/replica/worker/device-report.ts';
import type { Journal } from '#client/replica/worker/journal.ts';

/** How often a replica is compared, and how long it must have been still before. */
export interface CheckRhythm {
  everyMs: number;
  quietMs: number;
}

export interface DriftCheckOptions {
  replicache: Pick<Replicache, 'query' | 'pull' | 'experimentalPendingMutations'>;
  /**
   * Where the time of the last comparison is stored for other tabs and later pages; undefined when nothing may be
   * stored.
   */
  journal: Pick<Journal, 'checkedAt' | 'recordCheck'> | undefined;
  rhythm: CheckRhythm;
  signal: AbortSignal;
  /** The server's result; undefined when there was no response. */
  ask(request: CheckRequest): Promise<CheckState | undefined>;
  /** A difference was detected, or its outcome is known. */
  onDrift(state: Drift['state']): void;
}

/** An inconclusive comparison is repeated after this share of the interval. */
const RETRY_SHARE = 1 / 24;
/** Rows that are summed up before others get their turn. */
const SLICE = 250;

type Entry = readonly [key: string, value: ReadonlyJSONValue];

async function digestOf(entries: readonly Entry[]): Promise<RowDigest> {
  const sum = new DigestSum();
  for (const [index, [key, value]] of entries.entries()) {
    if (index % SLICE === SLICE - 1) await new Promise((resolve) => setTimeout(resolve, 0));
    const kind = kindOfKey(key);
    // The server's rows have every field; ours may be older than one.
    if (kind !== undefined && value !== null && typeof value === 'object')
      sum.add(key, withDefaults(kind, value));
  }
  return sum.digest;
}

/** Watches over one replica. */
export class DriftCheck {
  readonly #options: DriftCheckOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRunning = false;
  #last: number | undefined;
  #notBefore = 0;
  /**
   * wanted: the next pull requests everything; answered: it has; done: the rows are applied and are compared once more.
   */
  #healing: 'no' | 'wanted' | 'answered' | 'done' = 'no';

  constructor(options: DriftCheckOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => clearTimeout(this.#timer), { once: true });
  }

  /** The replica has changed; it is compared once it has been quiet for a while. */
  moved(): void {
    const { signal, rhythm } = this.#options;
    clearTimeout(this.#timer);
    if (!signal.aborted) this.#timer = setTimeout(() => void this.#run(), rhythm.quietMs);
  }

  /** Whether the next pull must request everything. */
  get wantsAll(): boolean {
    return this.#healing === 'wanted';
  }

  /**
   * The server has responded to a pull for everything; once the next pull is done, the rows are part of the replica.
   */
  startedOver(): void {
    this.#healing = 'answered';
    this.#options.replicache
      .pull({ now: true })
      .catch(() => undefined)
      .finally(() => {
        this.#healing = 'done';
        this.moved();
      });
  }

  async #run(): Promise<void> {
    const { signal, rhythm } = this.#options;
    const isLoading = this.#healing === 'wanted' || this.#healing === 'answered';
    if (this.#isRunning || isLoading || signal.aborted) return;
    this.#isRunning = true;
    try {
      if (!(await this.#isDue())) return;
      const state = await this.#compare();
      if (signal.aborted) return;
      if (state !== 'same' && state !== 'different') {
        this.#notBefore = Date.now() + rhythm.everyMs * RETRY_SHARE;
        return;
      }
      await this.#note();
      this.#conclude(state);
    } catch (error) {
      // The alarm must not stop what it watches; it is raised again with the next change.
      if (!signal.aborted) console.warn('replica: it could not be compared with the server', error);
    } finally {
      this.#isRunning = false;
    }
  }

  /**
   * Reloads a replica that differs, but not twice in a row: if the reload did not help, the next attempt is a day
   * later.
   */
  #conclude(state: 'same' | 'different'): void {
    const { replicache, onDrift } = this.#options;
    const wasLoadedAnew = this.#healing === 'done';
    const mustHeal = state === 'different' && !wasLoadedAnew;
    this.#healing = mustHeal ? 'wanted' : 'no';
    if (state === 'same') {
      if (wasLoadedAnew) onDrift('healed');
      return;
    }
    console.error(
      `replica: the device differs from the server${mustHeal ? ', it is loaded anew' : ' after it was loaded anew'}`,
    );
    onDrift(mustHeal ? 'healing' : 'differs');
    // On failure every later pull requests everything again.
    if (mustHeal) replicache.pull({ now: true }).catch(() => undefined);
  }

  async #isDue(): Promise<boolean> {
    const { journal, rhythm } = this.#options;
    if (this.#healing === 'done') return true;
    if (Date.now() < this.#notBefore) return false;
    // Another tab may have compared since.
    if (journal) this.#last = await journal.checkedAt();
    if (this.#last === undefined) {
      // It was loaded just now; the first comparison is a day later.
      await this.#note();
      return false;
    }
    return Date.now() - this.#last >= rhythm.everyMs;
  }

  async #note(): Promise<void> {
    this.#last = Date.now();
    await this.#options.journal?.recordCheck(this.#last);
  }

  /**
   * Only a complete replica without changes of its own can be compared; the server checks that the versions are equal.
   */
  async #compare(): Promise<CheckState | undefined> {
    const { replicache, ask } = this.#options;
    const waits = async () => (await replicache.experimentalPendingMutations()).length > 0;
    if (await waits()) return undefined;
    const entries = await replicache.query((tx) => tx.scan().entries().toArray());
    const state = syncState.safeParse(entries.find(([key]) => key === SYNC_STATE_KEY)?.[1]).data;
    if (state?.done !== true) return undefined;
    const digest = await digestOf(entries);
    // A change made since may be among the rows; if it has been sent already, the version shows that.
    const size = await storageReport();
    return (await waits()) ? undefined : ask({ v: state.v, ...digest, ...size });
  }
}
