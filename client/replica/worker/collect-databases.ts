// Removes databases of replicas that have not been opened for long: those of earlier versions of the app and of workspaces that
// are no longer visited. The rule is that of Replicache, which must not do it itself (`registry.ts`). Databases with unsent
// changes stay regardless of age, and so do those that a tab has open: Replicache records a time only when it opens a database.
import { dropDatabase, type KVStoreProvider } from 'replicache';
import { SYNC } from '#shared/sync/limits.ts';
import { REPLICA_REGISTRY } from '#client/replica/device-names.ts';
import { readUse } from '#client/replica/unsent-records.ts';
import { DatabaseGoneError, IdbDatabase } from '#client/replica/worker/idb-database.ts';
import { readStore } from '#client/replica/worker/kv-store.ts';
import { liveClients } from '#client/replica/worker/recovery.ts';
import { registeredIn, type Registered } from '#client/replica/worker/registry.ts';

/** Twice the time for which clients are stored, as in Replicache. */
const UNUSED_MS = 2 * SYNC.clientMaxAgeMs;
/** The start of the app comes first. */
const FIRST_MS = 5 * 60_000;
const INTERVAL_MS = 12 * 3_600_000;

export interface CollectionOptions {
  kvStore: KVStoreProvider;
  /** False while the session allows nothing on this device. */
  mayRun(): boolean;
  isOpen(databaseName: string): boolean;
}

/** Collects some minutes from now, and again twice a day. */
export function collectRegularly(options: CollectionOptions, waitMs = FIRST_MS): void {
  setTimeout(() => {
    const run = options.mayRun() ? collect(options) : Promise.resolve();
    run
      .catch((error: unknown) => console.info('replica: old databases were not looked for', error))
      .finally(() => collectRegularly(options, INTERVAL_MS));
  }, waitMs);
}

async function collect(options: CollectionOptions): Promise<void> {
  for (const { name } of await unopened()) {
    try {
      // Checked last and without await: a database that this page opens from here on is opened after the removal.
      if ((await isUnused(name)) && !options.isOpen(name))
        await dropDatabase(name, { kvStore: options.kvStore });
    } catch (error) {
      console.info('replica: an old database stays', error);
    }
  }
}

const isLongAgo = (at: number) => Date.now() - at > UNUSED_MS;

/** Databases whose last opening was long ago. */
async function unopened(): Promise<Registered[]> {
  const database = new IdbDatabase(REPLICA_REGISTRY, { mayCreate: false });
  try {
    const all = await registeredIn(await readStore(database));
    return all.filter(({ openedAt }) => isLongAgo(openedAt));
  } catch (error) {
    if (error instanceof DatabaseGoneError) return [];
    throw error;
  } finally {
    await database.close();
  }
}

async function isUnused(name: string): Promise<boolean> {
  if (await hasClients(name)) return false;
  const use = await readUse(name);
  if (use && (use.hasUnsent || !isLongAgo(use.usedAt))) return false;
  // Reading took its time, in which a tab may have opened it.
  return (await unopened()).some((each) => each.name === name) && !(await hasClients(name));
}

/** Without the Web Locks API (plain http) a tab is only known by its signs of life. */
async function hasClients(name: string): Promise<boolean> {
  return ((await liveClients(name))?.size ?? 0) > 0;
}
