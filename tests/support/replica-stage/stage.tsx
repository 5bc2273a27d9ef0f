// A page with nothing but the replica of the product and a list, driven by tests and benchmarks through `stage`.
import { useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { COOKIES } from '#shared/constants.ts';
import type { Head } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import type { MutatorName } from '#shared/mutators.ts';
import { logOut, sendBeforeLogout } from '#client/api/logout.ts';
import { sweepAtStart } from '#client/api/lazy-signed-out.ts';
import { writeCookie } from '#client/api/cookies.ts';
import { endSession, signIn } from '#client/api/session.ts';
import { mutate, mutateAll } from '#client/replica/current-replica.ts';
import { openReplica, openedReplica } from '#client/replica/open-replica.ts';
import { ReplicaProvider } from '#client/replica/replica-context.tsx';
import type { FirstSync, MutateArgs } from '#client/replica/replica.ts';
import { IdbDatabase } from '#client/replica/worker/idb-database.ts';
import { OBJECT_STORE, promiseOf } from '#client/replica/worker/idb-requests.ts';
import { allRecords } from '#client/replica/worker/journal-records.ts';
import type { SyncStatus } from '#client/replica/status.ts';
import { realmsWithUnsent } from '#client/replica/unsent-records.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { ReplicaView } from '#client/replica/view.ts';
import { bareReplica } from './bare-replica.ts';
import { clientsIn, cookiesIn, isComplete } from './on-device.ts';
import { references } from './references.ts';
import { storeRounds } from './store-rounds.ts';
import { largestGroups, measureSwitches } from './switched-list.tsx';

interface StageOptions {
  userId: Id<'user'>;
  workspaceId: Id<'workspace'>;
  memoryOnly?: boolean;
  /** How many components read the replica. */
  lists?: number;
}

/** What tests can do in the page. */
export interface Stage {
  open(options: StageOptions): void;
  mutate<N extends MutatorName>(name: N, args: MutateArgs<N>): Promise<void>;
  mutateAll: typeof mutateAll;
  /** Milliseconds from the call to the changed list being on screen. */
  mutateToPaint<N extends MutatorName>(name: N, args: MutateArgs<N>): Promise<number>;
  status(): SyncStatus;
  firstSync(): FirstSync;
  count(): number;
  titles(limit: number): (string | null)[];
  find(id: string): Head<'memory'> | undefined;
  search(query: string): Promise<string[]>;
  body(address: { id: string; workspaceId: string; hash: string }): Promise<string | undefined>;
  signIn(user: Parameters<typeof signIn>[0]): void;
  sendBeforeLogout(): Promise<number>;
  logOut(): Promise<void>;
  databases(): Promise<string[]>;
  /** Keys of the changes that Replicache has not written yet. */
  journal(): Promise<string[]>;
  /** Whether Replicache has written something that contains the text. */
  isStored(text: string): Promise<boolean>;
  /** Clients that Replicache counts for a realm of this device. */
  clients(realmId: string): Promise<string[]>;
  /** Realms with changes that the device counts as not sent. */
  unsent(userId: string): Promise<string[]>;
  /** Whether a snapshot after the last page of the first sync is on the device. */
  isDurable(): Promise<boolean>;
  /** Durations of main-thread tasks over 50 ms so far. */
  longTasks: number[];
  /** Times since the start of the page at which something was first true; `start` = the replica was opened. */
  marks: { start?: number; firstRow?: number; fifty?: number; all?: number };
  references: typeof references;
  storeRounds: typeof storeRounds;
  bareReplica: typeof bareReplica;
  largestGroups: typeof largestGroups;
  measureSwitches: typeof measureSwitches;
}

const longTasks: number[] = [];
new PerformanceObserver((list) =>
  longTasks.push(...list.getEntries().map((entry) => entry.duration)),
).observe({
  type: 'longtask',
  buffered: true,
});

const marks: Stage['marks'] = {};

function Newest({ from }: { from: number }) {
  const rows = useQuery((view) => view.list('memory').slice(from, from + 50), [from]);
  useLayoutEffect(() => {
    if (rows.length > 0) marks.firstRow ??= performance.now();
    if (rows.length >= 50) marks.fifty ??= performance.now();
  }, [rows.length]);
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.id}>{row.title}</li>
      ))}
    </ul>
  );
}

function current() {
  const opened = openedReplica();
  if (!opened) throw new Error('Nothing is open');
  return opened;
}

const view = () => new ReplicaView(current().replica.mirrors);

function afterPaint(): Promise<number> {
  const channel = new MessageChannel();
  return new Promise((resolve) => {
    channel.port1.addEventListener('message', () => resolve(performance.now()));
    channel.port1.start();
    requestAnimationFrame(() => channel.port2.postMessage(0));
  });
}

async function recordsIn(name: string): Promise<string[]> {
  const database = new IdbDatabase(name);
  const store = (await database.begin('readonly')).objectStore(OBJECT_STORE);
  const keys = await promiseOf(store.getAllKeys(allRecords()));
  await database.close();
  return keys.map(String);
}

async function holds(name: string, text: string): Promise<boolean> {
  const database = new IdbDatabase(name);
  const store = (await database.begin('readonly')).objectStore(OBJECT_STORE);
  const chunks = await promiseOf<unknown[]>(store.getAll(IDBKeyRange.bound('c/', 'c0')));
  await database.close();
  return chunks.some((chunk) => JSON.stringify(chunk).includes(text));
}

/** Names of the databases of replicas. */
const replicas = async () => (await stage.databases()).filter((name) => name.startsWith('rep:'));

// The person on the stage is signed in, until the end of the session leads to the login page.
if (location.pathname !== '/login') writeCookie(COOKIES.session, 'token', 1);
void sweepAtStart();

globalThis.stage = {
  open({ userId, workspaceId, memoryOnly = false, lists = 1 }) {
    marks.start = performance.now();
    const { replica } = openReplica({ userId, token: 'token', memoryOnly, onUnauthorized: endSession });
    const root = document.querySelector('#root');
    if (!root) throw new Error('No root');
    createRoot(root).render(
      <ReplicaProvider replica={replica} workspaceId={workspaceId}>
        {Array.from({ length: lists }, (_unused, index) => (
          <Newest key={index} from={index * 50} />
        ))}
      </ReplicaProvider>,
    );
    const end = replica.subscribe(() => {
      if (replica.firstSync().state !== 'ready') return;
      marks.all ??= performance.now();
      end();
    });
  },
  mutate,
  mutateAll,
  async mutateToPaint(name, args) {
    const start = performance.now();
    await mutate(name, args);
    return (await afterPaint()) - start;
  },
  status: () => current().replica.status(),
  firstSync: () => current().replica.firstSync(),
  count: () => view().count('memory'),
  titles: (limit) =>
    view()
      .list('memory')
      .slice(0, limit)
      .map((row) => row.title),
  find: (id) => view().get('memory', id),
  async search(query) {
    return ((await current().search.search(query, {}))?.hits ?? []).map((hit) => hit.id);
  },
  async body({ hash }) {
    return await current().bodies?.find(hash);
  },
  signIn,
  async sendBeforeLogout() {
    return (await sendBeforeLogout()).length;
  },
  logOut,
  async databases() {
    return (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  },
  async journal() {
    return (await Promise.all((await replicas()).map(recordsIn))).flat();
  },
  async isStored(text) {
    const found = await Promise.all((await replicas()).map((name) => holds(name, text)));
    return found.includes(true);
  },
  async clients(realmId) {
    const name = (await replicas()).find((each) => each.includes(realmId));
    return name === undefined ? [] : await clientsIn(name);
  },
  unsent: realmsWithUnsent,
  async isDurable() {
    const { workspaceId = '' } = current().replica.mirrors;
    const name = (await replicas()).find((each) => each.includes(workspaceId));
    return name !== undefined && (await cookiesIn(name)).some(isComplete);
  },
  longTasks,
  marks,
  references,
  storeRounds,
  bareReplica,
  largestGroups,
  measureSwitches,
};
