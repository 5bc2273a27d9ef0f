// Feeds the search worker from the open workspace: rows of the replica, and long texts as soon as this device has them.
// Knows documents and changes only; the search itself is in client/search.
import type { Head } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import { hasRemoteBody, pageHashOf } from '#shared/memories/memory-kinds.ts';
import { idOfKey, kindOfKey } from '#shared/sync/keys.ts';
import type { BodyCache } from '#client/replica/body-cache.ts';
import type { KeyChange } from '#client/replica/mirror.ts';
import type { Replica } from '#client/replica/replica.ts';
import { userKey } from '#client/replica/user-key.ts';
import { ReplicaView } from '#client/replica/view.ts';
import type { FromWorker } from '#client/replica/wire.ts';
import { REFERENCE_FACET, searchDocumentOf, searchStampOf } from '#shared/search/memory-document.ts';
import type { SearchRequest, SearchResult } from '#shared/search/run-search.ts';
import type { SearchClient } from '#client/search/search-client.ts';

/** Changes are gathered this long, so that typing does not feed a document per key. */
const GATHER_MS = 200;
/** After rows were shown, so that reading them does not hold up their drawing. */
const DRAWN_MS = 300;
/** Long texts read from the device at once. */
const BODY_BATCH = 50;

/** Time that work on all memories may run before it yields to the page, and how often the clock is read. */
const SLICE_MS = 6;
const LOOK_EVERY = 50;

/** More than a person would look through. */
const REFERRING_MAX = 50;

export interface MemorySearchOptions {
  replica: Replica;
  bodies: BodyCache;
  /** Whether the index may be stored on this device between visits. */
  isStored: boolean;
  start(): SearchClient;
}

/** Name under which a workspace's index is stored on this device; the part before the hyphen names the person. */
function searchIndexName(userId: string, workspaceId: string): string {
  return `${userKey(userId)}-${workspaceId}`;
}

/** Search over the workspace that is open; one per page. */
export class MemorySearch {
  readonly #options: MemorySearchOptions;
  #open: { workspaceId: Id<'workspace'>; client: SearchClient; ready: Promise<void> } | undefined;
  /** The client that has indexed every memory of this device; not the open one right after a switch of workspaces. */
  #complete: SearchClient | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #changed = new Set<string>();
  /** Memory by the hash of a text that is not in its row. */
  readonly #byHash = new Map<string, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beginning: ReturnType<typeof setTimeout> | undefined;
  readonly #ends: (() => void)[];

  constructor(options: MemorySearchOptions) {
    this.#options = options;
    const { replica, bodies } = options;
    this.#ends = [
      replica.watch((message) => this.#follow(message)),
      // Rows can be the last message for a minute and wait for their views, so messages alone do not show when to begin.
      replica.subscribe(() => (this.#beginning ??= setTimeout(() => this.#beginIfNew(), DRAWN_MS))),
      bodies.onKept((hash) => this.#note(this.#byHash.get(hash))),
    ];
  }

  /** Undefined when a later search of the channel has superseded this one, or when no index is open. */
  async search(
    query: string,
    request: SearchRequest & { channel?: string },
  ): Promise<SearchResult | undefined> {
    const open = this.#open;
    await open?.ready;
    return await open?.client.search(query, request);
  }

  /** Ids of memories about the same, by tags and words, best first. */
  async related(
    { id, tags }: Pick<Head<'memory'>, 'id' | 'tags'>,
    limit: number,
  ): Promise<readonly string[]> {
    const open = this.#open;
    await open?.ready;
    return (await open?.client.related(id, tags, limit))?.map((hit) => hit.id) ?? [];
  }

  /** Ids of memories whose notes refer to one of these names. */
  async referring(names: readonly string[], channel: string): Promise<readonly string[]> {
    if (names.length === 0) return [];
    const facets = { [REFERENCE_FACET]: names };
    const found = await this.search('', { facets, channel, limit: REFERRING_MAX });
    return found?.hits.map((hit) => hit.id) ?? [];
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
    clearTimeout(this.#beginning);
    for (const end of this.#ends) end();
    const open = this.#open;
    this.#open = undefined;
    await open?.client.close({ discard });
  }

  #beginIfNew(): void {
    clearTimeout(this.#beginning);
    this.#beginning = undefined;
    const { replica } = this.#options;
    const { workspaceId } = replica.mirrors;
    if (workspaceId === undefined || this.#open?.workspaceId === workspaceId) return;
    // While a first load runs, feeding each slice would cost the page more than indexing everything at its end.
    const { state } = replica.firstSync();
    if (state === 'ready' || state === 'waiting') this.#begin(workspaceId);
  }

  #follow(message: FromWorker): void {
    const { workspaceId } = this.#options.replica.mirrors;
    if (message.type === 'facts') this.#beginIfNew();
    if (message.type !== 'rows' || message.realmId !== workspaceId) return;
    if (this.#open?.workspaceId !== workspaceId) return;
    for (const change of message.changes) this.#note(memoryIn(change));
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
      // Search works with what could be indexed.
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
      const hashes = hashesOf(row);
      for (const hash of Object.values(hashes)) if (hash !== undefined) this.#byHash.set(hash, row.id);
      const has = { body: known.has(hashes.body ?? ''), page: known.has(hashes.page ?? '') };
      stamps.set(row.id, searchStampOf(row, spaceIdsOf(view, row.id), has));
    });
    await client.synchronise(stamps, (id) => {
      const row = view.get('memory', id);
      if (row && hasRemoteText(row)) {
        later.push(id);
        return undefined;
      }
      return row && searchDocumentOf(row, spaceIdsOf(view, id));
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
      rows.map((row) => {
        const { body, page } = hashesOf(row);
        const found = { body: texts.get(body ?? ''), page: texts.get(page ?? '') };
        return searchDocumentOf(row, spaceIdsOf(view, row.id), found);
      }),
    );
  }

  async #textsOf(rows: readonly Head<'memory'>[]): Promise<ReadonlyMap<string, string>> {
    const hashes = rows.flatMap((row) => Object.values(hashesOf(row)).filter((hash) => hash !== undefined));
    for (const row of rows)
      for (const hash of Object.values(hashesOf(row))) if (hash !== undefined) this.#byHash.set(hash, row.id);
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

/** Hashes of the texts of a memory that are not in its row. */
function hashesOf(row: Head<'memory'>): { body: string | undefined; page: string | undefined } {
  return {
    body: hasRemoteBody(row) ? (row.bodyHash ?? undefined) : undefined,
    page: pageHashOf(row),
  };
}

function hasRemoteText(row: Head<'memory'>): boolean {
  return hasRemoteBody(row) || pageHashOf(row) !== undefined;
}

function spaceIdsOf(view: ReplicaView, memoryId: string): string[] {
  return view.spacesOf(memoryId).map((space) => space.id);
}

/** Memory of a changed key: its own row or one of its links. */
function memoryIn([key]: KeyChange): string | undefined {
  const kind = kindOfKey(key);
  if (kind === 'memory') return idOfKey(kind, key);
  return kind === 'space_memory' ? idOfKey(kind, key).split('/')[1] : undefined;
}
