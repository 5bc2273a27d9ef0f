// Brings back what other clients of this realm had noted in the journal when they ended (SYNC 1.3, 1.5 E4). A client
// that lives holds a lock under its name; only records of clients without one are taken over, by one tab at a time.
import type { Journal } from '#client/replica/worker/journal.ts';
import type { JournalRecord } from '#client/replica/worker/journal-records.ts';

/** What the recovery of one realm works on. */
export interface RecoveryOptions {
  /** Name of the replica's database, which the tabs share. */
  databaseName: string;
  journal: Journal;
  clientID: string;
  signal: AbortSignal;
  /** Clients whose end is waited for; starts empty. */
  awaited: Set<string>;
  /** Makes the mutation again as one of this client and notes that instead of the record. */
  replay(record: JournalRecord): Promise<void>;
}

/** Without locks (plain http in a local network) a record of this age is taken for one that nobody will finish. */
const ABANDONED_MS = 10_000;

const lockOf = (databaseName: string, clientID: string) => `loci-client-${databaseName}-${clientID}`;

const locks = (): LockManager | undefined => globalThis.navigator?.locks;

/** Says that the client lives until the signal ends it; resolves when others can see that. */
export function holdLife({
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

/** Those of the clients that live somewhere; undefined where nobody can know. */
export async function livingOf(databaseName: string): Promise<ReadonlySet<string> | undefined> {
  const held = (await locks()?.query())?.held;
  if (!held) return undefined;
  const prefix = lockOf(databaseName, '');
  // Who waits for the end of a client holds a shared lock for a moment and is not that client.
  return new Set(
    held.flatMap(({ name, mode }) =>
      mode === 'exclusive' && name?.startsWith(prefix) ? name.slice(prefix.length) : [],
    ),
  );
}

/** Takes over what ended clients left; afterwards waits for those that live and may end with something open. */
export async function recover(options: RecoveryOptions): Promise<void> {
  const { databaseName, signal, awaited } = options;
  if (!(await takeOverIfAny(options))) return;
  const living = await livingOf(databaseName);
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
  // Asked on both sides of the reading: one that began or ended meanwhile is left to the next time.
  const before = await livingOf(databaseName);
  const { records, clients } = await journal.read();
  const after = await livingOf(databaseName);
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
