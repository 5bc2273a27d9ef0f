// Feeds the search worker with the open workspace: what the replica shows, long texts as soon as this device has them.
// Knows documents and changes; how they are found is the business of client/search.
import type { Head } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import { hasRemoteBody } from '#shared/memories/memory-kinds.ts';
import { idOfKey, kindOfKey } from '#shared/sync/keys.ts';
import type { BodyCache } from '#client/replica/body-cache.ts';
import type { KeyChange } from '#client/replica/mirror.ts';
import type { Replica } from '#client/replica/replica.ts';
import { userKey } from '#client/replica/user-key.ts';
import { ReplicaView } from '#client/replica/view.ts';
import type { FromWorker } from '#client/replica/wire.ts';
import { searchDocumentOf, searchStampOf } from '#client/search/memory-document.ts';
import type { SearchRequest, SearchResult } from '#client/search/run-search.ts';
import type { SearchClient } from '#client/search/search-client.ts';

/** Changes are gathered this long, so that typing does not feed a document per key. */
const GATHER_MS = 200;
/** Long texts read from the device at once. */
const BODY_BATCH = 50;

/** Time that work on all memories may take before the page gets its turn, and how often the clock is looked at. */
const SLICE_MS = 6;
const LOOK_EVERY = 50;

/** What the feed needs of the page. */
export interface MemorySearchOptions {
  replica: Replica;
  bodies: BodyCache;
  /** The index may be kept on this device between visits. */
  isStored: boolean;
  start(): SearchClient;
}

/** Name under which a workspace's index is stored on this device; the part before the hyphen names the person. */
export function searchIndexName(userId: string, workspaceId: string): string {
  return `${userKey(userId)}-${workspaceId}`;
}

/** Search over the workspace that is open; one per page. */
export class MemorySearch {
  readonly #options: MemorySearchOptions;
  #open: { workspaceId: Id<'workspace'>; client: SearchClient; ready: Promise<void> } | undefined;
  /** The client that knows every memory of this device; another one has been opened when it is not the open one. */
  #complete: SearchClient | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #changed = new Set<string>();
  /** Memory by the hash of its long text. */
  readonly #byHash = new Map<string, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #ends: (() => void)[];

  constructor(options: MemorySearchOptions) {
    this.#options = options;
    const { replica, bodies } = options;
    this.#ends = [
      replica.watch((message) => this.#follow(message)),
      bodies.onKept((hash) => this.#note(this.#byHash.get(hash))),
    ];
  }

  /** What was found, or undefined when a later search of the channel has overtaken this one or nothing is open. */
  async search(
    query: string,
    request: SearchRequest & { channel?: string },
  ): Promise<SearchResult | undefined> {
    const open = this.#open;
    await open?.ready;
    return await open?.client.search(query, request);
  }

  /** True while the open workspace can be searched at all. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Calls back whenever `isComplete` may have changed. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** False while memories of this device are still being read: what is not found may yet be there. */
  get isComplete(): boolean {
    return this.#open !== undefined && this.#open.client === this.#complete;
  }

  /** Ends the worker; with `discard` it stores nothing any more. */
  async close({ discard }: { discard: boolean }): Promise<void> {
    clearTimeout(this.#timer);
    for (const end of this.#ends) end();
    const open = this.#open;
    this.#open = undefined;
    await open?.client.close({ discard });
  }

  #follow(message: FromWorker): void {
    const { replica } = this.#options;
    const { workspaceId } = replica.mirrors;
    if (workspaceId === undefined) return;
    const isNew = message.type === 'facts' && this.#open?.workspaceId !== workspaceId;
    // While a first load runs, feeding each slice would cost the page more than indexing everything at its end.
    const state = isNew ? replica.firstSync().state : 'opening';
    if (state === 'ready' || state === 'waiting') this.#begin(workspaceId);
    if (
      message.type === 'rows' &&
      message.realmId === workspaceId &&
      this.#open?.workspaceId === workspaceId
    ) {
      for (const change of message.changes) this.#note(memoryIn(change));
    }
  }

  #begin(workspaceId: Id<'workspace'>): void {
    void this.#open?.client.close();
    this.#changed.clear();
    this.#byHash.clear();
    const client = this.#options.start();
    const { replica, isStored } = this.#options;
    const name = isStored ? searchIndexName(replica.userId, workspaceId) : undefined;
    const ready = client.open(name).then(() => undefined);
    this.#open = { workspaceId, client, ready };
    void ready
      .then(() => this.#synchronise(client))
      // What could be read is all there is to find; nobody must wait for the rest.
      .catch((failure: unknown) => console.error('search: not every memory could be read', failure))
      .finally(() => {
        this.#complete = client;
        this.#tell();
      });
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  async #synchronise(client: SearchClient): Promise<void> {
    const view = this.#view();
    const known = new Set(await this.#options.bodies.hashes());
    const later: string[] = [];
    const stamps = new Map<string, number>();
    await inSlices(view.list('memory'), (row) => {
      const hasBody = hasRemoteBody(row) && row.bodyHash !== null && known.has(row.bodyHash);
      if (hasRemoteBody(row) && row.bodyHash !== null) this.#byHash.set(row.bodyHash, row.id);
      stamps.set(row.id, searchStampOf(row, spaceIdsOf(view, row.id), hasBody));
    });
    await client.synchronise(stamps, (id) => {
      const row = view.get('memory', id);
      if (row && hasRemoteBody(row)) {
        later.push(id);
        return undefined;
      }
      return row && searchDocumentOf(row, spaceIdsOf(view, id), undefined);
    });
    for (let at = 0; at < later.length; at += BODY_BATCH) {
      await this.#feed(client, later.slice(at, at + BODY_BATCH));
    }
  }

  #view(): ReplicaView {
    return new ReplicaView(this.#options.replica.mirrors);
  }

  #note(id: string | undefined): void {
    if (id === undefined) return;
    this.#changed.add(id);
    this.#timer ??= setTimeout(() => void this.#feedChanged(), GATHER_MS);
  }

  async #feedChanged(): Promise<void> {
    this.#timer = undefined;
    const ids = [...this.#changed];
    this.#changed.clear();
    const open = this.#open;
    await open?.ready;
    for (let at = 0; at < ids.length; at += BODY_BATCH) {
      if (open) await this.#feed(open.client, ids.slice(at, at + BODY_BATCH));
    }
  }

  async #feed(client: SearchClient, ids: readonly string[]): Promise<void> {
    const view = this.#view();
    const rows = ids.flatMap((id) => view.get('memory', id) ?? []);
    const gone = ids.filter((id) => view.get('memory', id) === undefined);
    if (gone.length > 0) client.remove(gone);
    const texts = await this.#textsOf(rows);
    client.upsert(
      rows.map((row) => searchDocumentOf(row, spaceIdsOf(view, row.id), texts.get(row.bodyHash ?? ''))),
    );
  }

  async #textsOf(rows: readonly Head<'memory'>[]): Promise<ReadonlyMap<string, string>> {
    const hashes = rows.flatMap((row) => (hasRemoteBody(row) && row.bodyHash !== null ? [row.bodyHash] : []));
    for (const row of rows)
      if (row.bodyHash !== null && hasRemoteBody(row)) this.#byHash.set(row.bodyHash, row.id);
    return await this.#options.bodies.findAll(hashes);
  }
}

/** Visits all items without holding the page longer than a few milliseconds at a time. */
async function inSlices<T>(items: readonly T[], visit: (item: T) => void): Promise<void> {
  let end = performance.now() + SLICE_MS;
  for (const [index, item] of items.entries()) {
    visit(item);
    if (index % LOOK_EVERY !== 0 || performance.now() < end) continue;
    await new Promise((resolve) => setTimeout(resolve, 0));
    end = performance.now() + SLICE_MS;
  }
}

function spaceIdsOf(view: ReplicaView, memoryId: string): string[] {
  return view.spacesOf(memoryId).map((space) => space.id);
}

/** Memory that a changed key speaks of: its own row or one of its links. */
function memoryIn([key]: KeyChange): string | undefined {
  const kind = kindOfKey(key);
  if (kind === 'memory') return idOfKey(kind, key);
  return kind === 'space_memory' ? idOfKey(kind, key).split('/')[1] : undefined;
}
