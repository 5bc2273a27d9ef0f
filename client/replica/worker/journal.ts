// The write-ahead journal of one replica. Replicache writes to the device when it is idle; until then a crash would lose the
// latest changes. Each mutation is recorded here and flushed to disk before the page is notified that it was applied. Records
// made at the same time share one transaction.
import { SYNC } from '#shared/sync/limits.ts';
import { IdbDatabase } from '#client/replica/worker/idb-database.ts';
import { committed, OBJECT_STORE, promiseOf } from '#client/replica/worker/idb-requests.ts';
import {
  allMarks,
  allRecords,
  CHECK_KEY,
  clientOfMark,
  isPlanned,
  isRecord,
  logKey,
  markKey,
  recordKey,
  recordRange,
  wholeLog,
  type JournalRecord,
  type MutationRef,
} from '#client/replica/worker/journal-records.ts';

/** Stores the changes that Replicache has not written yet. */
export interface Journal {
  /** Resolves when the records are on disk, all or none; the record `instead` is removed in the same transaction. */
  add(records: readonly JournalRecord[], instead?: MutationRef): Promise<void>;
  /** The server has processed the client's mutations up to this one. */
  confirm(last: MutationRef): Promise<void>;
  /** Records that may be lost, of all clients, oldest first, and every client that has data here. */
  read(): Promise<{ records: JournalRecord[]; clients: string[] }>;
  /**
   * Recreates the records of recent mutations that the server does not have, except those of running clients: all that follow
   * the last one it has of each client.
   */
  requeue(lastIds: Readonly<Record<string, number>>, isRunning: (clientID: string) => boolean): Promise<void>;
  /** The names of recent mutations. */
  logged(): Promise<MutationRef[]>;
  /** Removes changes, from the log too, because they are stored elsewhere now. */
  drop(refs: readonly MutationRef[]): Promise<void>;
  /** Removes the entries of ended clients. */
  forget(clientIDs: readonly string[]): Promise<void>;
  /** When the replica was last compared with the server; undefined before the first time. */
  checkedAt(): Promise<number | undefined>;
  /** Stores the time of a comparison with the server. */
  recordCheck(at: number): Promise<void>;
  close(): Promise<void>;
}

export type OpenJournal = (databaseName: string) => Journal;

interface Waiting {
  records: readonly JournalRecord[];
  instead: MutationRef | undefined;
  resolve(): void;
  reject(error: unknown): void;
}

/** Bounds of the log, and the number of records after which it is trimmed. */
const LOG_MAX = 2_000;
const LOG_MAX_BYTES = 8 * 1024 * 1024;
const LOG_TRIM_EVERY = 100;

async function logIn(store: IDBObjectStore): Promise<JournalRecord[]> {
  return (await promiseOf<unknown[]>(store.getAll(wholeLog()))).filter(isRecord);
}

class IdbJournal implements Journal {
  readonly #database: IdbDatabase;
  #queue: Waiting[] = [];
  #isWriting = false;
  /** Records since the log was trimmed; at the first write it is. */
  #logged = LOG_TRIM_EVERY;
  /** Bytes recorded by this page that may still be stored. */
  #bytes = 0;

  constructor(name: string) {
    this.#database = new IdbDatabase(name);
  }

  add(records: readonly JournalRecord[], instead?: MutationRef): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ records, instead, resolve, reject });
      if (!this.#isWriting) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isWriting = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        await this.#write(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isWriting = false;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const records = batch.flatMap((waiting) => waiting.records);
    await this.#checkRoom(records);
    const transaction = await this.#database.begin('readwrite', 'strict');
    const store = transaction.objectStore(OBJECT_STORE);
    const done = committed(transaction);
    const marks = new Map<string, unknown>();
    for (const { clientID } of records) marks.set(clientID, undefined);
    for (const clientID of marks.keys()) {
      marks.set(clientID, await promiseOf<unknown>(store.get(markKey(clientID))));
    }
    for (const record of records) {
      const mark = marks.get(record.clientID);
      // Replicache was faster: the change itself is on the device.
      if (typeof mark !== 'number' || mark < record.id) store.put(record, recordKey(record));
      // A plan ends as a change, which is logged then.
      if (!isPlanned(record)) store.put(record, logKey(record));
    }
    for (const { instead } of batch) if (instead) store.delete(recordKey(instead));
    await done;
    this.#logged += records.length;
    if (this.#logged >= LOG_TRIM_EVERY) await this.#trimLog();
  }

  /** Bounds the log by age, number and size, the oldest first. */
  async #trimLog(): Promise<void> {
    this.#logged = 0;
    const transaction = await this.#database.begin('readwrite');
    const store = transaction.objectStore(OBJECT_STORE);
    const done = committed(transaction);
    const since = Date.now() - SYNC.clientMaxAgeMs;
    let bytes = 0;
    const newestFirst = (await logIn(store)).toSorted((one, other) => other.at - one.at);
    for (const [place, record] of newestFirst.entries()) {
      bytes += JSON.stringify(record).length;
      if (place >= LOG_MAX || bytes > LOG_MAX_BYTES || record.at < since) store.delete(logKey(record));
    }
    await done;
  }

  async requeue(
    lastIds: Readonly<Record<string, number>>,
    isRunning: (clientID: string) => boolean,
  ): Promise<void> {
    const transaction = await this.#database.begin('readwrite', 'strict');
    const store = transaction.objectStore(OBJECT_STORE);
    const done = committed(transaction);
    // The server forgets clients that are out of use for longer, with all that they sent.
    const oldest = Date.now() - SYNC.clientMaxAgeMs;
    const missing = (await logIn(store)).filter(
      ({ clientID, id, at }) => id > (lastIds[clientID] ?? 0) && at > oldest && !isRunning(clientID),
    );
    for (const record of missing) {
      store.put(record, recordKey(record));
      store.delete(logKey(record));
    }
    await done;
  }

  async logged(): Promise<MutationRef[]> {
    const store = (await this.#database.begin('readonly')).objectStore(OBJECT_STORE);
    return logIn(store);
  }

  /** A device that accepts records but never Replicache's own writes must not fill up with records. */
  async #checkRoom(records: readonly JournalRecord[]): Promise<void> {
    const more = records.reduce((sum, { args }) => sum + (JSON.stringify(args)?.length ?? 0), 0);
    if (this.#bytes + more > SYNC.journalMaxBytes) {
      const store = (await this.#database.begin('readonly')).objectStore(OBJECT_STORE);
      const held = await promiseOf<unknown[]>(store.getAll(allRecords()));
      this.#bytes = JSON.stringify(held).length;
    }
    if (this.#bytes + more > SYNC.journalMaxBytes) {
      throw new DOMException('The journal is full', 'QuotaExceededError');
    }
    this.#bytes += more;
  }

  async confirm({ clientID, id }: MutationRef): Promise<void> {
    await this.#change((store) => store.delete(recordRange(clientID, id)));
  }

  async read(): Promise<{ records: JournalRecord[]; clients: string[] }> {
    const store = (await this.#database.begin('readonly')).objectStore(OBJECT_STORE);
    const [found, marks] = await Promise.all([
      promiseOf<unknown[]>(store.getAll(allRecords())),
      promiseOf(store.getAllKeys(allMarks())),
    ]);
    const records = found.filter(isRecord).sort((one, other) => one.at - other.at || one.id - other.id);
    const marked = marks.flatMap((key) => (typeof key === 'string' ? clientOfMark(key) : []));
    return { records, clients: [...new Set([...records.map(({ clientID }) => clientID), ...marked])] };
  }

  async drop(refs: readonly MutationRef[]): Promise<void> {
    await this.#change((store) => {
      for (const ref of refs) [recordKey(ref), logKey(ref)].forEach((key) => store.delete(key));
    });
  }

  async forget(clientIDs: readonly string[]): Promise<void> {
    await this.#change((store) => clientIDs.forEach((clientID) => store.delete(markKey(clientID))));
  }

  async checkedAt(): Promise<number | undefined> {
    const store = (await this.#database.begin('readonly')).objectStore(OBJECT_STORE);
    const at: unknown = await promiseOf(store.get(CHECK_KEY));
    return typeof at === 'number' ? at : undefined;
  }

  async recordCheck(at: number): Promise<void> {
    await this.#change((store) => store.put(at, CHECK_KEY));
  }

  async #change(act: (store: IDBObjectStore) => void): Promise<void> {
    const transaction = await this.#database.begin('readwrite');
    const done = committed(transaction);
    act(transaction.objectStore(OBJECT_STORE));
    await done;
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}

/** Opens the journal inside the replica's own database, so that both are deleted together. */
export const openIdbJournal: OpenJournal = (databaseName) => new IdbJournal(databaseName);
