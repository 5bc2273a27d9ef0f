// The changes in a replica's database that the server has not confirmed, read without opening the replica: by the chain
// of commits that Replicache stores (format 7), and from the journal. Works for databases of people who are signed out.
import type { KVRead } from 'replicache';
import { isObject } from '#shared/is-object.ts';
import { userKey } from '#client/replica/user-key.ts';
import { unwrapReplay } from '#client/replica/worker/replayed.ts';
import { DatabaseGoneError, IdbDatabase, LaterVersionError } from '#client/replica/worker/idb-database.ts';
import { OBJECT_STORE, promiseOf } from '#client/replica/worker/idb-requests.ts';
import {
  allRecords,
  isRecord,
  recordKey,
  type JournalRecord,
} from '#client/replica/worker/journal-records.ts';
import { readStore } from '#client/replica/worker/kv-store.ts';

/** Ends the name of a database that holds nothing but the unsent changes of a replica. */
const UNSENT_SUFFIX = '~unsent';

/** Name of the database that holds a replica's unsent changes after the replica itself was removed. */
export function unsentNameOf(databaseName: string): string {
  return `${databaseName}${UNSENT_SUFFIX}`;
}

/** Whether the database holds nothing but unsent changes. */
export function isUnsentName(databaseName: string): boolean {
  return databaseName.endsWith(UNSENT_SUFFIX);
}

/** The name of the replica that the changes belong to. */
export function replicaNameOf(databaseName: string): string {
  return isUnsentName(databaseName) ? databaseName.slice(0, -UNSENT_SUFFIX.length) : databaseName;
}

/** Realms of a person with unsent changes on this device; those that are `known` are not looked at. */
export async function realmsWithUnsent(
  userId: string,
  known: { has(realmId: string): boolean } = new Set(),
): Promise<string[]> {
  const prefix = `rep:${userKey(userId)}:`;
  const found: string[] = [];
  for (const { name = '' } of (await globalThis.indexedDB?.databases?.()) ?? []) {
    if (!name.startsWith(prefix)) continue;
    const [realmId = ''] = name.slice(prefix.length).split(':');
    if (known.has(realmId) || found.includes(realmId)) continue;
    try {
      if ((await readUnsent(name)).length > 0) found.push(realmId);
    } catch (error) {
      // A page of another version holds on to it, or the disk is too full to convert it; the others count all the same.
      console.info('replica: unsent changes could not be looked for', error);
    }
  }
  return found;
}

/** Type of a commit that holds one mutation. */
const LOCAL_COMMIT = 4;

type Fields = Readonly<Record<string, unknown>>;

interface Commit {
  record: JournalRecord;
  basis: string;
}

function timeOf(args: unknown): number {
  const at = isObject(args) && typeof args['at'] === 'string' ? Date.parse(args['at']) : Number.NaN;
  return Number.isNaN(at) ? 0 : at;
}

/** The mutation of a commit; undefined for snapshots, where the chain ends. */
function commitIn(chunk: unknown): Commit | undefined {
  const meta = isObject(chunk) ? chunk['meta'] : undefined;
  if (!isObject(meta) || meta['type'] !== LOCAL_COMMIT) return undefined;
  const { clientID, mutationID: id, mutatorName, mutatorArgsJSON, basisHash } = meta;
  if (typeof clientID !== 'string' || typeof id !== 'number') return undefined;
  if (typeof mutatorName !== 'string' || typeof basisHash !== 'string') return undefined;
  const { name, args, replayOf } = unwrapReplay({ name: mutatorName, args: mutatorArgsJSON });
  const repeats = replayOf === undefined ? {} : { of: replayOf };
  return { record: { clientID, id, name, args, at: timeOf(args), ...repeats }, basis: basisHash };
}

function acknowledged(group: Fields, clientID: string): number {
  const ids = group['lastServerAckdMutationIDs'];
  const id = isObject(ids) ? ids[clientID] : undefined;
  return typeof id === 'number' ? id : 0;
}

function chunkOf(read: KVRead, hash: unknown): Promise<unknown> {
  return read.get(`c/${String(hash)}/d`);
}

/** Values of a list in Replicache's store, such as its clients; undefined when the head points to a missing chunk. */
async function listAt(read: KVRead, head: string): Promise<Fields[] | undefined> {
  const hash = await read.get(head);
  // Before it is written the first time.
  if (hash === undefined) return [];
  const list = await chunkOf(read, hash);
  return isObject(list) ? Object.values(list).filter(isObject) : undefined;
}

async function unsentCommits(read: KVRead): Promise<JournalRecord[]> {
  const found: JournalRecord[] = [];
  for (const group of (await listAt(read, 'h/client-groups')) ?? []) {
    // Unsent changes of a group that the server no longer knows were moved to lost and found at that moment.
    if (group['disabled'] === true) continue;
    let commit = commitIn(await chunkOf(read, group['headHash']));
    while (commit) {
      const { record, basis } = commit;
      if (record.id > acknowledged(group, record.clientID)) found.push(record);
      commit = commitIn(await chunkOf(read, basis));
    }
  }
  return found;
}

async function journalIn(database: IdbDatabase): Promise<JournalRecord[]> {
  const store = (await database.begin('readonly')).objectStore(OBJECT_STORE);
  return (await promiseOf<unknown[]>(store.getAll(allRecords()))).filter(isRecord);
}

/**
 * Reads a database from outside; undefined when there is none, or it has another form and is no replica.
 * @throws when it cannot be read now, such as one that a page of a later version has converted
 */
async function lookInto<T>(
  databaseName: string,
  read: (database: IdbDatabase) => Promise<T>,
): Promise<T | undefined> {
  // A database that the browser has just deleted must not be created again: a page that still uses it would write into
  // the empty one and never notice the loss.
  const database = new IdbDatabase(databaseName, { mayCreate: false });
  try {
    return await read(database);
  } catch (error) {
    if (error instanceof DatabaseGoneError && !(error instanceof LaterVersionError)) return undefined;
    throw error;
  } finally {
    await database.close();
  }
}

/** Unsent changes in the order in which they were made, each once. @throws as `lookInto` */
export async function readUnsent(databaseName: string): Promise<JournalRecord[]> {
  const all = await lookInto(databaseName, async (database) => [
    ...(await journalIn(database)),
    ...(await unsentCommits(await readStore(database))),
  ]);
  const once = new Map(all?.map((record) => [recordKey(record), record]));
  return [...once.values()].sort((one, other) => one.at - other.at || one.id - other.id);
}

/** Facts for deciding whether a database that was not opened for long may be removed. */
export interface LeftUse {
  hasUnsent: boolean;
  /** The last sign of life of any of its clients, in milliseconds. */
  usedAt: number;
}

/** Whether the server has confirmed every change that the group made, by its counts. */
function isConfirmed(group: Fields): boolean {
  const { mutationIDs } = group;
  if (!isObject(mutationIDs)) return false;
  return Object.entries(mutationIDs).every(
    ([clientID, id]) => typeof id === 'number' && id <= acknowledged(group, clientID),
  );
}

/**
 * How a database was left; undefined when there is none. Changes of groups that the server has forgotten count as unsent
 * here: Replicache also marks groups of earlier clients so, whose changes were put nowhere else. @throws as `lookInto`
 */
export function readUse(databaseName: string): Promise<LeftUse | undefined> {
  return lookInto(databaseName, async (database) => {
    const read = await readStore(database);
    const groups = await listAt(read, 'h/client-groups');
    const clients = await listAt(read, 'h/clients');
    if (!groups || !clients) throw new Error(`${databaseName} is damaged`);
    return {
      hasUnsent: (await journalIn(database)).length > 0 || !groups.every(isConfirmed),
      usedAt: Math.max(
        0,
        ...clients.map(({ heartbeatTimestampMs: at }) => (typeof at === 'number' ? at : 0)),
      ),
    };
  });
}
