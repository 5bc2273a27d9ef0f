// The drift alarm (SYNC 5.15): once a day, and after it had to heal, a replica that is complete and has nothing to send
// is compared with the server by a short sum. One that differs says so and is loaded anew. Knows no rows, only sums.
import type { Replicache, ReadonlyJSONValue } from 'replicache';
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
  /** Where the time of the last comparison is kept for other tabs and later pages; undefined where nothing may be kept. */
  journal: Pick<Journal, 'checkedAt' | 'noteCheck'> | undefined;
  rhythm: CheckRhythm;
  signal: AbortSignal;
  /** What the server says; undefined when it did not answer. */
  ask(request: CheckRequest): Promise<CheckState | undefined>;
  /** The replica was found to differ, or what came of that. */
  onDrift(state: Drift['state']): void;
}

/** A comparison that came to nothing is tried again after this share of the whole time. */
const RETRY_SHARE = 1 / 24;
/** Rows that are summed up before others get their turn. */
const SLICE = 250;

type Entry = readonly [key: string, value: ReadonlyJSONValue];

async function digestOf(entries: readonly Entry[]): Promise<RowDigest> {
  const sum = new DigestSum();
  for (const [index, [key, value]] of entries.entries()) {
    if (index % SLICE === SLICE - 1) await new Promise((resolve) => setTimeout(resolve, 0));
    if (kindOfKey(key) !== undefined) sum.add(key, value);
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
  /** wanted: the next pull asks for everything; answered: it did; done: the answer is here and is looked at once more. */
  #healing: 'no' | 'wanted' | 'answered' | 'done' = 'no';

  constructor(options: DriftCheckOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => clearTimeout(this.#timer), { once: true });
  }

  /** The replica has moved; it is looked at when it has been still for a while. */
  moved(): void {
    const { signal, rhythm } = this.#options;
    clearTimeout(this.#timer);
    if (!signal.aborted) this.#timer = setTimeout(() => void this.#run(), rhythm.quietMs);
  }

  /** Whether the next pull must ask for everything. */
  get wantsAll(): boolean {
    return this.#healing === 'wanted';
  }

  /** The server has answered a pull that asked for everything; after one more, that answer is part of the replica. */
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

  /** A replica that differs is loaded anew, but not twice in a row: what did not help once is left to the next day. */
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
    // What fails is asked for again with every later pull.
    if (mustHeal) replicache.pull({ now: true }).catch(() => undefined);
  }

  async #isDue(): Promise<boolean> {
    const { journal, rhythm } = this.#options;
    if (this.#healing === 'done') return true;
    if (Date.now() < this.#notBefore) return false;
    // Another tab may have done it meanwhile.
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
    await this.#options.journal?.noteCheck(this.#last);
  }

  /** Only a complete replica without own changes can be compared; the server looks whether it is at the same version. */
  async #compare(): Promise<CheckState | undefined> {
    const { replicache, ask } = this.#options;
    const waits = async () => (await replicache.experimentalPendingMutations()).length > 0;
    if (await waits()) return undefined;
    const entries = await replicache.query((tx) => tx.scan().entries().toArray());
    const state = syncState.safeParse(entries.find(([key]) => key === SYNC_STATE_KEY)?.[1]).data;
    if (state?.done !== true) return undefined;
    const digest = await digestOf(entries);
    // A change that was made meanwhile may be among the rows; if it was sent already, the version tells.
    const size = await storageReport();
    return (await waits()) ? undefined : ask({ v: state.v, ...digest, ...size });
  }
}
