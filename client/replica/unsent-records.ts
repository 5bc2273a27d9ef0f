// The changes in a replica's database that the server has not confirmed, read without opening the replica: by the chain
// of commits that Replicache stores (format 7), and from the journal. Works for databases of people who are signed out.
import { userKey } from '#client/replica/user-key.ts';
import { unwrapReplay } from '#client/replica/worker/replayed.ts';
import { IdbDatabase, OBJECT_STORE, promiseOf } from '#client/replica/worker/idb-database.ts';
import {
  allRecords,
  isRecord,
  recordKey,
  type JournalRecord,
} from '#client/replica/worker/journal-records.ts';

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

/** Realms of a person with unsent changes on this device. */
export async function realmsWithUnsent(userId: string): Promise<string[]> {
  const prefix = `rep:${userKey(userId)}:`;
  const found: string[] = [];
  for (const { name = '' } of (await globalThis.indexedDB?.databases?.()) ?? []) {
    if (!name.startsWith(prefix)) continue;
    const [realmId = ''] = name.slice(prefix.length).split(':');
    if (!found.includes(realmId) && (await readUnsent(name)).length > 0) found.push(realmId);
  }
  return found;
}

/** Type of a commit that holds one mutation. */
const LOCAL_COMMIT = 4;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

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

function acknowledged(group: Readonly<Record<string, unknown>>, clientID: string): number {
  const ids = group['lastServerAckdMutationIDs'];
  const id = isObject(ids) ? ids[clientID] : undefined;
  return typeof id === 'number' ? id : 0;
}

async function unsentCommits(store: IDBObjectStore): Promise<JournalRecord[]> {
  const chunk = (hash: unknown) => promiseOf<unknown>(store.get(`c/${String(hash)}/d`));
  const groups = await chunk(await promiseOf<unknown>(store.get('h/client-groups')));
  const found: JournalRecord[] = [];
  for (const group of isObject(groups) ? Object.values(groups) : []) {
    // What a group that was forgotten by the server still had was put to lost and found at that moment.
    if (!isObject(group) || group['disabled'] === true) continue;
    let commit = commitIn(await chunk(group['headHash']));
    while (commit) {
      const { record, basis } = commit;
      if (record.id > acknowledged(group, record.clientID)) found.push(record);
      commit = commitIn(await chunk(basis));
    }
  }
  return found;
}

/** Unsent changes in the order in which they were made, each once. */
export async function readUnsent(databaseName: string): Promise<JournalRecord[]> {
  const database = new IdbDatabase(databaseName);
  try {
    const store = (await database.begin('readonly')).objectStore(OBJECT_STORE);
    const noted = (await promiseOf<unknown[]>(store.getAll(allRecords()))).filter(isRecord);
    const all = [...noted, ...(await unsentCommits(store))];
    const once = new Map(all.map((record) => [recordKey(record), record]));
    return [...once.values()].sort((one, other) => one.at - other.at || one.id - other.id);
  } catch (error) {
    // A database of another form is not a replica; an unreadable one must not prevent the removal of the others.
    if (error instanceof DOMException && error.name === 'NotFoundError') return [];
    throw error;
  } finally {
    await database.close();
  }
}
