// One realm of one person in Replicache: opens it, feeds the page, pushes and pulls, and reports facts. This file and
// its neighbours in worker/ are the only ones that know Replicache.
import { Replicache, type KVStoreProvider, type MutatorDefs, type PendingMutation } from 'replicache';
import { SYNC } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { idOfKey, kindOfKey, SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import { syncState } from '#shared/sync/protocol.ts';
import type { KeyChange } from '#client/replica/mirror.ts';
import { INITIAL_FACTS, type Problem, type RealmFacts, type StorageState } from '#client/replica/status.ts';
import { userKey } from '#client/replica/user-key.ts';
import type { FromWorker, WorkerSession } from '#client/replica/wire.ts';
import { pendingReport } from '#client/replica/worker/device-report.ts';
import { DriftCheck, type CheckRhythm } from '#client/replica/worker/drift-check.ts';
import type { KeyMap } from '#client/replica/worker/client-tx.ts';
import type { OpenJournal } from '#client/replica/worker/journal.ts';
import type { JournalRecord } from '#client/replica/worker/journal-records.ts';
import { watchInOrder } from '#client/replica/worker/diff-order.ts';
import { firstScreen } from '#client/replica/worker/first-screen.ts';
import { adoptOlderJournals, type ReplicaSchema } from '#client/replica/worker/older-journals.ts';
import { MutationSafety } from '#client/replica/worker/mutation-safety.ts';
import { lostLines, waitingLines } from '#client/replica/worker/pending-lines.ts';
import type { Pace } from '#client/replica/worker/pace.ts';
import { failureOf, replicaMutators } from '#client/replica/worker/replica-mutators.ts';
import { unwrapReplay } from '#client/replica/worker/replayed.ts';
import { RowFeed } from '#client/replica/worker/row-feed.ts';
import { storageSign, storageWatch } from '#client/replica/worker/storage-watch.ts';
import {
  askForCheck,
  createPuller,
  createPusher,
  type SyncHooks,
} from '#client/replica/worker/sync-server.ts';

/** What a realm gets from the worker that holds it. */
export interface RealmOptions {
  session: WorkerSession & { userId: Id<'user'> };
  realmId: string;
  post(message: FromWorker): void;
  fetch: typeof fetch;
  /** Shared by everything that asks this server. */
  pace: Pace;
  kvStore: 'mem' | KVStoreProvider;
  /** Schema of the replica; another one is another database. */
  schema: ReplicaSchema;
  /** Where changes are noted until Replicache has written them; undefined where nothing may be kept. */
  openJournal: OpenJournal | undefined;
  /** How often the replica is compared with the server. */
  check: CheckRhythm;
  /** What is known of the device's storage before the realm opens. */
  storage: StorageState;
  /** The server forgot this client; the realm must be opened anew once its changes are safe. */
  onForgotten(): void;
  /** The database could not be opened. */
  onUnusable(state: StorageState): void;
}

const PENDING_SHOWN = 100;
const FACTS_DELAY_MS = 30;

/** Name of the realm's database; the user id is hashed, because names outlive a logout in the browser's own lists. */
export function replicaName(userId: string, realmId: string): string {
  return `${userKey(userId)}:${realmId}`;
}

/** A realm that is open in this worker. */
export class Realm {
  readonly #options: RealmOptions;
  readonly #replicache: Replicache<MutatorDefs>;
  readonly #keys: KeyMap = new Map();
  readonly #feed: RowFeed;
  readonly #end = new AbortController();
  readonly #adoptOlder: (() => Promise<void>) | undefined;
  readonly #safety: MutationSafety | undefined;
  readonly #drift: DriftCheck;
  #facts: RealmFacts = INITIAL_FACTS;
  #factsTimer: ReturnType<typeof setTimeout> | undefined;
  #watchdog: ReturnType<typeof setTimeout> | undefined;
  #version = -1;
  #isForgotten = false;
  #hasOpened = false;
  /** Changes made in this page since the realm was opened. */
  #made = 0;

  constructor(options: RealmOptions) {
    this.#options = options;
    const { session, realmId, post } = options;
    this.#facts = { ...this.#facts, storage: options.storage };
    this.#feed = new RowFeed((changes, bulk) => post({ type: 'rows', realmId, changes, bulk }));
    const server = {
      realmId,
      apiBase: session.apiBase,
      token: () => session.token,
      fetch: options.fetch,
      signal: this.#end.signal,
      pace: options.pace,
      hooks: this.#hooks(),
      anew: () => this.#drift,
      report: () => pendingReport(() => this.pending()),
    };
    this.#replicache = new Replicache({
      // Another name in memory: an instance that failed to open holds on to its own.
      name: replicaName(session.userId, realmId) + (options.kvStore === 'mem' ? ':memory' : ''),
      schemaVersion: options.schema.version,
      clientMaxAgeMs: SYNC.clientMaxAgeMs,
      pullInterval: SYNC.pullIntervalMs,
      indexes: {},
      kvStore: options.kvStore,
      puller: createPuller(server),
      pusher: createPusher(server),
      logLevel: 'info',
      logSinks: [storageWatch((storage) => this.#setFacts({ storage }))],
      mutators: replicaMutators({
        userId: session.userId,
        realmId,
        keys: this.#keys,
        pendingCount: () => this.#facts.pendingCount,
        onReplayFailure: (name, error) => console.info(`replica: ${name} no longer applies:`, String(error)),
      }),
    });
    const { openJournal, schema } = options;
    const journal = options.kvStore === 'mem' ? undefined : openJournal?.(this.databaseName);
    this.#drift = new DriftCheck({
      replicache: this.#replicache,
      journal,
      rhythm: options.check,
      signal: this.#end.signal,
      ask: (request) => askForCheck(server, request),
      onDrift: (state) => this.#setFacts({ drift: { state, at: Date.now() } }),
    });
    if (openJournal && journal) {
      this.#adoptOlder = () =>
        adoptOlderJournals({ databaseName: this.databaseName, schema, journal, openJournal });
      this.#safety = new MutationSafety({
        journal,
        replicache: this.#replicache,
        signal: this.#end.signal,
        onFailure: (error) => this.storageFailed(storageSign([error]) ?? 'memory'),
        onLost: (record, error) => this.#lose(record, error),
      });
    }
    this.#replicache.onClientStateNotFound = () => void this.#forgotten();
    this.#replicache.onUpdateNeeded = () => this.#setFacts({ updateNeeded: true });
    void this.#start();
  }

  async #start(): Promise<void> {
    try {
      this.#feed.pushFirst(await this.#replicache.query(firstScreen));
      this.#hasOpened = true;
      watchInOrder(this.#replicache, (changes) => this.#take(changes));
      await this.#recover();
      await this.#safety?.untilNoForeign();
      this.#facts = { ...this.#facts, counted: true };
      await this.#recount();
    } catch (error) {
      if (!this.#replicache.closed) throw error;
    }
  }

  /** Makes again what earlier tabs left, those of older versions of the app among them. */
  async #recover(): Promise<void> {
    await this.#adoptOlder?.();
    await this.#safety?.recover();
  }

  #take(changes: readonly KeyChange[]): void {
    for (const [key, value] of changes) {
      const kind = kindOfKey(key);
      if (kind !== undefined) {
        const id = idOfKey(kind, key);
        if (value !== null) this.#keys.set(id, key);
        // One that the server dated anew is under its new key already.
        else if (this.#keys.get(id) === key) this.#keys.delete(id);
      } else if (key === SYNC_STATE_KEY) this.#takeState(value);
    }
    this.#feed.push(changes);
    if (!this.#facts.loaded) this.#feed.whenEmpty(() => this.#setFacts({ loaded: true }));
    this.#scheduleFacts();
  }

  #takeState(value: unknown): void {
    const state = syncState.safeParse(value).data;
    if (!state) return;
    this.#version = state.v;
    if (!state.done) this.#pull();
    this.#drift.moved();
  }

  #hooks(): SyncHooks {
    return {
      ready: () => new Promise((resolve) => this.#feed.whenEmpty(resolve)),
      onBegin: (direction) => this.#setFacts(direction === 'push' ? { pushing: true } : { pulling: true }),
      onEnd: (direction, { status }) => this.#answered(direction, status),
      onResults: () => this.#pull(),
      onOversize: ({ id, name, args }) =>
        this.#fail({ id: `local/${id}`, name, args, code: 'too_large', message: 'Too large to be sent' }),
    };
  }

  #answered(direction: 'push' | 'pull', status: number): void {
    if (this.#end.signal.aborted) return;
    const isOk = status === 200;
    this.#setFacts({
      ...(direction === 'push' ? { pushing: false } : { pulling: false }),
      online: isOk || (status > 0 && status < 500),
      ...(isOk && direction === 'pull' ? { pulledAt: Date.now() } : {}),
      ...(isOk ? { unauthorized: false } : {}),
      ...(status === 401 ? { unauthorized: true } : {}),
    });
    if (!isOk) return;
    if (direction === 'push') this.#pull();
    else this.#armWatchdog();
  }

  /** A push that was accepted but not confirmed is not sent again by Replicache itself (SYNC 1.5 E3). */
  #armWatchdog(): void {
    if (this.#watchdog !== undefined || this.#facts.pendingCount === 0) return;
    this.#watchdog = setTimeout(() => {
      this.#watchdog = undefined;
      if (this.#facts.pendingCount > 0 && this.#facts.online && !this.#facts.pushing) this.#push();
    }, SYNC.watchdogMs);
  }

  #fail(failure: Omit<Problem, 'realmId' | 'at' | 'source'>): void {
    const problem: Problem = {
      ...failure,
      realmId: this.#options.realmId,
      at: new Date().toISOString(),
      source: 'local',
    };
    const others = this.#facts.localFailures.filter((other) => other.id !== problem.id);
    this.#setFacts({ localFailures: [...others, problem] });
  }

  /** What could not be made again is shown, so that nothing typed is lost. */
  #lose({ clientID, id, name, args }: JournalRecord, error: unknown): void {
    const { code, detail } = failureOf(error);
    const problem = { id: `lost/${clientID}/${id}`, name, args, code, message: detail };
    const at = new Date().toISOString();
    this.#options.post({
      type: 'lost',
      problems: [{ ...problem, realmId: this.#options.realmId, at, source: 'lost' }],
    });
  }

  #pull(): void {
    this.#replicache.pull({ now: true }).catch(ignoreFailedSend);
  }

  #push(): void {
    this.#replicache.push({ now: true }).catch(ignoreFailedSend);
  }

  async #forgotten(): Promise<void> {
    if (this.#isForgotten) return;
    this.#isForgotten = true;
    this.#options.post({ type: 'lost', problems: await this.unsent() });
    try {
      await this.#safety?.clear();
    } catch (error) {
      // They are shown as lost and may also be made again; twice told is better than a realm that stays dead.
      if (!this.#end.signal.aborted) console.warn('replica: the journal could not be emptied', error);
    }
    if (!this.#end.signal.aborted) this.#options.onForgotten();
  }

  #setFacts(facts: Partial<RealmFacts>): void {
    this.#facts = { ...this.#facts, ...facts };
    this.#scheduleFacts();
  }

  #scheduleFacts(): void {
    if (this.#end.signal.aborted) return;
    this.#factsTimer ??= setTimeout(() => void this.#recount(), FACTS_DELAY_MS);
  }

  /** Takes over what waits; a change made while the list was read would be missing in it, so it is read again. */
  async #count(): Promise<void> {
    let made: number;
    let noted: number;
    let pending: readonly PendingMutation[];
    do {
      made = this.#made;
      noted = this.#safety?.noted ?? 0;
      pending = await this.pending();
    } while (made !== this.#made);
    this.#safety?.confirmBefore(noted, pending);
    this.#facts = {
      ...this.#facts,
      pendingCount: pending.length,
      pending: waitingLines(pending.slice(0, PENDING_SHOWN)),
    };
  }

  async #recount(): Promise<void> {
    this.#factsTimer = undefined;
    await this.#count();
    this.#postFacts();
  }

  #postFacts(): void {
    if (this.#end.signal.aborted) return;
    this.#options.post({ type: 'facts', realmId: this.#options.realmId, facts: this.#facts });
  }

  /** Changes that the server has not confirmed, oldest first; none once closed. */
  async pending(): Promise<readonly PendingMutation[]> {
    if (this.#replicache.closed) return [];
    return (await this.#replicache.experimentalPendingMutations()).map((one) => unwrapReplay(one));
  }

  /** The same as lines that outlive this realm. */
  async unsent(): Promise<Problem[]> {
    return lostLines(await this.pending(), this.#options.realmId);
  }

  /**
   * Carries out a mutation of the page and answers its call after the page has the changed rows and knows that they
   * wait: whoever asks for the status after its own change must not hear "synced".
   */
  async mutate({ call, name, args }: { call: number; name: string; args: unknown }): Promise<void> {
    const { post } = this.#options;
    try {
      const mutator = this.#replicache.mutate[name];
      if (!mutator) throw new AppError('bad_request', `Unknown mutation ${name}`);
      // What was left from before is older and must not come after this change.
      await this.#safety?.recovered;
      const id: unknown = await mutator(args);
      this.#made += 1;
      this.#setFacts({
        pendingCount: this.#facts.pendingCount + 1,
        unsaved: this.#facts.unsaved + 1,
      });
      if (typeof id === 'number') await this.#safety?.note({ id, name, args });
      this.#setFacts({ unsaved: this.#facts.unsaved - 1 });
      this.#postFacts();
      post({ type: 'mutated', call });
    } catch (error) {
      post({ type: 'mutated', call, failure: failureOf(error) });
    }
  }

  /** The server has reached this version; asks for it unless it is here. */
  poke(version: number): void {
    if (version > this.#version) this.#pull();
  }

  /** Sends what waits and asks for news, past any back-off. */
  sync(): void {
    this.#options.pace.release();
    this.#pull();
    void this.#recover();
    if (this.#facts.pendingCount > 0) this.#push();
  }

  /** The device's storage refused something; before the first read has succeeded that means it cannot be used at all. */
  storageFailed(state: StorageState | undefined): void {
    if (this.#options.kvStore === 'mem') return;
    if (this.#hasOpened) this.#setFacts(state ? { storage: state } : {});
    else this.#options.onUnusable(state ?? 'memory');
  }

  /** The page is ready for more rows. */
  taken(): void {
    this.#feed.taken();
  }

  forget(problemId: string): void {
    this.#setFacts({ localFailures: this.#facts.localFailures.filter(({ id }) => id !== problemId) });
  }

  /** Tries once to send everything; resolves when that ended, well or not. */
  async flush(): Promise<void> {
    if ((await this.pending()).length === 0) return;
    this.#options.pace.release();
    await this.#replicache.push({ now: true }).catch(ignoreFailedSend);
    await this.#replicache.pull({ now: true }).catch(ignoreFailedSend);
  }

  get databaseName(): string {
    return this.#replicache.idbName;
  }

  /** Closes once Replicache has written what the journal holds; a database about to go needs no such care. */
  async close({ isLeaving = false }: { isLeaving?: boolean } = {}): Promise<void> {
    if (!isLeaving) await this.#safety?.settled();
    clearTimeout(this.#factsTimer);
    clearTimeout(this.#watchdog);
    this.#end.abort();
    this.#feed.close();
    await this.#replicache.close();
    await this.#safety?.close();
  }
}

/** Failed pushes and pulls are reported by the hooks and tried again by Replicache; the promise adds nothing. */
function ignoreFailedSend(): void {}
