// The storage that shared mutators see on this device: rows by kind and id over Replicache's keys. Writes are held
// back until the mutator has succeeded, so that one which throws in the middle leaves nothing behind.
import type { ReadonlyJSONObject, ReadonlyJSONValue, WriteTransaction } from 'replicache';
import type { Tx } from '#shared/define/mutator.ts';
import type { Head, SyncedKind } from '#shared/entities.ts';
import {
  DIRECT_KEY_KINDS,
  entityIdOf,
  KEY_PREFIX,
  keyOf,
  RESULT_PREFIX,
  SYNC_STATE_KEY,
} from '#shared/sync/keys.ts';
import { headOf, isHead } from '#client/replica/head.ts';

/** Where the key of a row is found by its id; fed by what the replica shows and by own writes. */
export type KeyMap = Map<string, string>;

/** Rows are plain JSON by construction; the type of the library wants to hear it. */
function isJson(_row: object): _row is ReadonlyJSONObject {
  return true;
}

/** Mutators' storage over one Replicache transaction. */
export class ClientTx implements Tx {
  readonly side = 'client';
  readonly #tx: WriteTransaction;
  readonly #keys: KeyMap;
  readonly #writes = new Map<string, ReadonlyJSONValue | undefined>();

  constructor(tx: WriteTransaction, keys: KeyMap) {
    this.#tx = tx;
    this.#keys = keys;
  }

  async #keyFor(kind: SyncedKind, id: string): Promise<string | undefined> {
    if (DIRECT_KEY_KINDS.has(kind)) return `${KEY_PREFIX[kind]}${id}`;
    const known = this.#keys.get(id);
    if (known?.startsWith(KEY_PREFIX[kind])) return known;
    // A row that arrived with the pull being rebased is not in the map yet.
    for await (const key of this.#tx.scan({ prefix: KEY_PREFIX[kind] }).keys()) {
      if (key.endsWith(`/${id}`)) return key;
    }
    return undefined;
  }

  async #read(key: string): Promise<unknown> {
    return this.#writes.has(key) ? this.#writes.get(key) : await this.#tx.get(key);
  }

  async get<K extends SyncedKind>(kind: K, id: string): Promise<Head<K> | undefined> {
    const key = await this.#keyFor(kind, id);
    const value = key === undefined ? undefined : await this.#read(key);
    return isHead(kind, value) ? value : undefined;
  }

  #put<K extends SyncedKind>(kind: K, row: Head<K>): void {
    const head = headOf(kind, row);
    const key = keyOf(kind, row);
    this.#keys.set(entityIdOf(kind, row), key);
    if (typeof head === 'object' && isJson(head)) this.#writes.set(key, head);
  }

  /** Whether the server has ever told this replica of its rows. */
  hasPulled(): Promise<boolean> {
    return this.#tx.has(SYNC_STATE_KEY);
  }

  async insert<K extends SyncedKind>(kind: K, row: Head<K>): Promise<void> {
    const key = keyOf(kind, row);
    // Made again at another time, or dated anew by the server, it would have another key.
    const known = this.#keys.get(entityIdOf(kind, row)) ?? key;
    for (const place of new Set([key, known])) if ((await this.#read(place)) !== undefined) return;
    this.#put(kind, row);
  }

  async update<K extends SyncedKind>(kind: K, id: string, fields: Partial<Head<K>>): Promise<void> {
    const row = await this.get(kind, id);
    if (row !== undefined) this.#put(kind, { ...row, ...fields });
  }

  async remove(kind: SyncedKind, id: string): Promise<void> {
    const key = await this.#keyFor(kind, id);
    if (key !== undefined) this.#writes.set(key, undefined);
  }

  /** Only the server decides which messages travel; a replica has nothing to write. */
  async openThread(): Promise<void> {}

  async acknowledge(resultId: string): Promise<void> {
    this.#writes.set(`${RESULT_PREFIX}${resultId}`, undefined);
  }

  /** Hands the held-back writes to Replicache. */
  async flush(): Promise<void> {
    for (const [key, value] of this.#writes) {
      if (value === undefined) await this.#tx.del(key);
      else await this.#tx.set(key, value);
    }
  }
}
