// The write-ahead records inside a replica's own database: their keys, and their removal by a write of Replicache. One
// transaction stores a change and removes its record, so a record exists exactly as long as it is needed. Beside them the log:
// the recent changes, also after they were sent, in case the server loses them. Knows keys and IndexedDB stores; must not know
// connections or Replicache's instances.
import { isObject } from '#shared/is-object.ts';

export interface MutationRef {
  clientID: string;
  id: number;
}

/** A mutation that Replicache may not have written to the device yet. */
export interface JournalRecord extends MutationRef {
  name: string;
  args: unknown;
  /** When it was made, in milliseconds; orders the records of several tabs. */
  at: number;
  /** The mutations that this one repeats after a crash, the first one first. */
  of?: readonly MutationRef[];
}

const RECORD_PREFIX = 'j/';
/** The highest mutation id of a client that is on the device. */
const MARK_PREFIX = 'p/';
/** A recent mutation, sent or not. */
const LOG_PREFIX = 's/';
/** When the replica was last compared with the server, in milliseconds. */
export const CHECK_KEY = 'x/checked';
const DIGITS = 12;
/** Ids from here on are those of changes that are about to be made and have no id of Replicache yet. */
export const PLANNED_FROM = 10 ** (DIGITS - 1);
/** Type of a commit that holds one mutation, in Replicache's format 7. */
const LOCAL_COMMIT = 4;

/** Key of a record; keys of one client are in the order of its mutations. */
export function recordKey({ clientID, id }: MutationRef): string {
  return `${RECORD_PREFIX}${clientID}/${String(id).padStart(DIGITS, '0')}`;
}

export const logKey = (ref: MutationRef): string => `${LOG_PREFIX}${recordKey(ref)}`;

export function markKey(clientID: string): string {
  return `${MARK_PREFIX}${clientID}`;
}

export function recordRange(clientID: string, upTo = Number.MAX_SAFE_INTEGER): IDBKeyRange {
  const last = Math.min(upTo, 10 ** DIGITS - 1);
  return IDBKeyRange.bound(recordKey({ clientID, id: 0 }), recordKey({ clientID, id: last }));
}

/** Whether the change is only about to be made. */
export const isPlanned = ({ id }: MutationRef): boolean => id > PLANNED_FROM;

export const allRecords = (): IDBKeyRange => IDBKeyRange.bound(RECORD_PREFIX, 'j0', false, true);
export const wholeLog = (): IDBKeyRange => IDBKeyRange.bound(LOG_PREFIX, 's0', false, true);
export const allMarks = (): IDBKeyRange => IDBKeyRange.bound(MARK_PREFIX, 'p0', false, true);

export function clientOfMark(key: string): string {
  return key.slice(MARK_PREFIX.length);
}

export function isRecord(value: unknown): value is JournalRecord {
  return isObject(value) && 'clientID' in value && 'id' in value && 'name' in value && 'at' in value;
}

function mutationIn(chunk: unknown): MutationRef | undefined {
  const meta = isObject(chunk) && 'meta' in chunk ? chunk.meta : undefined;
  if (!isObject(meta) || !('type' in meta) || meta.type !== LOCAL_COMMIT) return undefined;
  if (!('clientID' in meta) || !('mutationID' in meta)) return undefined;
  const { clientID, mutationID: id } = meta;
  return typeof clientID === 'string' && typeof id === 'number' ? { clientID, id } : undefined;
}

/** Called with what Replicache writes, inside its transaction: the mutations among it need no record any more. */
export function removeWrittenRecords(store: IDBObjectStore, written: Iterable<unknown>): void {
  const newest = new Map<string, number>();
  for (const value of written) {
    const mutation = mutationIn(value);
    if (mutation && mutation.id > (newest.get(mutation.clientID) ?? 0)) {
      newest.set(mutation.clientID, mutation.id);
    }
  }
  for (const [clientID, id] of newest) {
    store.delete(recordRange(clientID, id));
    store.put(id, markKey(clientID));
  }
}
