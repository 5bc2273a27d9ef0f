// Long texts on this device, stored under their hash up to a size limit; the least recently used are evicted first.
// Where storage is not allowed or fails, they live as long as the page. A text is only found under its own hash, so it
// can never be stale.
import { SYNC } from '#shared/sync/limits.ts';
import { addressOf } from '#shared/hash.ts';
import { capOnDevice, countBytes, evictLeastUsed } from '#client/replica/least-used.ts';
import type { DeviceTables } from '#client/replica/lazy-device.ts';
import { storageSign } from '#client/replica/worker/storage-watch.ts';
import type { DeviceDatabase, StoredBody } from '#client/replica/device-database.ts';

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Maximum bytes of texts on this device. */
function bodyCap(): Promise<number> {
  return capOnDevice(SYNC.bodyCacheMaxBytes, SYNC.bodyCacheQuotaShare);
}

/** Content-addressed texts of one person. */
export class BodyCache {
  readonly #device: DeviceTables | undefined;
  readonly #cap: () => Promise<number>;
  /** Texts that could not be stored. */
  readonly #memory = new Map<string, string>();
  readonly #listeners = new Set<(hash: string) => void>();
  /** Sum of all stored texts; undefined until counted. */
  #bytes: number | undefined;

  constructor(device: DeviceTables | undefined, cap: () => Promise<number> = bodyCap) {
    this.#device = device;
    this.#cap = cap;
  }

  /** The table may be unreachable (no room, no permission): then nothing is stored, and no error is shown. */
  async #ask<T>(act: (table: DeviceDatabase['body']) => PromiseLike<T>): Promise<T | undefined> {
    if (!this.#device) return undefined;
    try {
      return await act((await this.#device.tables()).body);
    } catch (error) {
      console.info('replica: the stored texts could not be used', error);
      return undefined;
    }
  }

  async find(hash: string): Promise<string | undefined> {
    const held = this.#memory.get(hash);
    if (held !== undefined) return held;
    const found = await this.#ask((table) => table.get(hash));
    if (found) await this.#ask((table) => table.update(hash, { lastUsed: Date.now() }));
    return found?.text;
  }

  /** Texts of those hashes that are here; reading them for search does not count as use. */
  async findAll(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    // Even an empty transaction costs a millisecond, and most memories have no long text.
    if (hashes.length === 0) return NOTHING;
    const stored = (await this.#ask((table) => table.bulkGet([...hashes]))) ?? [];
    const found = new Map(stored.flatMap((body) => (body ? [[body.hash, body.text] as const] : [])));
    for (const hash of hashes) {
      const held = this.#memory.get(hash);
      if (held !== undefined) found.set(hash, held);
    }
    return found;
  }

  /** Hashes of all texts that are here. */
  async hashes(): Promise<readonly string[]> {
    const stored = (await this.#ask((table) => table.toCollection().primaryKeys())) ?? [];
    return [...stored, ...this.#memory.keys()];
  }

  /** Calls back with the hash of every text that is new here. */
  onKept(listener: (hash: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async keep(text: string): Promise<string> {
    const { hash, bytes } = addressOf(text);
    const isNew = !(await this.#has(hash));
    await this.#store({ hash, text, bytes, lastUsed: Date.now() }, isNew);
    if (isNew) for (const listener of this.#listeners) listener(hash);
    return hash;
  }

  /** Stores texts if there is room for them, and removes no other for it; returns whether there was. */
  async keepAll(texts: readonly Omit<StoredBody, 'lastUsed'>[]): Promise<boolean> {
    if (!this.#device) return false;
    const table = (await this.#device.tables()).body;
    const total = texts.reduce((sum, { bytes }) => sum + bytes, this.#bytes ?? (await countBytes(table)));
    if (total > (await this.#cap())) return false;
    const lastUsed = Date.now();
    try {
      await table.bulkPut(texts.map((text) => ({ ...text, lastUsed })));
    } catch (error) {
      if (storageSign([error]) !== 'full') throw error;
      console.info('replica: no room for long texts', error);
      return false;
    }
    this.#bytes = total;
    for (const { hash } of texts) for (const listener of this.#listeners) listener(hash);
    return true;
  }

  async #has(hash: string): Promise<boolean> {
    if (this.#memory.has(hash)) return true;
    return ((await this.#ask((table) => table.where('hash').equals(hash).count())) ?? 0) > 0;
  }

  async #store(body: StoredBody, isNew: boolean): Promise<void> {
    if (!this.#device) {
      this.#memory.set(body.hash, body.text);
      return;
    }
    try {
      const database = await this.#device.tables();
      await database.body.put(body);
      if (isNew) await this.#grow(database, body.bytes);
    } catch (error) {
      console.warn('replica: a text stays in memory only', error);
      this.#memory.set(body.hash, body.text);
    }
  }

  async #grow(database: DeviceDatabase, bytes: number): Promise<void> {
    this.#bytes = this.#bytes === undefined ? await countBytes(database.body) : this.#bytes + bytes;
    const cap = await this.#cap();
    if (this.#bytes <= cap) return;
    this.#bytes = await evictLeastUsed(database.body, { total: this.#bytes, cap });
  }
}
