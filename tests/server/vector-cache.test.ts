/** Vectors in memory: read once, compared exactly, never more than allowed, and only for memories that are listed. */
import { sql } from 'kysely';
import { beforeEach, expect, it, vi } from 'vitest';
import { fuseRanks } from '#shared/search/fuse-ranks.ts';
import { vectorBytes, vectorOf } from '#server/search/vector-bytes.ts';
import { VectorCache } from '#server/search/vector-cache.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const FINGERPRINT = 'of-a-model';

let cast: Cast;
let build: ReturnType<typeof createBuild>;
const world = await openWorld();
beforeEach(async () => {
  cast = await createCast(world);
  build = createBuild(cast);
});

const unit = (...numbers: number[]) => Float32Array.from(numbers, (value) => value / Math.hypot(...numbers));

/** Stores vectors as the background work does. */
async function give(memoryId: string, vectors: readonly Float32Array[]): Promise<void> {
  const { db } = world.context;
  const { workspaceId } = cast;
  await sql`delete from "memory_vector" where "memoryId" = ${memoryId}`.execute(db);
  for (const [position, vector] of vectors.entries()) {
    await sql`insert into "memory_vector" values (${workspaceId}, ${memoryId}, ${position}, ${FINGERPRINT},
      ${String(position)}, 'notes', ${`Passage ${position}`}, ${vectorBytes(vector)})`.execute(db);
  }
  await sql`insert into "memory_embedding" ("workspaceId", "memoryId", "fingerprint")
    values (${workspaceId}, ${memoryId}, ${FINGERPRINT})
    on conflict ("workspaceId", "memoryId") do update set "revision" = excluded."revision"`.execute(db);
}

const memory = async (title: string, ...vectors: Float32Array[]) => {
  const { id } = await build.memory({ title });
  await give(id, vectors);
  return id;
};

function requestFor(vector: Float32Array, more: object = {}) {
  const { workspaceId } = cast;
  const { sql: text, parameters } = sql`
    select "memoryId" as "id", "revision" from "memory_embedding"
    where "workspaceId" = ${workspaceId}`.compile(world.context.db);
  return {
    workspaceId,
    fingerprint: FINGERPRINT,
    vector,
    limit: 50,
    minSimilarity: 0,
    allowed: { sql: text, parameters },
    ...more,
  };
}

const createCache = (capacity = 1_000_000) => new VectorCache({ db: world.context.db, capacity });

it('finds the nearest passages of each memory, best first, and what is less alike than demanded not at all', async () => {
  const near = await memory('Near', unit(0, 1, 0), unit(1, 0.1, 0));
  const far = await memory('Far', unit(1, 1, 0));
  await memory('Away', unit(-1, 0, 0));
  const found = await createCache().nearest(requestFor(unit(1, 0, 0)));
  expect(found.map(({ id }) => id)).toEqual([near, far]);
  expect(found[0]?.similarity).toBeCloseTo(1 / Math.hypot(1, 0.1), 5);
  expect(found[0]?.passages.map(({ text }) => text)).toEqual(['Passage 1', 'Passage 0']);
  const strict = await createCache().nearest(requestFor(unit(1, 0, 0), { minSimilarity: 0.9 }));
  expect(strict.map(({ id }) => id)).toEqual([near]);
  const one = await createCache().nearest(requestFor(unit(1, 0, 0), { limit: 1 }));
  expect(one.map(({ id }) => id)).toEqual([near]);
});

it('among many finds only what stands out', async () => {
  for (let n = 0; n < 25; n += 1) await memory(`Usual ${n}`, unit(1, 0.8 + n / 100));
  const special = await memory('Special', unit(1, 0.01));
  const found = await createCache().nearest(requestFor(unit(1, 0)));
  expect(found.map(({ id }) => id)).toEqual([special]);
});

it('compares nothing that is not listed, and no vectors of other dimensions', async () => {
  await memory('Listed', unit(1, 1));
  const hidden = await memory('Hidden', unit(1, 0));
  await memory('Other', unit(1, 0, 0));
  const { workspaceId } = cast;
  const { sql: text, parameters } = sql`
    select "memoryId" as "id", "revision" from "memory_embedding"
    where "workspaceId" = ${workspaceId} and "memoryId" <> ${hidden}`.compile(world.context.db);
  const found = await createCache().nearest(
    requestFor(unit(1, 0), { allowed: { sql: text, parameters }, minSimilarity: -1 }),
  );
  expect(found).toHaveLength(1);
  await expect(createCache().nearest(requestFor(unit(1, 0, 0, 0)))).rejects.toThrow('4 numbers');
});

it('reads vectors once, and again those that were written since', async () => {
  const first = await memory('First', unit(1, 0));
  const second = await memory('Second', unit(0, 1));
  const cache = createCache();
  const ids = async () =>
    (await cache.nearest(requestFor(unit(1, 0), { minSimilarity: 0.5 }))).map(({ id }) => id);
  expect(await ids()).toEqual([first]);
  const before = cache.byteLength;
  expect(await ids()).toEqual([first]);
  expect(cache.byteLength).toBe(before);
  await give(second, [unit(1, 0), unit(1, 1)]);
  await give(first, [unit(0, 1)]);
  expect(await ids()).toEqual([second]);
  expect(cache.byteLength).toBeGreaterThan(before);
});

it('holds no more than it may: the workspace searched longest ago makes room, and one too large is refused', async () => {
  await memory('Here', unit(1, 0));
  const here = requestFor(unit(1, 0));
  const other = await createCast(world);
  const [formerCast, formerBuild] = [cast, build];
  [cast, build] = [other, createBuild(other)];
  await memory('There', unit(1, 0));
  const there = requestFor(unit(1, 0));
  [cast, build] = [formerCast, formerBuild];
  const one = createCache();
  await one.nearest(here);
  const cache = createCache(one.byteLength);
  expect(await cache.nearest(here)).toHaveLength(1);
  expect(await cache.nearest(there)).toHaveLength(1);
  expect(cache.byteLength).toBe(one.byteLength);
  await expect(createCache(10).nearest(here)).rejects.toThrow('SEARCH_MEMORY_MB');
});

it('releases the vectors of memories that are gone, and of workspaces that are not searched', async () => {
  const gone = await memory('Gone', unit(1, 0));
  await memory('Stays', unit(1, 0));
  const now = vi.fn(() => 0);
  const cache = new VectorCache({ db: world.context.db, capacity: 1_000_000, now });
  await cache.nearest(requestFor(unit(1, 0)));
  const both = cache.byteLength;
  await cast.alice.api('memory.remove', { params: { workspaceId: cast.workspaceId, id: gone } });
  now.mockReturnValue(5 * 60_000);
  await cache.maintain();
  expect(cache.byteLength).toBe(both / 2);
  now.mockReturnValue(60 * 60_000);
  await cache.maintain();
  expect(cache.byteLength).toBe(0);
});

it('keeps vectors as they are in the database', () => {
  const vector = unit(0.1, -2, 1e-8);
  expect(vectorOf(vectorBytes(vector))).toEqual(vector);
  expect([...vectorBytes(Float32Array.of(1))]).toEqual([0, 0, 0x80, 0x3f]);
});

it('fuses two rankings into one with each memory once', () => {
  const near = (...ids: string[]) => ids.map((id) => ({ id, similarity: 0.5, passages: [] }));
  const words = (...ids: string[]) => ({
    hits: ids.map((id) => ({ id, score: 3, match: 'all' as const })),
    total: ids.length + 100,
  });
  const fused = fuseRanks(words('a', 'b', 'c'), near('d', 'b', 'e'));
  expect(fused.hits.map(({ id }) => id)).toEqual(['b', 'a', 'd', 'c', 'e']);
  expect(fused.total).toBe(105);
  expect(fuseRanks(words('a'), near('a')).hits).toEqual([{ id: 'a', score: 1, match: 'all' }]);
  expect(fuseRanks(words('a', 'b'), []).hits.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(fuseRanks({ hits: [], total: 0 }, near('a', 'b')).hits.map(({ id }) => id)).toEqual(['a', 'b']);
});
