/**
 * The vectors of a worker: read from the database on first use, held within a memory limit, and compared one by one, so that
 * the ranking is exact. Which memories may be found is listed by the database for every search, with the revision of their
 * vectors: vectors cached under another revision are read again.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CompiledQuery, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { NearMemory, NearRequest } from './search-protocol.ts';
import { vectorOf } from './vector-bytes.ts';

/** Memories whose vectors are read by one statement. */
const READ_AT_ONCE = 200;
/** Other searches of the thread wait so long at most. */
const SLICE_MS = 8;
/** Vectors that were not searched for so long are released. */
const IDLE_MS = 15 * 60_000;
/** After so long the vectors of removed memories are released. */
const SWEEP_MS = 60_000;
/** Bytes of each memory besides its vectors. */
const OVERHEAD = 256;
/** Passages of a memory that are shown. */
const PASSAGES = 3;
/**
 * Least share of the way from the mean similarity of all memories to the best one that a match must reach. Texts of one
 * language are always somewhat similar, by an amount that depends on the model. For a few memories the mean is meaningless.
 */
const STANDING_OUT = { share: 0.5, memories: 20 } as const;

/** Thrown where a workspace has more vectors than may be held. */
class VectorsTooLargeError extends Error {}

interface Held {
  /** By memory: vectors one after the other, in the order of their positions. */
  memories: Map<string, { revision: number; positions: Int32Array; numbers: Float32Array }>;
  bytes: number;
  used: number;
  swept: number;
  working: Promise<unknown>;
}

interface Allowed {
  id: string;
  revision: number;
}

interface Ranked {
  id: string;
  similarity: number;
  /** The nearest passages, best first. */
  positions: number[];
}

/** `now` returns milliseconds since 1970. */
interface CacheParts {
  db: Database;
  capacity: number;
  now?: () => number;
}

export class VectorCache {
  readonly #db: Database;
  readonly #capacity: number;
  readonly #now: () => number;
  /** By workspace and model, in the order of their last use. */
  readonly #held = new Map<string, Held>();

  constructor({ db, capacity, now = Date.now }: CacheParts) {
    this.#db = db;
    this.#capacity = capacity;
    this.#now = now;
  }

  get byteLength(): number {
    return [...this.#held.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The nearest memories, best first. @throws VectorsTooLargeError, and for a vector of other dimensions than all others */
  async nearest({
    workspaceId,
    fingerprint,
    vector,
    allowed: statement,
    limit,
    minSimilarity,
  }: NearRequest): Promise<NearMemory[]> {
    const { rows: allowed } = await this.#db.executeQuery<Allowed>(
      CompiledQuery.raw(statement.sql, [...statement.parameters]),
    );
    if (allowed.length === 0) return [];
    const held = this.#take(`${workspaceId} ${fingerprint}`);
    // One after the other: a second search finds the work of the first one done.
    const work = held.working.then(() => this.#read(held, workspaceId, allowed));
    held.working = work.catch(() => undefined);
    await work;
    const ranked = await rank(held, allowed, vector);
    const isUnlike = allowed.some(({ id }) => (held.memories.get(id)?.positions.length ?? 0) > 0);
    if (ranked.length === 0 && isUnlike)
      throw new Error(`The vector of the query has ${vector.length} numbers, and none of those stored`);
    if (ranked.length === 0) return [];
    const mean = ranked.reduce((sum, { similarity }) => sum + similarity, 0) / ranked.length;
    const nearest = ranked
      .toSorted((one, other) => other.similarity - one.similarity || (one.id < other.id ? -1 : 1))
      .slice(0, limit);
    const best = nearest[0]?.similarity ?? 0;
    const { share, memories } = STANDING_OUT;
    const floor = Math.max(minSimilarity, ranked.length < memories ? 0 : mean + (best - mean) * share);
    return this.#withPassages(
      workspaceId,
      nearest.filter(({ similarity }) => similarity >= floor),
    );
  }

  /** Releases idle vectors, and those of deleted memories. */
  async maintain(): Promise<void> {
    for (const [key, held] of this.#held) {
      const [workspaceId = '', fingerprint = ''] = key.split(' ');
      if (held.used < this.#now() - IDLE_MS) this.#held.delete(key);
      else if (held.swept < this.#now() - SWEEP_MS) {
        held.swept = this.#now();
        const { rows } = await sql<{ memoryId: string }>`
          select "memoryId" from "memory_embedding"
          where "workspaceId" = ${workspaceId} and "fingerprint" = ${fingerprint}`.execute(this.#db);
        const alive = new Set(rows.map(({ memoryId }) => memoryId));
        for (const id of held.memories.keys()) if (!alive.has(id)) forget(held, id);
      }
    }
  }

  #take(key: string): Held {
    const held = this.#held.get(key) ?? {
      memories: new Map(),
      bytes: 0,
      used: 0,
      swept: this.#now(),
      working: Promise.resolve(),
    };
    held.used = this.#now();
    this.#held.delete(key);
    this.#held.set(key, held);
    return held;
  }

  async #read(held: Held, workspaceId: string, allowed: readonly Allowed[]): Promise<void> {
    const wanted = allowed.filter(({ id, revision }) => held.memories.get(id)?.revision !== revision);
    for (let at = 0; at < wanted.length; at += READ_AT_ONCE) {
      const revisions = new Map(
        wanted.slice(at, at + READ_AT_ONCE).map(({ id, revision }) => [id, revision]),
      );
      const { rows } = await sql<{ memoryId: string; position: number; vector: Buffer }>`
        select "memoryId", "position", "vector" from "memory_vector"
        where "workspaceId" = ${workspaceId} and "memoryId" = any(${[...revisions.keys()]}::text[])
        order by "memoryId", "position"`.execute(this.#db);
      const byMemory = Map.groupBy(rows, ({ memoryId }) => memoryId);
      for (const [id, revision] of revisions) {
        forget(held, id);
        const own = byMemory.get(id) ?? [];
        const vectors = own.map(({ vector }) => vectorOf(vector));
        const numbers = new Float32Array(vectors.reduce((sum, { length }) => sum + length, 0));
        let end = 0;
        for (const vector of vectors) {
          numbers.set(vector, end);
          end += vector.length;
        }
        const positions = Int32Array.from(own, ({ position }) => position);
        held.memories.set(id, { revision, positions, numbers });
        held.bytes += numbers.byteLength + OVERHEAD;
      }
      this.#makeRoom(held);
      await nextTurn();
    }
  }

  #makeRoom(inUse: Held): void {
    for (const [key, held] of this.#held) {
      if (this.byteLength <= this.#capacity) return;
      if (held !== inUse) this.#held.delete(key);
    }
    if (this.byteLength <= this.#capacity) return;
    inUse.memories.clear();
    inUse.bytes = 0;
    throw new VectorsTooLargeError('The vectors of a workspace are larger than SEARCH_MEMORY_MB allows');
  }

  async #withPassages(workspaceId: string, nearest: readonly Ranked[]): Promise<NearMemory[]> {
    if (nearest.length === 0) return [];
    const places = nearest.flatMap(({ id, positions }) => positions.map((position) => ({ id, position })));
    const { rows } = await sql<{ id: string; position: number } & NearMemory['passages'][number]>`
      select v."memoryId" as "id", v."position", v."field", v."text"
      from unnest(${places.map(({ id }) => id)}::text[], ${places.map(({ position }) => position)}::int[])
        as place("id", "position")
      join "memory_vector" v on v."workspaceId" = ${workspaceId} and v."memoryId" = place."id"
        and v."position" = place."position"`.execute(this.#db);
    const passages = new Map(rows.map((row) => [`${row.id} ${row.position}`, row]));
    return nearest.map(({ id, similarity, positions }) => ({
      id,
      similarity,
      passages: positions.flatMap((position) => {
        const found = passages.get(`${id} ${position}`);
        return found ? [{ field: found.field, text: found.text }] : [];
      }),
    }));
  }
}

function forget(held: Held, id: string): void {
  const known = held.memories.get(id);
  if (known === undefined) return;
  held.memories.delete(id);
  held.bytes -= known.numbers.byteLength + OVERHEAD;
}

/** The similarity of each allowed memory; those whose vectors have other dimensions are left out. */
async function rank(held: Held, allowed: readonly Allowed[], vector: Float32Array): Promise<Ranked[]> {
  const ranked: Ranked[] = [];
  let end = performance.now() + SLICE_MS;
  for (const { id } of allowed) {
    const known = held.memories.get(id);
    if (known !== undefined && known.numbers.length === known.positions.length * vector.length) {
      const best = nearestPassages(known.numbers, vector);
      if (best.length > 0) {
        ranked.push({
          id,
          similarity: best[0]?.similarity ?? 0,
          positions: best.map(({ at }) => known.positions[at] ?? 0),
        });
      }
    }
    if (performance.now() > end) {
      await nextTurn();
      end = performance.now() + SLICE_MS;
    }
  }
  return ranked;
}

function nearestPassages(numbers: Float32Array, vector: Float32Array) {
  const { length } = vector;
  const best: { at: number; similarity: number }[] = [];
  for (let at = 0; at * length < numbers.length; at += 1) {
    let similarity = 0;
    // An index, because this loop is all the work of a search by meaning.
    for (let n = 0; n < length; n += 1) similarity += (numbers[at * length + n] ?? 0) * (vector[n] ?? 0);
    const place = best.findIndex((other) => similarity > other.similarity);
    if (place !== -1) best.splice(place, 0, { at, similarity });
    else if (best.length < PASSAGES) best.push({ at, similarity });
    if (best.length > PASSAGES) best.pop();
  }
  return best;
}
