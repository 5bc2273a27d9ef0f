// Recovers the journal records of this realm's ended clients. A running client holds a lock under its name; only records of
// clients without a lock are adopted, by one tab at a time.
import type { Journal } from '#client/replica/worker/journal.ts';
import type { JournalRecord } from '#client/replica/worker/journal-records.ts';

export interface RecoveryOptions {
  /** Name of the replica's database, which the tabs share. */
  databaseName: string;
  journal: Journal;
  clientID: string;
  signal: AbortSignal;
  /** Clients whose end is waited for; starts empty. */
  awaited: Set<string>;
  /** Applies the mutation again as one of this client, and replaces the record. */
  replay(record: JournalRecord): Promise<void>;
}

/** Age at which a record counts as abandoned where the Web Locks API is missing (plain http in a local network). */
const ABANDONED_MS = 10_000;

const lockOf = (databaseName: string, clientID: string) => `loci-client-${databaseName}-${clientID}`;

const locks = (): LockManager | undefined => globalThis.navigator?.locks;

/** Holds the client's lock until the signal aborts; resolves once other tabs can see it. */
export function holdClientLock({
  databaseName,
  clientID,
  signal,
}: Pick<RecoveryOptions, 'databaseName' | 'clientID' | 'signal'>): Promise<void> {
  const manager = locks();
  if (!manager) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const life = manager.request(lockOf(databaseName, clientID), () => {
      resolve();
      return new Promise<void>((end) => signal.addEventListener('abort', () => end(), { once: true }));
    });
    life.catch(reject);
  });
}

/** The clients that are running; undefined where locks are not available. */
export async function liveClients(databaseName: string): Promise<ReadonlySet<string> | undefined> {
  const held = (await locks()?.query())?.held;
  if (!held) return undefined;
  const prefix = lockOf(databaseName, '');
  // A tab that waits for the end of a client holds a shared lock for a moment and is not that client.
  return new Set(
    held.flatMap(({ name, mode }) =>
      mode === 'exclusive' && name?.startsWith(prefix) ? name.slice(prefix.length) : [],
    ),
  );
}

/** Adopts the records of ended clients; afterwards waits for the running ones, which may end with open records. */
export async function recover(options: RecoveryOptions): Promise<void> {
  const { databaseName, signal, awaited } = options;
  if (!(await takeOverIfAny(options))) return;
  const living = await liveClients(databaseName);
  const { clients } = await options.journal.read();
  for (const client of clients) {
    if (signal.aborted || !living?.has(client) || client === options.clientID || awaited.has(client))
      continue;
    awaited.add(client);
    void awaitEnd(options, client);
  }
}

async function takeOverIfAny(options: RecoveryOptions): Promise<boolean> {
  const { journal, databaseName, clientID, signal } = options;
  const { clients } = await journal.read();
  if (signal.aborted || !clients.some((client) => client !== clientID)) return false;
  const manager = locks();
  if (manager) await manager.request(`loci-recovery-${databaseName}`, { signal }, () => takeOver(options));
  else await takeOver(options);
  return true;
}

async function takeOver({ journal, databaseName, clientID, signal, replay }: RecoveryOptions): Promise<void> {
  // Queried before and after the read: a client that started or ended in between is left for the next recovery.
  const before = await liveClients(databaseName);
  const { records, clients } = await journal.read();
  const after = await liveClients(databaseName);
  const isEnded = (client: string) => client !== clientID && !before?.has(client) && !after?.has(client);
  const isAbandoned = ({ at }: JournalRecord) => after !== undefined || Date.now() - at > ABANDONED_MS;
  for (const record of records) {
    if (signal.aborted) return;
    if (isEnded(record.clientID) && isAbandoned(record)) await replay(record);
  }
  if (after) await journal.forget(clients.filter(isEnded));
}

/** A reloaded page may still be ending while its successor starts. */
async function awaitEnd(options: RecoveryOptions, other: string): Promise<void> {
  const { databaseName, signal, awaited } = options;
  try {
    await locks()?.request(lockOf(databaseName, other), { mode: 'shared', signal }, () => undefined);
    awaited.delete(other);
    await recover(options);
  } catch (error) {
    if (!signal.aborted) console.warn('replica: what another tab left could not be taken over', error);
  }
}
