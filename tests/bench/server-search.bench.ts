/**
 * Server search through REST at three sizes, permission filter, rows and snippets included: one, two and five words, a
 * prefix, a phrase and a filter, warm; then the first search of a process that finds its index stored.
 */
import type { Id } from '#shared/ids.ts';
import { planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { createLog } from '#server/log.ts';
import { createSearchPool, type SearchPool } from '#server/search/search-pool.ts';
import { apiAt } from '../support/person.ts';
import { timed, timingOf, type BenchRow } from './bench-row.ts';
import { openBenchWorld, seedWorkspace, type BenchWorld } from './bench-world.ts';
import { createRandom, syntheticMemories } from './synthetic-memories.ts';

/** SEARCH_SIZES, such as `10000,50000`, measures others. */
const SIZES = (process.env['SEARCH_SIZES'] ?? '10000,50000,200000').split(',').map(Number);
const KINDS = ['one word', 'two words', 'five words', 'prefix', 'phrase', 'filter only'] as const;
const QUERIES = 100;
/** A session may search sixty times a minute. */
const PER_SESSION = 50;
/** The 95th percentile of a warm search and the first search after a start, in milliseconds, judged at 50,000. */
const LIMITS = { warm: 20, first: 500 } as const;
const JUDGED_AT = 50_000;
const READY_MS = 120_000;
/** More than the time after which a new index is merged and stored. */
const STORED_MS = 15_000;

type Documents = ReturnType<typeof syntheticMemories>;

/** One size after the other, each in a workspace of its own. */
export async function* run(): AsyncGenerator<BenchRow[]> {
  const world = await openBenchWorld();
  try {
    for (const count of SIZES) yield await measure(world, count);
  } finally {
    await world.close();
  }
}

async function measure(world: BenchWorld, count: number): Promise<BenchRow[]> {
  const workspaceId = await seedWorkspace(world, { slug: `search-${count}`, count });
  await untilReady(world.context.search, world, workspaceId);
  await new Promise((resolve) => setTimeout(resolve, STORED_MS));
  // The texts of a workspace are those of its first memories; see seedWorkspace.
  const documents = syntheticMemories(Math.min(count, 5_000));
  const rows: BenchRow[] = [];
  for (const kind of KINDS) {
    const timing = timingOf(await searches(world, workspaceId, queriesOf(documents, kind)));
    rows.push(rowOf({ count, what: kind, limit: LIMITS.warm, timing }));
  }
  const { config } = world.context;
  const fresh = createSearchPool({ config, databaseUrl: world.databaseUrl, log: createLog('error') });
  try {
    const first = await timed(() => untilReady(fresh, world, workspaceId));
    rows.push(rowOf({ count, what: 'first after a start', limit: LIMITS.first, timing: timingOf([first]) }));
  } finally {
    await fresh.close();
  }
  return rows;
}

function rowOf(given: {
  count: number;
  what: string;
  limit: number;
  timing: ReturnType<typeof timingOf>;
}): BenchRow {
  const { count, what, limit, timing } = given;
  const met = timing.p95 <= limit ? 'met' : 'missed';
  return {
    id: `srv ${count / 1_000}k ${what}`,
    scenario: `server search, ${count} memories, ${what} (p95)`,
    subject: timing,
    reference: { name: `${limit} ms`, p50: limit, p95: limit },
    ratio: timing.p95 / limit,
    target: '<= 1x',
    verdict: count === JUDGED_AT ? met : 'info',
  };
}

/** Asks until the index has an answer: without it the database would be measured. */
async function untilReady(pool: SearchPool, { userId }: BenchWorld, workspaceId: Id<'workspace'>) {
  const plan = planSearch(parseSearchQuery('anything'));
  const until = performance.now() + READY_MS;
  while (!(await pool.find({ workspaceId, userId, plan, conditions: {}, page: 1, perPage: 20 }))) {
    if (performance.now() > until) throw new Error('No index was ready in time');
  }
}

async function searches(
  world: BenchWorld,
  workspaceId: Id<'workspace'>,
  queries: readonly string[],
): Promise<number[]> {
  const durations: number[] = [];
  let api = apiAt(world.url, world.token);
  for (const [turn, query] of queries.entries()) {
    if (turn % PER_SESSION === 0) api = apiAt(world.url, await world.logIn());
    const body = { workspaceId, query, perPage: 20 };
    durations.push(await timed(() => api('memory.search', { body })));
  }
  return durations;
}

type Kind = (typeof KINDS)[number];

/** Queries with words of one memory each, common and rare ones as they come. */
function queriesOf(documents: Documents, kind: Kind): string[] {
  const random = createRandom(kind.length);
  const pick = <T>(list: readonly T[], fallback: T): T =>
    list[Math.floor(random() * list.length)] ?? fallback;
  return Array.from({ length: QUERIES }, () => {
    const document = documents[Math.floor(random() * documents.length)];
    const words = (document?.notes ?? '').split(' ');
    const one = pick(words, 'word');
    switch (kind) {
      case 'one word':
        return one;
      case 'two words':
        return `${one} ${pick(words, 'word')}`;
      case 'prefix':
        return one.slice(0, 4);
      case 'phrase':
        return `"${words.slice(3, 5).join(' ')}"`;
      case 'five words':
        return [one, ...Array.from({ length: 4 }, () => pick(words, 'word'))].join(' ');
      default:
        return `tag:${pick(document?.tags ?? [], 'tag1')}`;
    }
  });
}
