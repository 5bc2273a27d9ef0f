/**
 * The index over what one audience can read, updated to the version of its realm before each search. It is loaded from
 * its file if there is one, otherwise built from the rows; then it follows the feed. It is independent of who searches.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SearchIndex } from '#shared/search/search-index.ts';
import type { Database } from '../db/database.ts';
import type { IndexFiles } from './index-files.ts';
import {
  listChanged,
  listMemories,
  readDocuments,
  type MemorySize,
  type ReaderRealm,
} from './search-rows.ts';

/** Rows and bytes of notes that are read and indexed in one turn; other searches of the thread wait that long. */
const BATCH = { rows: 500, bytes: 4_000_000 } as const;
/** Smaller indexes are built faster than it is worth to store them. */
const STORED_MIN = 2_000;
/** Share of changed documents, and their number, after which an index is stored again. */
const STORE_AGAIN = { share: 0.02, documents: 200 } as const;
const SLICE_MS = 8;

/** Thrown while an index is built that would be larger than allowed. */
export class IndexTooLargeError extends Error {}

export interface IndexParts {
  db: Database;
  files: IndexFiles;
  /** Bytes beyond which an index is not held. */
  capacity: number;
}

/** One index and the version of the realm up to which it is right. */
export class AudienceIndex {
  readonly audienceId: string;
  readonly #parts: IndexParts;
  #index = SearchIndex.build([]);
  #version = -1;
  #epoch = '';
  #changed = 0;
  #isStored = false;
  #working: Promise<void> = Promise.resolve();

  constructor(audienceId: string, parts: IndexParts) {
    this.audienceId = audienceId;
    this.#parts = parts;
  }

  /** The documents, for a search. */
  get segments() {
    return this.#index.segments;
  }

  /** True for a memory that can be found here. */
  has(id: string): boolean {
    return this.#index.has(id);
  }

  get byteLength(): number {
    return this.#index.byteLength;
  }

  /** Makes the index contain every write up to the realm's version. @throws IndexTooLargeError */
  async bringTo(realm: ReaderRealm): Promise<void> {
    if (this.#isAt(realm)) return;
    // One after the other: a second caller finds the work of the first one done.
    const work = this.#working.then(() => this.#follow(realm));
    this.#working = work.catch(() => undefined);
    await work;
  }

  /** The file was deleted: the index must be stored again. */
  forgetFile(): void {
    this.#isStored = false;
    this.#changed += 1;
  }

  /** Merges segments and stores the index when it is worth it; for quiet moments. */
  async maintain(): Promise<void> {
    const work = this.#working.then(() => this.#tidy());
    this.#working = work.catch(() => undefined);
    await work;
  }

  #isAt({ epoch, version }: ReaderRealm): boolean {
    return this.#epoch === epoch && this.#version >= version;
  }

  async #follow(realm: ReaderRealm): Promise<void> {
    if (this.#isAt(realm)) return;
    if (this.#epoch !== realm.epoch) await this.#load(realm);
    // The feed has forgotten removals before this version; a smaller version is that of a restored database.
    if (this.#version < realm.minVersion || this.#version > realm.version) return this.#build(realm);
    const address = { workspaceId: realm.workspaceId, audienceId: this.audienceId };
    const changed = await listChanged(this.#parts.db, address, this.#version);
    for (const ids of batchesOf(changed)) {
      const documents = await readDocuments(this.#parts.db, address, ids);
      const found = new Set(documents.map(({ id }) => id));
      for (const id of ids) if (!found.has(id)) this.#index.remove(id);
      this.#add(documents);
      await nextTurn();
    }
    this.#changed += changed.length;
    this.#version = realm.version;
  }

  async #load({ epoch }: ReaderRealm): Promise<void> {
    const stored = await this.#parts.files.load(this.audienceId, epoch);
    const index = stored && SearchIndex.load(stored.buffer);
    this.#index = index ?? SearchIndex.build([]);
    this.#version = index ? stored.version : -1;
    this.#isStored = index !== undefined;
    this.#epoch = epoch;
    this.#changed = 0;
    this.#checkSize();
  }

  async #build(realm: ReaderRealm): Promise<void> {
    this.#index = SearchIndex.build([]);
    this.#version = -1;
    this.#isStored = false;
    const address = { workspaceId: realm.workspaceId, audienceId: this.audienceId };
    const memories = await listMemories(this.#parts.db, address);
    for (const ids of batchesOf(memories)) {
      this.#add(await readDocuments(this.#parts.db, address, ids));
      await nextTurn();
    }
    this.#version = realm.version;
    this.#changed = memories.length;
  }

  #add(documents: Parameters<SearchIndex['upsertAll']>[0]): void {
    this.#index.upsertAll(documents);
    this.#checkSize();
  }

  #checkSize(): void {
    if (this.byteLength <= this.#parts.capacity) return;
    this.#index = SearchIndex.build([]);
    this.#epoch = '';
    throw new IndexTooLargeError(
      `The search index of ${this.audienceId} is larger than SEARCH_MEMORY_MB allows`,
    );
  }

  async #tidy(): Promise<void> {
    const { count } = this.#index;
    const isDue =
      this.#changed > 0 &&
      count >= STORED_MIN &&
      (!this.#isStored ||
        this.#index.hasRemoved ||
        this.#changed >= Math.max(STORE_AGAIN.documents, count * STORE_AGAIN.share));
    // Removed documents must not be stored in a file, so the segments are merged first.
    await this.#merge(isDue && this.#index.hasRemoved);
    if (!isDue || this.#index.hasRemoved) return;
    const stored = { audienceId: this.audienceId, epoch: this.#epoch, version: this.#version };
    this.#changed = 0;
    await this.#parts.files.save(stored, this.#index.serialize());
    this.#isStored = true;
  }

  async #merge(all: boolean): Promise<void> {
    if (!all && !this.#index.needsCompaction) return;
    const merge = this.#index.compactInSlices(all);
    for (let end = performance.now() + SLICE_MS; !merge.next().done;) {
      if (performance.now() < end) continue;
      await nextTurn();
      end = performance.now() + SLICE_MS;
    }
  }
}

function* batchesOf(memories: readonly MemorySize[]): Generator<string[]> {
  let ids: string[] = [];
  let size = 0;
  for (const { id, bytes } of memories) {
    if (ids.length > 0 && (ids.length >= BATCH.rows || size + bytes > BATCH.bytes)) {
      yield ids;
      [ids, size] = [[], 0];
    }
    ids.push(id);
    size += bytes;
  }
  if (ids.length > 0) yield ids;
}
