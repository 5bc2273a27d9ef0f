/**
 * Search by words alone beside words and meaning together, over the project's own notes: keywords, questions, and
 * paraphrases that share few words with their note. The embedding model is that of EMBEDDINGS_URL and its sisters;
 * without one the rows say so. Then the exact comparison of vectors alone, with random ones, which needs no model.
 */
import type { Id } from '#shared/ids.ts';
import { sql } from 'kysely';
import { embedMemories } from '#server/memories/embed-memories.ts';
import { searchMemories } from '#server/memories/search.ts';
import { VectorCache } from '#server/search/vector-cache.ts';
import {
  corpusNotes,
  KEYWORD_QUERIES,
  PARAPHRASES,
  QUESTIONS,
  THREAD_QUESTIONS,
} from '../support/note-corpus.ts';
import { apiAt } from '../support/person.ts';
import { eachOf, judgeBudget, timed, timingOf, type BenchRow, type Timing } from './bench-row.ts';
import { openBenchWorld, openWorkspace, seedWorkspace, type BenchWorld } from './bench-world.ts';
import { createRandom } from './synthetic-memories.ts';
import { asPerson } from '#server/sync/readable.ts';

const DEPTH = 10;
const KINDS = {
  keywords: KEYWORD_QUERIES,
  questions: [...QUESTIONS, ...THREAD_QUESTIONS],
  paraphrases: PARAPHRASES,
} as const;

/** Memories, vectors of each and numbers of each vector in the comparison without a model. */
const EXACT = { memories: 10_000, passages: 3, dimensions: 384, searches: 20, limitMs: 250 } as const;

export const run = () => eachOf({ quality: measureQuality, exact: measureExact });

async function measureQuality(): Promise<BenchRow[]> {
  const model = modelEnv();
  const world = await openBenchWorld({ env: model ?? {} });
  try {
    const { workspaceId, fileOf } = await fillWithNotes(world);
    if (model !== undefined) await embedMemories(world.context, workspaceId);
    const rows: BenchRow[] = [];
    for (const [kind, queries] of Object.entries(KINDS)) {
      const text = await measure(world, { workspaceId, fileOf, queries, mode: 'text' });
      const fused = model && (await measure(world, { workspaceId, fileOf, queries, mode: 'hybrid' }));
      rows.push(...rowsOf(kind, queries.length, text, fused));
    }
    return rows;
  } finally {
    await world.close();
  }
}

/** The variables of the environment that name a model. */
function modelEnv(): Record<string, string> | undefined {
  const given = Object.entries(process.env).filter(([name]) => name.startsWith('EMBEDDINGS_'));
  const env = Object.fromEntries(given.flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return env['EMBEDDINGS_URL'] === undefined ? undefined : env;
}

async function fillWithNotes(world: BenchWorld) {
  const workspaceId = await openWorkspace(world, 'meaning');
  const api = apiAt(world.url, world.token);
  const fileOf = new Map<string, string>();
  for (const { file, title, notes, tags, url } of corpusNotes()) {
    const { result } = await api('memory.create', {
      body: { workspaceId, title, notes, tags, url: url ?? null },
    });
    fileOf.set(result.id, file);
  }
  return { workspaceId, fileOf };
}

interface Asked {
  workspaceId: Id<'workspace'>;
  fileOf: ReadonlyMap<string, string>;
  queries: readonly (readonly [query: string, file: string])[];
  mode: 'text' | 'hybrid';
}

interface Measured {
  /** nDCG@10 with one right note. */
  gain: number;
  timing: Timing;
}

/** Each query is asked once, so that no vector of a query is known from before. */
async function measure(
  { context, userId }: BenchWorld,
  { workspaceId, fileOf, queries, mode }: Asked,
): Promise<Measured> {
  const durations: number[] = [];
  let gain = 0;
  for (const [query, file] of queries) {
    const body = {
      workspaceId,
      query,
      mode,
      archived: false,
      page: 1,
      perPage: DEPTH,
    };
    let found: (string | undefined)[] = [];
    let how = '';
    durations.push(
      await timed(async () => {
        const { result, meta } = await searchMemories(context, { workspaceId, ...asPerson(userId) }, body);
        found = result.map(({ id }) => fileOf.get(id));
        how = meta.mode;
      }),
    );
    // Quoted words and operators go by words in both modes; everything else must have used the model.
    if (mode === 'hybrid' && how === 'text' && !/[":]/.test(query))
      throw new Error(`The embedding model did not answer for “${query}”`);
    const place = found.indexOf(file);
    gain += place < 0 ? 0 : 1 / Math.log2(place + 2);
  }
  return { gain: gain / queries.length, timing: timingOf(durations) };
}

function rowsOf(kind: string, count: number, text: Measured, fused: Measured | undefined): BenchRow[] {
  const model = process.env['EMBEDDINGS_MODEL'] ?? '';
  const shown = fused ?? text;
  const how = fused === undefined ? 'by words: no embedding model (EMBEDDINGS_URL)' : `by words and ${model}`;
  return [
    {
      id: `23 ${kind}`,
      scenario: `${count} ${kind} over the notes, ${how}, nDCG@${DEPTH}`,
      subject: { p50: shown.gain, p95: shown.gain },
      reference: { name: 'words alone', p50: text.gain, p95: text.gain },
      unit: 'of 1',
      ratio: shown.gain / text.gain,
      target: '',
      verdict: 'info',
    },
    {
      id: `23 ${kind} time`,
      scenario: `the same, time of a search ${fused === undefined ? how : 'with the request to the model'}`,
      subject: shown.timing,
      reference: { name: 'words alone', ...text.timing },
      ratio: shown.timing.p50 / text.timing.p50,
      target: '',
      verdict: 'info',
    },
  ];
}

/** What a worker does for one search by meaning: the list of allowed memories, all their vectors, and the best passages. */
async function measureExact(): Promise<BenchRow[]> {
  const { memories, passages, dimensions, searches, limitMs } = EXACT;
  const world = await openBenchWorld();
  try {
    const { db } = world.context;
    const workspaceId = await seedWorkspace(world, { slug: 'exact', count: memories });
    const random = createRandom(23);
    const vectors = Array.from({ length: 64 }, () =>
      Buffer.from(Float32Array.from({ length: dimensions }, () => random() - 0.5).buffer),
    );
    await sql`
      insert into "memory_vector" ("workspaceId", "memoryId", "position", "fingerprint", "contentHash", "field", "text", "vector")
      select "workspaceId", "id", n, 'bench', '', 'notes', 'A passage.',
        (${vectors}::bytea[])[1 + (abs(hashtext("id" || n)) % ${vectors.length}::int)]
      from "memory", generate_series(0, ${passages}::int - 1) n where "workspaceId" = ${workspaceId}`.execute(
      db,
    );
    await sql`insert into "memory_embedding" ("workspaceId", "memoryId", "fingerprint")
      select "workspaceId", "id", 'bench' from "memory" where "workspaceId" = ${workspaceId}`.execute(db);
    const { sql: text, parameters } = sql`
      select s."memoryId" as "id", e."revision" from "memory_search" s
      join "memory_embedding" e on e."workspaceId" = s."workspaceId" and e."memoryId" = s."memoryId"
      where s."workspaceId" = ${workspaceId} and not s."deleted"`.compile(db);
    const cache = new VectorCache({ db, capacity: 2 ** 30 });
    const search = () =>
      cache.nearest({
        workspaceId,
        fingerprint: 'bench',
        allowed: { sql: text, parameters },
        limit: 50,
        vector: Float32Array.from({ length: dimensions }, () => random() - 0.5),
        minSimilarity: -1,
      });
    await search();
    const values: number[] = [];
    for (let turn = 0; turn < searches; turn += 1) values.push(await timed(search));
    return [
      judgeBudget(
        '23 exact',
        `nearest of ${memories} memories, ${passages} passages of ${dimensions} numbers each, exactly (p95)`,
        { values, limit: limitMs },
      ),
    ];
  } finally {
    await world.close();
  }
}
