// The storage that shared mutators see on this device: rows by kind and id over Replicache's keys. Writes are held
// back until the mutator has succeeded, so that one which throws in the middle leaves nothing behind.
import type { ReadonlyJSONObject, ReadonlyJSONValue, WriteTransaction } from 'replicache';
import { isRepeatedInsert, type Tx } from '#shared/define/mutator.ts';
import { oneByOne } from '#shared/define/one-by-one.ts';
import { withDefaults, type Head, type SyncedKind } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import { entityIdOf, KINDS } from '#shared/kinds.ts';
import { byPlace } from '#shared/threads/message-order.ts';
import { directKeyOf, idOfKey, keyOf, RESULT_PREFIX, SYNC_STATE_KEY } from '#shared/sync/keys.ts';
import { headOf, isHead } from '#client/replica/head.ts';

/** Where the key of a row is found by its id; fed by what the replica shows and by own writes. */
export type KeyMap = Map<string, string>;

/** Key of a row in the map. The kind is part of it, because some kinds use the id of their person. */
export function nameInMap(kind: SyncedKind, id: string): string {
  return `${kind}/${id}`;
}

/** Rows are plain JSON by construction; this narrows them to the library's type. */
function isJson(_row: object): _row is ReadonlyJSONObject {
  return true;
}

/** Mutators' storage over one Replicache transaction. */
export class ClientTx implements Tx {
  readonly side = 'client';
  readonly #tx: WriteTransaction;
  readonly #keys: KeyMap;
  readonly #writes = new Map<string, ReadonlyJSONValue | undefined>();
  readonly #many = oneByOne(this);
  readonly insertMany: Tx['insertMany'] = this.#many.insertMany;
  readonly updateEach: Tx['updateEach'] = this.#many.updateEach;
  readonly removeMany: Tx['removeMany'] = this.#many.removeMany;

  constructor(tx: WriteTransaction, keys: KeyMap) {
    this.#tx = tx;
    this.#keys = keys;
  }

  async #keyFor(kind: SyncedKind, id: string): Promise<string | undefined> {
    const direct = directKeyOf(kind, id);
    if (direct !== undefined) return direct;
    const { prefix } = KINDS[kind];
    const known = this.#keys.get(nameInMap(kind, id));
    if (known !== undefined) return known;
    // A row that arrived with the pull being rebased is not in the map yet.
    for await (const key of this.#tx.scan({ prefix }).keys()) {
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
    return isHead(kind, value) ? withDefaults(kind, value) : undefined;
  }

  #put<K extends SyncedKind>(kind: K, row: Head<K>): void {
    const head = headOf(kind, row);
    const key = keyOf(kind, row);
    this.#keys.set(nameInMap(kind, entityIdOf(kind, row)), key);
    if (typeof head === 'object' && isJson(head)) this.#writes.set(key, head);
  }

  /** Whether this replica has ever completed a pull. */
  hasPulled(): Promise<boolean> {
    return this.#tx.has(SYNC_STATE_KEY);
  }

  async insert<K extends SyncedKind>(kind: K, row: Head<K>): Promise<boolean> {
    const key = keyOf(kind, row);
    // The same row under another time, made again here or changed by the server, would have another key.
    const known = this.#keys.get(nameInMap(kind, entityIdOf(kind, row))) ?? key;
    for (const place of new Set([key, known])) {
      const found = await this.#read(place);
      if (found === undefined) continue;
      if (isHead(kind, found) && isRepeatedInsert(kind, found, row)) return false;
      throw new AppError('conflict', 'This id is taken');
    }
    this.#put(kind, row);
    return true;
  }

  async update<K extends SyncedKind>(kind: K, id: string, fields: Partial<Head<K>>): Promise<void> {
    const row = await this.get(kind, id);
    if (row !== undefined) this.#put(kind, { ...row, ...fields });
  }

  async remove(kind: SyncedKind, id: string): Promise<void> {
    const key = await this.#keyFor(kind, id);
    if (key !== undefined) this.#writes.set(key, undefined);
  }

  async getMany<K extends SyncedKind>(
    kind: K,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Head<K>>> {
    const keys = await this.#keysFor(kind, ids);
    const found = new Map<string, Head<K>>();
    for (const [id, key] of keys) {
      const value = await this.#read(key);
      if (isHead(kind, value)) found.set(id, withDefaults(kind, value));
    }
    return found;
  }

  /** Keys that the map does not have are found in one scan; a scan for each id would read everything that many times. */
  async #keysFor(kind: SyncedKind, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { prefix } = KINDS[kind];
    const found = new Map<string, string>();
    const missing = new Set<string>();
    for (const id of ids) {
      const key = directKeyOf(kind, id) ?? this.#keys.get(nameInMap(kind, id));
      if (key !== undefined) found.set(id, key);
      else missing.add(id);
    }
    if (missing.size === 0) return found;
    for await (const key of this.#tx.scan({ prefix }).keys()) {
      const id = idOfKey(kind, key);
      if (missing.has(id)) found.set(id, key);
    }
    return found;
  }

  async ownGrants(): Promise<readonly Head<'grant'>[]> {
    const found = new Map<string, unknown>();
    const { prefix } = KINDS.grant;
    for await (const [key, value] of this.#tx.scan({ prefix }).entries()) found.set(key, value);
    for (const [key, value] of this.#writes) if (key.startsWith(prefix)) found.set(key, value);
    return [...found.values()].filter((value) => isHead('grant', value));
  }

  async messagesUpTo(last: Head<'message'>): Promise<readonly Head<'message'>[]> {
    const prefix = `${KINDS.message.prefix}${last.threadId}/`;
    const found = new Map<string, unknown>();
    for await (const [key, value] of this.#tx.scan({ prefix }).entries()) found.set(key, value);
    for (const [key, value] of this.#writes) if (key.startsWith(prefix)) found.set(key, value);
    return [...found.values()]
      .filter((value) => isHead('message', value))
      .map((row) => withDefaults('message', row))
      .filter((row) => row.versionOf === null && byPlace(row, last) <= 0)
      .sort(byPlace);
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
