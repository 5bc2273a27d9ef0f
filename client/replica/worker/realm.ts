// One realm of one person in Replicache: opens it, sends rows to the page, pushes and pulls, and reports facts. Only
// this file and its neighbours in worker/ know Replicache.
import { Replicache, type KVStoreProvider, type MutatorDefs, type PendingMutation } from 'replicache';
import { SYNC } from '#shared/sync/limits.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { idOfKey, kindOfKey, SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import { syncState, type RealmPosition } from '#shared/sync/protocol.ts';
import type { KeyChange } from '#client/replica/mirror.ts';
import { INITIAL_FACTS, type Problem, type RealmFacts, type StorageState } from '#client/replica/status.ts';
import { userKey } from '#client/replica/user-key.ts';
import type { CalledChange, FromWorker, WorkerSession } from '#client/replica/wire.ts';
import { pendingReport } from '#client/replica/worker/device-report.ts';
import { DriftCheck, type CheckRhythm } from '#client/replica/worker/drift-check.ts';
import { nameInMap, type KeyMap } from '#client/replica/worker/client-tx.ts';
import type { OpenJournal } from '#client/replica/worker/journal.ts';
import type { JournalRecord } from '#client/replica/worker/journal-records.ts';
import { watchInOrder } from '#client/replica/worker/diff-order.ts';
import { firstScreen } from '#client/replica/worker/first-screen.ts';
import { adoptOlderJournals, type ReplicaSchema } from '#client/replica/worker/older-journals.ts';
import { LostChanges } from '#client/replica/worker/lost-changes.ts';
import { MissedVersions } from '#client/replica/worker/missed-versions.ts';
import { MutationJournal } from '#client/replica/worker/mutation-journal.ts';
import { lostLines, lostRecord, waitingLines } from '#client/replica/worker/pending-lines.ts';
import type { Backoff } from '#client/replica/worker/backoff.ts';
import { failureOf, replicaMutators } from '#client/replica/worker/replica-mutators.ts';
import { unwrapReplay } from '#client/replica/worker/replayed.ts';
import { RowBatches } from '#client/replica/worker/row-batches.ts';
import { storageSign, storageWatch } from '#client/replica/worker/storage-watch.ts';
import {
  askForCheck,
  createPuller,
  createPusher,
  type SyncHooks,
} from '#client/replica/worker/sync-server.ts';

/** Client → the last of its mutations that the server has. */
export type LastIds = Readonly<Record<string, number>>;

export interface RealmOptions {
  session: WorkerSession & { userId: Id<'user'> };
  realmId: string;
  post(message: FromWorker): void;
  fetch: typeof fetch;
  /** Shared by all requests to this server. */
  backoff: Backoff;
  kvStore: 'mem' | KVStoreProvider;
  /** Schema of the replica; another one is another database. */
  schema: ReplicaSchema;
  /** Where changes are recorded until Replicache has written them; undefined when nothing may be stored on the device. */
  openJournal: OpenJournal | undefined;
  /** How often the replica is compared with the server. */
  check: CheckRhythm;
  /** State of the device's storage before the realm opens. */
  storage: StorageState;
  /**
   * The server fell back to an earlier state: Replicache begins with the rows that it had, so everything is requested, and lost
   * changes are replayed on the rows of the server.
   */
  startsAnew: boolean;
  /**
   * The server does not know this client any more, and the realm must be reopened. With `lastIds` the recent changes that
   * the server lacks are to be made again; without, they are safe with the page.
   */
  onForgotten(lastIds: LastIds | undefined): void;
  /** A refusal was stored in the account's realm, because this person has lost access to this realm. */
  onInbox(): void;
  /** The database could not be opened. */
  onUnusable(state: StorageState): void;
}

const PENDING_SHOWN = 100;
/** Longest wait for the rows that changes of an earlier client are made on. */
const FIRST_PULL_MS = 60_000;
const FACTS_DELAY_MS = 30;
const OVERSIZE = { code: 'too_large', detail: 'Too large to be sent' } as const;

/** Name of the realm's database; the user id is hashed, because names outlive a logout in the browser's own lists. */
function replicaName(userId: string, realmId: string): string {
  return `${userKey(userId)}:${realmId}`;
}

export class Realm {
  readonly #options: RealmOptions;
  readonly #replicache: Replicache<MutatorDefs>;
  readonly #keys: KeyMap = new Map();
  readonly #rowBatches: RowBatches;
  readonly #end = new AbortController();
  readonly #adoptOlder: (() => Promise<void>) | undefined;
  readonly #journal: MutationJournal | undefined;
  readonly #drift: DriftCheck;
  readonly #missed = new MissedVersions(() => this.#pull());
  #facts: RealmFacts = INITIAL_FACTS;
  #factsTimer: ReturnType<typeof setTimeout> | undefined;
  #watchdog: ReturnType<typeof setTimeout> | undefined;
  #isForgotten = false;
  #lastIds: LastIds | undefined;
  readonly #complete = Promise.withResolvers<void>();
  /** wanted: the next pull requests everything; answered: it has, and its rows are being applied. */
  #anew: 'wanted' | 'answered' | 'no' = 'no';
  #isDone = false;
  readonly #beginning = { wantsAll: true, startedOver: () => this.#startedOver() };
  #hasOpened = false;
  /** Changes made in this page since the realm was opened. */
  #made = 0;
  /** Settles when all that the page asked for has been made. */
  #making: Promise<unknown> = Promise.resolve();
  readonly lost: LostChanges;

  constructor(options: RealmOptions) {
    this.#options = options;
    if (options.startsAnew) this.#anew = 'wanted';
    const { session, realmId, post } = options;
    this.lost = new LostChanges(realmId, post);
    this.#facts = { ...this.#facts, storage: options.storage };
    this.#rowBatches = new RowBatches((changes, bulk) => post({ type: 'rows', realmId, changes, bulk }));
    const server = {
      realmId,
      apiBase: session.apiBase,
      token: () => session.token,
      fetch: options.fetch,
      signal: this.#end.signal,
      backoff: options.backoff,
      hooks: this.#hooks(),
      ownGroup: () => this.#replicache.clientGroupID,
      anew: () => (this.#anew === 'wanted' ? this.#beginning : this.#drift),
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
      this.#journal = new MutationJournal({
        journal,
        replicache: this.#replicache,
        signal: this.#end.signal,
        onFailure: (error) => this.storageFailed(storageSign([error]) ?? 'memory'),
        onLost: (record, error) => this.#lose(record, error),
      });
    }
    this.#replicache.onClientStateNotFound = () => void this.#forgotten();
    this.#replicache.onUpdateNeeded = () => this.#setFacts({ updateNeeded: true });
    if (options.startsAnew) setTimeout(this.#complete.resolve, FIRST_PULL_MS);
    else this.#complete.resolve();
    void this.#start();
  }

  async #start(): Promise<void> {
    try {
      this.#rowBatches.pushFirst(await this.#replicache.query(firstScreen));
      this.#hasOpened = true;
      watchInOrder(this.#replicache, (changes) => this.#take(changes));
      await this.#recover();
      await this.#journal?.untilForeignSettled();
      await this.#count();
      this.#facts = { ...this.#facts, counted: true };
      this.#postFacts();
    } catch (error) {
      if (!this.#replicache.closed) throw error;
    }
  }

  /** Replays what earlier tabs left, including those of older versions of the app. */
  async #recover(): Promise<void> {
    await this.#complete.promise;
    await this.#adoptOlder?.();
    await this.#journal?.recover();
  }

  #take(changes: readonly KeyChange[]): void {
    for (const [key, value] of changes) {
      const kind = kindOfKey(key);
      if (kind !== undefined) {
        const name = nameInMap(kind, idOfKey(kind, key));
        if (value !== null) this.#keys.set(name, key);
        // A row whose date the server changed is already under its new key.
        else if (this.#keys.get(name) === key) this.#keys.delete(name);
      } else if (key === SYNC_STATE_KEY) this.#takeState(value);
    }
    this.#rowBatches.push(changes);
    if (!this.#facts.loaded) this.#rowBatches.whenEmpty(() => this.#setFacts({ loaded: true }));
    this.#scheduleFacts();
  }

  #takeState(value: unknown): void {
    const state = syncState.safeParse(value).data;
    if (!state) return;
    this.#isDone = state.done;
    if (state.done) this.#completeStart();
    else this.#pull();
    this.#drift.moved();
  }

  /** Once the next pull is done, the rows of this one are part of the replica. */
  #startedOver(): void {
    this.#anew = 'answered';
    this.#replicache
      .pull({ now: true })
      .catch(ignoreFailedSend)
      .finally(() => {
        this.#anew = 'no';
        this.#completeStart();
      });
  }

  #completeStart(): void {
    if (this.#anew === 'no' && this.#isDone) this.#complete.resolve();
  }

  #hooks(): SyncHooks {
    return {
      ready: () => new Promise((resolve) => this.#rowBatches.whenEmpty(resolve)),
      onBegin: (direction) => this.#setFacts(direction === 'push' ? { pushing: true } : { pulling: true }),
      onEnd: (direction, { status }) => this.#answered(direction, status),
      onOwnPull: () => this.#missed.pullBegan(),
      onOwnPulled: (isOk, position) => this.#missed.pullEnded(isOk, position),
      onForgotten: (lastIds) => {
        this.#lastIds = lastIds;
      },
      onResults: (results) => {
        this.#pull();
        if (results.some(({ workspaceId }) => workspaceId)) this.#options.onInbox();
      },
      // The server receives it without its arguments, so from then on only this device has the typed text.
      onOversize: (mutation) => this.lost.handOver([lostRecord(mutation, this.#options.realmId, OVERSIZE)]),
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

  /** A push that was accepted but not confirmed is not sent again by Replicache itself. */
  #armWatchdog(): void {
    if (this.#watchdog !== undefined || this.#facts.pendingCount === 0) return;
    this.#watchdog = setTimeout(() => {
      this.#watchdog = undefined;
      if (this.#facts.pendingCount > 0 && this.#facts.online && !this.#facts.pushing) this.#push();
    }, SYNC.watchdogMs);
  }

  /** Shows a change that could not be replayed, so that its text is not lost; true when the device has stored it. */
  #lose(record: JournalRecord, error: unknown): Promise<boolean> {
    return this.lost.handOver([lostRecord(record, this.#options.realmId, failureOf(error))]);
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
    try {
      if (this.#lastIds && this.#journal) await this.#handOverUnlogged(this.#journal);
      // Changes that only the page holds would be lost with it; the journal recreates them.
      else if (await this.#handOver(await this.pending())) await this.#journal?.clear();
    } catch (error) {
      // They are shown as lost and may also be made again, which is better than a realm that stays dead.
      if (!this.#end.signal.aborted) console.warn('replica: the journal could not be emptied', error);
    }
    if (!this.#end.signal.aborted) this.#options.onForgotten(this.#journal && this.#lastIds);
  }

  /** Changes that the log no longer holds cannot be replayed. */
  async #handOverUnlogged(journal: MutationJournal): Promise<void> {
    const unlogged = await journal.unlogged(await this.pending());
    if (await this.#handOver(unlogged)) await journal.drop(unlogged);
  }

  async #handOver(changes: readonly PendingMutation[]): Promise<boolean> {
    return changes.length === 0 || this.lost.handOver(lostLines(changes, this.#options.realmId));
  }

  #setFacts(facts: Partial<RealmFacts>): void {
    this.#facts = { ...this.#facts, ...facts };
    this.#scheduleFacts();
  }

  #scheduleFacts(): void {
    if (this.#end.signal.aborted) return;
    this.#factsTimer ??= setTimeout(() => void this.#recount(), FACTS_DELAY_MS);
  }

  /** Reads the pending changes; a change made during the read would be missing, so then it is repeated. */
  async #count(): Promise<void> {
    let made: number;
    let newestId: number;
    let pending: readonly PendingMutation[];
    do {
      made = this.#made;
      newestId = this.#journal?.newestId ?? 0;
      pending = await this.pending();
    } while (made !== this.#made);
    // Changes sent by a forgotten client are not safe with the server.
    if (!this.#isForgotten) this.#journal?.confirmBefore(newestId, pending);
    this.#facts = {
      ...this.#facts,
      pendingCount: pending.length,
      pending: waitingLines(pending.slice(0, PENDING_SHOWN), this.#options.realmId),
    };
  }

  async #recount(): Promise<void> {
    this.#factsTimer = undefined;
    try {
      await this.#count();
    } catch (error) {
      // A deleted database cannot be read, and the page must still receive the fact that it was deleted.
      if (!this.#end.signal.aborted) console.warn('replica: waiting changes could not be counted', error);
    }
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

  /** The same and what is planned, as lines that outlive this realm. */
  async unsent(): Promise<Problem[]> {
    const planned = (await this.#journal?.planned()) ?? [];
    return lostLines([...(await this.pending()), ...planned], this.#options.realmId);
  }

  /**
   * Applies mutations of the page in order until one fails, and replies to each once the page has the changed rows and the new
   * pending count, so that the status right after a change is never "synced".
   */
  async mutate(changes: readonly CalledChange[]): Promise<void> {
    const making = this.#makeAll(changes);
    this.#making = Promise.allSettled([this.#making, making]);
    await making;
  }

  async #makeAll(changes: readonly CalledChange[]): Promise<void> {
    const { post } = this.#options;
    // Recovered changes are older and must not come after these.
    await this.#journal?.recovered;
    const planned = changes.length > 1 ? await this.#journal?.plan(changes) : undefined;
    let made = 0;
    try {
      for (const change of changes) {
        await this.#make(change, planned?.[made]);
        post({ type: 'mutated', call: change.call });
        made += 1;
      }
    } catch (error) {
      // The next client of this realm makes what is planned.
      if (planned && this.#end.signal.aborted) return;
      if (planned) await this.#journal?.cancel(planned.slice(made));
      for (const { call } of changes.slice(made)) post({ type: 'mutated', call, failure: failureOf(error) });
    }
  }

  async #make({ name, args }: CalledChange, planned: JournalRecord | undefined): Promise<void> {
    const mutator = this.#replicache.mutate[name];
    if (!mutator) throw new AppError('bad_request', `Unknown mutation ${name}`);
    const id: unknown = await mutator(args);
    this.#made += 1;
    this.#setFacts({
      pendingCount: this.#facts.pendingCount + 1,
      unsaved: this.#facts.unsaved + 1,
    });
    if (typeof id === 'number') await this.#journal?.record({ id, name, args }, planned);
    this.#setFacts({ unsaved: this.#facts.unsaved - 1 });
    this.#postFacts();
  }

  /** Call when the server has reached this version; pulls unless the version is here already, or about to be. */
  poke(version: number): void {
    this.#missed.poked(version);
  }

  /** Pulls, which shows whether the server can be reached. */
  look(): void {
    this.#pull();
  }

  /** The browser says that there is no network. This applies at once, until a server on this machine responds. */
  cutOff(): void {
    this.#setFacts({ online: false });
    this.#pull();
  }

  /** Pushes and pulls now, without waiting for the backoff; pulls only if needed where the server's position is known. */
  sync(position?: RealmPosition): void {
    this.#options.backoff.reset();
    this.#missed.streamBegan(position);
    void this.#recover();
    if (this.#facts.pendingCount > 0) this.#push();
  }

  /** The device's storage refused an operation; before the first read has succeeded that means it cannot be used at all. */
  storageFailed(state: StorageState | undefined): void {
    if (this.#options.kvStore === 'mem') return;
    if (this.#hasOpened) this.#setFacts(state ? { storage: state } : {});
    else this.#options.onUnusable(state ?? 'memory');
  }

  taken(): void {
    this.#rowBatches.taken();
  }

  /** Tries once to send everything; resolves when the attempt ended, successfully or not. */
  async flush(): Promise<void> {
    await this.#making;
    if ((await this.pending()).length === 0) return;
    this.#options.backoff.reset();
    await this.#replicache.push({ now: true }).catch(ignoreFailedSend);
    await this.#replicache.pull({ now: true }).catch(ignoreFailedSend);
  }

  get databaseName(): string {
    return this.#replicache.idbName;
  }
  /** Closes once Replicache has written what the journal holds; a database about to go needs no such care. */
  async close({ isLeaving = false }: { isLeaving?: boolean } = {}): Promise<void> {
    if (!isLeaving) await this.#journal?.settled();
    clearTimeout(this.#factsTimer);
    clearTimeout(this.#watchdog);
    this.#end.abort();
    this.lost.close();
    this.#rowBatches.close();
    await this.#replicache.close();
    await this.#journal?.close();
  }
}

/** Failures are reported by the hooks and tried again by Replicache. */
function ignoreFailedSend(): void {}
