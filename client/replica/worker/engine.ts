// Handles the page's messages in the worker: holds the session and the open realms. Has no worker API of its own, so that
// tests run it in their own process.
import { dropDatabase, type KVStoreProvider } from 'replicache';
import { RELOAD_GUARD_MS } from '#client/ui/timing.ts';
import { SYNC, SYNC_CHECK } from '#shared/sync/limits.ts';
import { describeIssues, type ErrorCode } from '#shared/errors.ts';
import { isId } from '#shared/ids.ts';
import { findMutator } from '#shared/mutators.ts';
import { SCHEMA_STEPS } from '#shared/sync/upcasters.ts';
import { untilSwept } from '#client/api/signed-out-setting.ts';
import type { RealmFacts, StorageState } from '#client/replica/status.ts';
import type { CalledChange, FromWorker, ToWorker, WorkerSession } from '#client/replica/wire.ts';
import { realmsWithUnsent } from '#client/replica/unsent-records.ts';
import { userKey } from '#client/replica/user-key.ts';
import { collectRegularly } from '#client/replica/worker/collect-databases.ts';
import { followPokes } from '#client/replica/worker/poke-stream.ts';
import type { CheckRhythm } from '#client/replica/worker/drift-check.ts';
import type { OpenJournal } from '#client/replica/worker/journal.ts';
import type { ReplicaSchema } from '#client/replica/worker/older-journals.ts';
import { Backoff } from '#client/replica/worker/backoff.ts';
import { Realm, type LastIds } from '#client/replica/worker/realm.ts';
import { liveClients } from '#client/replica/worker/recovery.ts';
import { storageSign } from '#client/replica/worker/storage-watch.ts';

/** Environment of the engine. */
export interface EngineOptions {
  post(message: FromWorker): void;
  fetch: typeof fetch;
  /** The store for databases when the session allows them on this device; `onFailure` receives storage failures. */
  kvStore(onFailure: (error: unknown) => void): KVStoreProvider;
  /** Where changes are recorded until that store has them. */
  openJournal?: OpenJournal;
  /** The schema of the replicas, when it is not the product's. */
  schema?: ReplicaSchema;
  /** How often replicas are compared with the server, when not as in the product. */
  check?: CheckRhythm;
}

/** A server that stopped is noticed within this time; its devices must not all send requests at the same moment. */
const LOOK_SPREAD_MS = 2_000;
/** Delay after the start, so that the workspace that the page shows opens before the others. */
const BEHIND_DELAY_MS = 300;

const SCHEMA: ReplicaSchema = { version: SYNC.schemaVersion, steps: SCHEMA_STEPS };

export interface Engine {
  receive(message: ToWorker): void;
}

/** Starts an engine without session; the first message must be `start`. */
export function createEngine(options: EngineOptions): Engine {
  const realms = new Map<string, Realm>();
  /** Databases opened in this session, for the wipe. */
  const seen = new Set<string>();
  /** Time of each realm's last reopening, in milliseconds. */
  const reopened = new Map<string, number>();
  /** Realms that are still writing what they have. */
  const closing = new Map<string, Promise<void>>();
  /** Realms whose databases cannot be used in this session, and why. */
  const unusable = new Map<string, StorageState>();
  /** Realms that no view shows, open until everything in them is sent. */
  const behind = new Set<string>();
  /** Mutations under way, by realm: none may be closed over them. */
  const busy = new Map<string, number>();
  const backoff = new Backoff();
  const network = new EventTarget();
  let session: WorkerSession | undefined;
  let isCollecting = false;
  let endPokes: (() => void) | undefined;
  // Opening, closing and wiping wait for each other; mutations need not.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (act: () => Promise<void> | void) => {
    turn = turn.then(act).catch((error: unknown) => console.error('replica:', error));
  };

  const syncAll = () => {
    for (const realm of realms.values()) realm.sync();
  };

  const lookAll = () => {
    for (const realm of realms.values()) realm.look();
  };

  function takeNetwork(isOnline: boolean): void {
    if (!isOnline) {
      for (const realm of realms.values()) realm.cutOff();
      return;
    }
    // Back-off must not outlast the outage.
    syncAll();
    network.dispatchEvent(new Event('online'));
  }

  function start(next: WorkerSession): void {
    session = next;
    endPokes?.();
    endPokes = followPokes({
      ...next,
      key: userKey(next.userId),
      fetch: options.fetch,
      backoff,
      network,
      onPoke: (realmId, version) => realms.get(realmId)?.poke(version),
      // Not all at once, since every device loses its stream when a server stops.
      onEnd: () => setTimeout(lookAll, Math.random() * LOOK_SPREAD_MS),
      onConnect: (start) => {
        for (const [realmId, realm] of realms) realm.sync(start?.realms[realmId]);
      },
    });
    inTurn(untilSwept);
    setTimeout(() => inTurn(openUnsent), BEHIND_DELAY_MS);
    if (!isCollecting) collectRegularly({ kvStore: provider, mayRun: isStored, isOpen });
    isCollecting = true;
  }

  const isStored = () => session?.memoryOnly === false && options.openJournal !== undefined;
  const isOpen = (databaseName: string) =>
    [...realms.values()].some((realm) => realm.databaseName === databaseName);

  /**
   * Opens other workspaces that have unsent changes from an earlier visit, so that these are sent without a visit
   * there.
   */
  async function openUnsent(): Promise<void> {
    const found = isStored() && session ? await realmsWithUnsent(session.userId, realms) : [];
    const realmIds = found.filter((realmId) => !realms.has(realmId));
    for (const realmId of realmIds) openBehind(realmId);
    options.post({ type: 'behind', realmIds });
  }

  function openBehind(realmId: string): void {
    if (realms.has(realmId)) return;
    behind.add(realmId);
    open(realmId);
  }

  /**
   * Posts the messages of a realm; of one that no view shows only its facts, and closes it once they show that nothing
   * waits.
   */
  function hear(realmId: string, message: FromWorker): void {
    if (!behind.has(realmId)) return options.post(message);
    if (message.type === 'rows') {
      if (message.bulk) setTimeout(() => realms.get(realmId)?.taken());
      return;
    }
    options.post(message);
    if (message.type === 'facts' && isSettled(message.facts)) inTurn(() => closeBehind(realmId));
  }

  async function closeBehind(realmId: string): Promise<void> {
    const realm = realms.get(realmId);
    if (!behind.has(realmId) || (busy.get(realmId) ?? 0) > 0) return;
    if (realm && (await realm.pending()).length > 0) return;
    behind.delete(realmId);
    leave(realmId);
  }

  const provider = options.kvStore((error) => {
    const state = storageSign([error]);
    for (const realm of realms.values()) realm.storageFailed(state);
  });
  const storage = () => (session?.memoryOnly === true ? 'mem' : provider);

  function open(realmId: string, { startsAnew = false } = {}): void {
    if (!session || !isId('user', session.userId) || realms.has(realmId)) return;
    const realm = new Realm({
      session: { ...session, userId: session.userId },
      realmId,
      post: (message) => hear(realmId, message),
      fetch: options.fetch,
      backoff,
      kvStore: unusable.has(realmId) ? 'mem' : storage(),
      openJournal: options.openJournal,
      schema: options.schema ?? SCHEMA,
      check: options.check ?? SYNC_CHECK,
      storage: unusable.get(realmId) ?? (session.memoryOnly ? 'memory' : 'ok'),
      startsAnew,
      onForgotten: (lastIds) => reopen(realmId, realm, lastIds),
      onInbox: () => session && realms.get(session.userId)?.sync(),
      onUnusable: (state) => reopenInMemory(realmId, realm, state),
    });
    realms.set(realmId, realm);
    seen.add(realm.databaseName);
  }

  /**
   * The database could not be opened: continues in memory, and the status says that nothing is stored on this device.
   */
  function reopenInMemory(realmId: string, realm: Realm, state: StorageState): void {
    if (realms.get(realmId) !== realm) return;
    unusable.set(realmId, state);
    realms.delete(realmId);
    // Never resolves for a replica that never opened, so it must not be awaited.
    void realm.close();
    open(realmId);
  }

  /** Reopens a realm, at most once per guard time, so that a server that refuses every client is not overloaded. */
  function reopen(realmId: string, realm: Realm, lastIds: LastIds | undefined): void {
    const wait = Math.max(0, (reopened.get(realmId) ?? 0) + RELOAD_GUARD_MS - Date.now());
    setTimeout(() => {
      inTurn(async () => {
        if (realms.get(realmId) !== realm) return;
        reopened.set(realmId, Date.now());
        // Its changes are replayed, so Replicache need not write them first.
        await close(realmId, { isLeaving: lastIds !== undefined });
        if (lastIds) await requeue(realm.databaseName, lastIds);
        options.post({ type: 'reset', realmId });
        open(realmId, { startsAnew: lastIds !== undefined });
      });
    }, wait);
  }

  /** The server fell back to an earlier state, or forgot the client: what it lacks is made again by the next one. */
  async function requeue(databaseName: string, lastIds: LastIds): Promise<void> {
    const journal = options.openJournal?.(databaseName);
    if (!journal) return;
    try {
      const running = await liveClients(databaseName);
      await journal.requeue(lastIds, (clientID) => running?.has(clientID) === true);
    } finally {
      await journal.close();
    }
  }

  async function close(realmId: string, how: { isLeaving?: boolean } = {}): Promise<void> {
    const realm = realms.get(realmId);
    realms.delete(realmId);
    await realm?.close(how);
  }

  /** Continues sending what waits in the background; closes a realm that has nothing to send. */
  async function leaveOrKeep(realmId: string): Promise<void> {
    const realm = realms.get(realmId);
    const isBusy = (busy.get(realmId) ?? 0) > 0;
    if (realm && (isBusy || (await realm.pending()).length > 0)) behind.add(realmId);
    else leave(realmId);
  }

  /** Views need all rows from the start, so a realm that was open in the background is reopened. */
  async function show(realmId: string): Promise<void> {
    if (behind.delete(realmId)) leave(realmId);
    await closing.get(realmId);
    open(realmId);
  }

  /** The next workspace need not wait until this one is on disk; only the same one must. */
  function leave(realmId: string): void {
    const isClosed = close(realmId).catch((error: unknown) => console.error('replica:', error));
    closing.set(realmId, isClosed);
    void isClosed.then(() => closing.get(realmId) === isClosed && closing.delete(realmId));
  }

  async function flush(waitMs: number): Promise<void> {
    const held = [...realms.values()];
    const deadline = new Promise((resolve) => setTimeout(resolve, waitMs));
    await Promise.race([Promise.all(held.map((realm) => realm.flush())), deadline]);
    const unsent = await Promise.all(held.map((realm) => realm.unsent()));
    options.post({ type: 'flushed', unsent: unsent.flat() });
  }

  async function wipe(): Promise<void> {
    endPokes?.();
    for (const realmId of realms.keys()) await close(realmId, { isLeaving: true });
    await Promise.all(closing.values());
    const left: string[] = [];
    for (const name of seen) {
      try {
        await dropDatabase(name, { kvStore: storage() });
      } catch (error) {
        console.warn('replica:', error);
        left.push(name);
      }
    }
    options.post({ type: 'wiped', left });
  }

  return {
    receive(message) {
      if (message.type === 'start') start(message.session);
      if (message.type === 'open') inTurn(() => show(message.realmId));
      if (message.type === 'open-behind')
        inTurn(async () => {
          await closing.get(message.realmId);
          openBehind(message.realmId);
        });
      if (message.type === 'leave') inTurn(() => leaveOrKeep(message.realmId));
      if (message.type === 'close') inTurn(() => leave(message.realmId));
      if (message.type === 'mutate') inTurn(() => void mutate(message));
      if (message.type === 'taken') realms.get(message.realmId)?.taken();
      if (message.type === 'network') takeNetwork(message.isOnline);
      if (message.type === 'sync') realms.get(message.realmId)?.sync();
      if (message.type === 'lost-stored')
        realms.get(message.realmId)?.lost.stored(message.lost, message.isStored);
      if (message.type === 'flush') inTurn(() => flush(message.waitMs));
      if (message.type === 'wipe') inTurn(wipe);
    },
  };

  async function mutate(message: Extract<ToWorker, { type: 'mutate' }>): Promise<void> {
    const refuse = (code: ErrorCode, detail: string) => {
      for (const { call } of message.changes)
        options.post({ type: 'mutated', call, failure: { code, detail } });
    };
    const changes: CalledChange[] = [];
    let realmId: string | undefined;
    for (const { call, name, args } of message.changes) {
      const mutator = findMutator(name);
      if (!mutator) return refuse('bad_request', `Unknown mutation ${name}`);
      const parsed = mutator.args.safeParse(args);
      if (!parsed.success) return refuse('invalid', describeIssues(parsed.error));
      changes.push({ call, name, args: parsed.data });
      realmId = mutator.realm === 'account' ? session?.userId : message.realmId;
    }
    if (realmId === undefined) return refuse('not_found', 'Workspace not found');
    const realm = realms.get(realmId);
    if (!realm) return refuse('not_found', 'This workspace is not open');
    busy.set(realmId, (busy.get(realmId) ?? 0) + 1);
    try {
      await realm.mutate(changes);
    } finally {
      busy.set(realmId, (busy.get(realmId) ?? 1) - 1);
    }
  }
}

/** No change of the realm is waiting. */
function isSettled({ counted, pendingCount, unsaved }: RealmFacts): boolean {
  return counted && pendingCount === 0 && unsaved === 0;
}
