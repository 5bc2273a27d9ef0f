// The page's side of the replica: updates the mirrors of two realms, sends mutations to the worker and derives the
// status. Reaches the worker through a port; must not know Replicache or React.
import type { Id } from '#shared/ids.ts';
import { AppError } from '#shared/errors.ts';
import type { MutatorArgs, MutatorName } from '#shared/mutators.ts';
import type { FirstRows } from '#client/replica/first-rows.ts';
import { Mirror, type KeyChange } from '#client/replica/mirror.ts';
import { isPageUsed } from '#client/replica/page-use.ts';
import {
  deriveStatus,
  INITIAL_FACTS,
  NO_TEXTS,
  refusal,
  type Problem,
  type RealmFacts,
  type SyncStatus,
  type TextProgress,
} from '#client/replica/status.ts';
import type { Mirrors } from '#client/replica/view.ts';
import type { FromWorker, WorkerPort, WorkerSession } from '#client/replica/wire.ts';

/** Arguments of a mutation as views pass them: the time is stamped when left out. */
export type MutateArgs<N extends MutatorName> = Omit<MutatorArgs<N>, 'at'> & { at?: string };

/** A mutation as a value. */
export type Mutation = { [N in MutatorName]: { name: N; args: MutateArgs<N> } }[MutatorName];

/** Progress of the first copy of a realm; `ready` is the only state in which an empty list means "nothing yet". */
export interface FirstSync {
  /** opening = reading the device; loading = rows are arriving; waiting = never loaded and no network. */
  state: 'opening' | 'loading' | 'waiting' | 'ready';
  loaded: number;
  total: number;
}

export interface ReplicaOptions {
  port: WorkerPort;
  session: WorkerSession & { userId: Id<'user'> };
  now?: () => number;
  /** Called with the arguments of a mutation before it is sent, for texts that are not sent in rows. */
  keepText?: (args: object) => Promise<void>;
  /** Writes lost and found changes to the device; a rejection means that they are only on the screen. */
  storeLost?: (problems: readonly Problem[]) => Promise<unknown>;
  /** Called when a lost and found change was dealt with. */
  forgetLost?: (id: string) => Promise<unknown>;
  /** Rows of the last screen of this person, shown until the device has been read. */
  firstRows?: FirstRows | undefined;
  /** Called when some of them are not on the device any more: what is stored of that screen shows them too. */
  forgetScreens?: () => Promise<unknown>;
}

/** While many rows arrive the views are woken at most this often, so that a first load does not re-run every query. */
const BURST_MS = 250;
/** While many rows arrive, input has priority for this long. */
const BREATH_MS = 100;

/** One person's replica in one page. */
export class Replica {
  readonly userId: Id<'user'>;
  #mirrors: Mirrors;
  #facts = new Map<string, RealmFacts>();
  /** Realms that no view shows and that still have something to send. */
  readonly #behind = new Map<string, RealmFacts>();
  /** It is known which realms those are. */
  #isBehindKnown = false;
  #status: SyncStatus | undefined;
  #firstSync: FirstSync | undefined;
  #lost: readonly Problem[] = [];
  #calls = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  #call = 0;
  #burst: ReturnType<typeof setTimeout> | undefined;
  /** When views were woken last. */
  #woken = Number.NEGATIVE_INFINITY;
  readonly #rowListeners = new Set<() => void>();
  readonly #statusListeners = new Set<() => void>();
  readonly #watchers = new Set<(message: FromWorker) => void>();
  readonly #end = new AbortController();
  readonly #port: WorkerPort;
  readonly #now: () => number;
  readonly #keepText: (args: object) => Promise<void>;
  readonly #storeLost: (problems: readonly Problem[]) => Promise<unknown>;
  readonly #forgetLost: (id: string) => Promise<unknown>;
  readonly #forgetScreens: () => Promise<unknown>;
  /** Counts that this page shows, or the last screen did, by name. */
  readonly counts: Map<string, number>;
  /** Texts of the early rows that the device has not confirmed, by realm and key. */
  readonly #early = new Map<string, Map<string, string>>();
  readonly #firstRows: Map<string, readonly KeyChange[]>;
  /** Realms of which the rows of the last screen are shown first, with all that they refer to. */
  readonly lastScreens: ReadonlySet<string>;
  #persistent: boolean | undefined;
  #texts: TextProgress | undefined = NO_TEXTS;

  constructor({
    port,
    session,
    now = Date.now,
    keepText,
    storeLost,
    forgetLost,
    firstRows,
    forgetScreens,
  }: ReplicaOptions) {
    this.#port = port;
    this.#now = now;
    this.#keepText = keepText ?? (async () => {});
    this.#storeLost = storeLost ?? (async () => {});
    this.#forgetLost = forgetLost ?? (async () => {});
    this.#forgetScreens = forgetScreens ?? (async () => {});
    this.userId = session.userId;
    this.#mirrors = {
      userId: session.userId,
      workspaceId: undefined,
      account: new Mirror(),
      workspace: new Mirror(),
    };
    this.counts = new Map(Object.entries(firstRows?.counts ?? {}));
    this.#firstRows = new Map(Object.entries(firstRows?.realms ?? {}));
    this.lastScreens = new Set(this.#firstRows.keys());
    this.#showEarly(session.userId, this.#mirrors.account);
    port.listen((message) => this.#receive(message));
    for (const event of ['online', 'offline'])
      globalThis.addEventListener?.(event, this.#passNetwork, { signal: this.#end.signal });
    port.send({ type: 'start', session });
    port.send({ type: 'open', realmId: session.userId });
  }

  readonly #passNetwork = ({ type }: Event) =>
    this.#port.send({ type: 'network', isOnline: type === 'online' });

  get mirrors(): Mirrors {
    return this.#mirrors;
  }

  /** Wakes the listener after changes of rows or workspace. */
  readonly subscribeRows = (listener: () => void): (() => void) => {
    this.#rowListeners.add(listener);
    return () => this.#rowListeners.delete(listener);
  };

  /** Wakes the listener after every change of rows, status or workspace. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  };

  /**
   * Calls the watcher with every message of the worker, for parts of the page that maintain their own copy (search).
   */
  watch(watcher: (message: FromWorker) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Makes this the open workspace; the one before is closed. */
  openWorkspace(workspaceId: Id<'workspace'> | undefined): void {
    const before = this.#mirrors.workspaceId;
    if (before === workspaceId) return;
    if (before !== undefined) {
      this.#port.send({ type: 'leave', realmId: before });
      const facts = this.#facts.get(before);
      if (facts && facts.pendingCount > 0) this.#behind.set(before, facts);
      this.#facts.delete(before);
      this.#early.delete(before);
    }
    if (workspaceId !== undefined) this.#behind.delete(workspaceId);
    this.#mirrors = { ...this.#mirrors, workspaceId, workspace: new Mirror() };
    this.#status = undefined;
    if (workspaceId !== undefined) {
      this.#showEarly(workspaceId, this.#mirrors.workspace);
      this.#port.send({ type: 'open', realmId: workspaceId });
    }
    // A provider calls this while it renders, when other components must not be woken.
    queueMicrotask(() => this.#wake());
  }

  /**
   * Applies a mutation on this device; resolves when views can see it and a crash can no longer lose it, long before
   * the server has it.
   * @throws invalid, too_large, and what the mutator throws
   */
  async mutate<N extends MutatorName>(name: N, args: MutateArgs<N>): Promise<void> {
    await this.#send(this.#mirrors.workspaceId, [{ name, args }]);
  }

  /**
   * Applies mutations of one realm in order until one fails. They are all on the device before the first is applied, so the end
   * of the page does not leave half of them.
   * @param report called with how many have been applied
   * @throws what the first that failed throws; those before it stay applied
   */
  async mutateAll(mutations: readonly Mutation[], report?: (applied: number) => void): Promise<void> {
    await this.#send(this.#mirrors.workspaceId, mutations, report);
  }

  /** The worker has the mutators: it validates the arguments and routes account mutations to the account's realm. */
  async #send(
    realmId: string | undefined,
    mutations: readonly { name: string; args: object }[],
    report?: (applied: number) => void,
  ): Promise<void> {
    const at = new Date(this.#now()).toISOString();
    const changes = mutations.map(({ name, args }) => ({ call: ++this.#call, name, args: { at, ...args } }));
    for (const { args } of changes) await this.#keepText(args);
    const applied = changes.map(async ({ call }, index) => {
      await new Promise<void>((resolve, reject) => this.#calls.set(call, { resolve, reject }));
      report?.(index + 1);
    });
    this.#port.send({ type: 'mutate', realmId, changes });
    for (const end of await Promise.allSettled(applied)) if (end.status === 'rejected') throw end.reason;
  }

  /** Pushes and pulls now. */
  syncNow(): void {
    for (const realmId of [...this.#facts.keys(), ...this.#behind.keys()])
      this.#port.send({ type: 'sync', realmId });
  }

  /** Retries a failed change and removes it from the list. */
  async retry(problem: Problem): Promise<void> {
    const args = typeof problem.args === 'object' && problem.args !== null ? problem.args : {};
    const at = new Date(this.#now()).toISOString();
    await this.#send(problem.realmId, [{ name: problem.name, args: { ...args, at } }]);
    await this.discard(problem);
  }

  /** Removes a failed change from the list permanently. */
  async discard(problem: Problem): Promise<void> {
    if (problem.source === 'refused') {
      const acknowledgement = { name: 'sync.ack_results', args: { ids: [problem.id] } };
      await this.#send(problem.inbox ?? problem.realmId, [acknowledgement]);
    } else {
      await this.#forgetLost(problem.id);
      this.setLost(this.#lost.filter((other) => other.id !== problem.id));
    }
  }

  /** Saves a new memory in a workspace that need not be open, now or as soon as there is a network. */
  async saveMemory(workspaceId: Id<'workspace'>, args: MutateArgs<'memory.create'>): Promise<void> {
    if (workspaceId !== this.#mirrors.workspaceId)
      this.#port.send({ type: 'open-behind', realmId: workspaceId });
    await this.#send(workspaceId, [{ name: 'memory.create', args }]);
  }

  /** Puts the changes that were found after a reset on the needs-attention list. */
  setLost(lost: readonly Problem[]): void {
    this.#lost = lost;
    this.#status = undefined;
    this.#wakeStatus();
  }

  /** Adds changes to that list, here and on the device; true when the device took them. */
  async addLost(problems: readonly Problem[]): Promise<boolean> {
    const known = this.#lost.filter(({ id }) => !problems.some((problem) => problem.id === id));
    this.setLost([...known, ...problems]);
    try {
      await this.#storeLost(problems);
      return true;
    } catch (error) {
      console.warn('replica: what was lost and found stays on screen only', error);
      return false;
    }
  }

  /** Records whether the browser has granted persistent storage. */
  setPersistent(persistent: boolean): void {
    this.#persistent = persistent;
    this.#status = undefined;
    this.#wakeStatus();
  }

  /** Records how many of the long texts are here. */
  setTexts(texts: TextProgress | undefined): void {
    this.#texts = texts;
    this.#status = undefined;
    this.#wakeStatus();
  }

  get lost(): readonly Problem[] {
    return this.#lost;
  }

  #openRealms(): [string, Mirror][] {
    const { userId, workspaceId, account, workspace } = this.#mirrors;
    return workspaceId === undefined
      ? [[userId, account]]
      : [
          [userId, account],
          [workspaceId, workspace],
        ];
  }

  /** Status of both realms; the same object until something changed. */
  readonly status = (): SyncStatus => {
    if (this.#status) return this.#status;
    const realms = this.#openRealms();
    const shown = realms.map(([realmId]) => this.#facts.get(realmId) ?? INITIAL_FACTS);
    const facts = [...shown, ...this.#behind.values()];
    const problems = [
      ...realms.flatMap(([realmId, mirror]) =>
        [...mirror.results.values()].map((result) => refusal(realmId, result)),
      ),
      ...this.#lost,
    ];
    const derived = deriveStatus(facts, problems);
    // Not "synced" until it is known that no other workspace has unsent changes, and while long texts are missing.
    const texts = this.#texts;
    const isWhole = this.#isBehindKnown && texts !== undefined && texts.here === texts.total;
    const state = derived.state === 'synced' && !isWhole ? 'syncing' : derived.state;
    this.#status = { ...derived, state, texts, persistent: this.#persistent };
    return this.#status;
  };

  /** How far the open workspace's first copy is; the account realm's when no workspace is open. */
  readonly firstSync = (): FirstSync => {
    const { userId, workspaceId, account, workspace } = this.#mirrors;
    const mirror = workspaceId === undefined ? account : workspace;
    const facts = this.#facts.get(workspaceId ?? userId) ?? INITIAL_FACTS;
    const { loaded = 0, total = 0 } = mirror.sync ?? {};
    const state = firstSyncState(mirror, facts);
    // Views that have not been woken yet would call a list empty that is not.
    const isShown = this.#burst === undefined;
    const next: FirstSync = { state: state === 'ready' && !isShown ? 'opening' : state, loaded, total };
    const last = this.#firstSync;
    const isSame = last?.state === next.state && last.loaded === loaded && last.total === total;
    this.#firstSync = isSame && last ? last : next;
    return this.#firstSync;
  };

  /** Whether every row of the person's own realm has reached the views. */
  readonly isAccountWhole = (): boolean => {
    const { userId, account } = this.#mirrors;
    const facts = this.#facts.get(userId) ?? INITIAL_FACTS;
    return this.#burst === undefined && firstSyncState(account, facts) === 'ready';
  };

  /** The person has lost access to the open workspace. */
  get revoked(): boolean {
    return this.#mirrors.workspace.revoked;
  }

  /** Sends what it can within the time; returns what is still unsent. */
  flush(waitMs: number): Promise<readonly Problem[]> {
    return new Promise((resolve) => {
      const end = this.watch((message) => {
        if (message.type !== 'flushed') return;
        end();
        resolve(message.unsent);
      });
      this.#port.send({ type: 'flush', waitMs });
    });
  }

  /** Deletes every database of this person from the device; returns the names of those that could not be deleted. */
  async wipe(): Promise<readonly string[]> {
    const left = await new Promise<readonly string[]>((resolve) => {
      const end = this.watch((message) => {
        if (message.type !== 'wiped') return;
        end();
        resolve(message.left);
      });
      this.#port.send({ type: 'wipe' });
    });
    this.terminate();
    return left;
  }

  /** Ends the worker without waiting. */
  terminate(): void {
    clearTimeout(this.#burst);
    this.#end.abort();
    this.#port.terminate();
  }

  #receive(message: FromWorker): void {
    if (message.type === 'rows') this.#takeRows(message);
    if (message.type === 'facts') this.#takeFacts(message);
    if (message.type === 'behind') this.#takeBehind(message.realmIds);
    if (message.type === 'lost') void this.#takeLost(message);
    if (message.type === 'reset') this.#reset(message.realmId);
    if (message.type === 'mutated') {
      const waiting = this.#calls.get(message.call);
      this.#calls.delete(message.call);
      if (message.failure) {
        waiting?.reject(new AppError(message.failure.code, message.failure.detail));
      } else waiting?.resolve();
    }
    for (const watcher of this.#watchers) watcher(message);
  }

  /** Shows the rows of the last screen, once. */
  #showEarly(realmId: string, mirror: Mirror): void {
    const rows = this.#firstRows.get(realmId);
    if (!rows) return;
    this.#firstRows.delete(realmId);
    this.#early.set(realmId, new Map(rows.map(([key, row]) => [key, JSON.stringify(row)])));
    mirror.apply(rows);
  }

  /** Without those that are shown already: views need not be drawn again for an equal row. */
  #confirm(realmId: string, changes: readonly KeyChange[]): readonly KeyChange[] {
    const early = this.#early.get(realmId);
    if (!early) return changes;
    return changes.filter(([key, value]) => {
      const shown = early.get(key);
      return !early.delete(key) || shown !== JSON.stringify(value);
    });
  }

  /** The device has been read: what it does not have was removed since that screen. */
  #removeUnconfirmed(realmId: string): void {
    const early = this.#early.get(realmId);
    const mirror = this.#openRealms().find(([open]) => open === realmId)?.[1];
    this.#early.delete(realmId);
    if (!early || !mirror || early.size === 0) return;
    void this.#forgetScreens();
    mirror.apply([...early.keys()].map((key) => [key, null]));
    this.#wake();
  }

  #takeRows({ realmId, changes, bulk }: Extract<FromWorker, { type: 'rows' }>): void {
    const mirror = this.#openRealms().find(([open]) => open === realmId)?.[1];
    if (bulk) whenFree(() => this.#port.send({ type: 'taken', realmId, isUsed: isPageUsed() }));
    if (!mirror) return;
    mirror.apply(this.#confirm(realmId, changes));
    this.#status = undefined;
    if (!bulk) return this.#wake();
    // In a task of its own: taking the rows over was one already.
    const pause = Math.max(0, this.#woken + BURST_MS - performance.now());
    this.#burst ??= setTimeout(() => this.#wake(), pause);
  }

  async #takeLost({ realmId, lost, problems }: Extract<FromWorker, { type: 'lost' }>): Promise<void> {
    const isStored = await this.addLost(problems);
    this.#port.send({ type: 'lost-stored', realmId, lost, isStored });
  }

  #reset(realmId: string): void {
    this.#early.delete(realmId);
    if (realmId === this.userId) this.#mirrors = { ...this.#mirrors, account: new Mirror() };
    else if (realmId === this.#mirrors.workspaceId)
      this.#mirrors = { ...this.#mirrors, workspace: new Mirror() };
    this.#status = undefined;
    this.#wake();
  }

  #takeFacts({ realmId, facts }: Extract<FromWorker, { type: 'facts' }>): void {
    if (this.#openRealms().some(([open]) => open === realmId)) this.#facts.set(realmId, facts);
    else if (facts.pendingCount > 0 || !facts.counted) this.#behind.set(realmId, facts);
    else this.#behind.delete(realmId);
    this.#status = undefined;
    if (facts.loaded) this.#removeUnconfirmed(realmId);
    this.#wakeStatus();
  }

  #takeBehind(realmIds: readonly string[]): void {
    const open = new Set(this.#openRealms().map(([realmId]) => realmId));
    for (const realmId of realmIds) {
      if (!open.has(realmId) && !this.#behind.has(realmId)) this.#behind.set(realmId, INITIAL_FACTS);
    }
    this.#isBehindKnown = true;
    this.#status = undefined;
    this.#wakeStatus();
  }

  #wake(): void {
    clearTimeout(this.#burst);
    this.#burst = undefined;
    for (const listener of this.#rowListeners) listener();
    this.#woken = performance.now();
    this.#wakeStatus();
  }

  /** Facts arrive many times a second during a copy, and they concern no list. */
  #wakeStatus(): void {
    for (const listener of this.#statusListeners) listener();
  }
}

/**
 * Runs the callback when the page is idle, after a short time in any case; at once in a hidden page, where nothing
 * competes.
 */
function whenFree(run: () => void): void {
  const isSeen = globalThis.document?.visibilityState === 'visible';
  if (isSeen && 'requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: BREATH_MS });
  else setTimeout(run);
}

function firstSyncState(mirror: Mirror, facts: RealmFacts): FirstSync['state'] {
  if (mirror.sync?.done === true) return facts.loaded ? 'ready' : 'opening';
  if (!facts.loaded) return 'opening';
  return facts.online && !facts.unauthorized ? 'loading' : 'waiting';
}
