/**
 * Local search at 50,000 memories: rows 13 and 14 of the performance plan. Ours and its references take turns in one
 * process; the sets of matches are compared too, since a fast wrong answer is none.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import MiniSearch, { type Options, type Query } from 'minisearch';
import type { SearchDocument } from '#shared/search/search-document.ts';
import { SearchIndex } from '#shared/search/search-index.ts';
import { alternativesOf, planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { foldText, termsOf } from '#shared/memories/text-analysis.ts';
import { judge, percentile, timingOf, type BenchRow, type Timing } from './bench-row.ts';
import { createRandom, syntheticMemories } from './synthetic-memories.ts';

const MEMORIES = 50_000;
const QUERIES = 200;
const SCANS = 60;
const ROUNDS = 7;

/** Runs rows 13 and 14. */
export async function run(): Promise<BenchRow[]> {
  const documents = syntheticMemories(MEMORIES);
  return [...searchRows(documents), ...indexRows(documents)];
}

type Kind = 'exact' | 'prefix' | 'fuzzy';
const LIMITS: Record<Kind, number> = { exact: 0.04, prefix: 0.04, fuzzy: 0.1 };

/**
 * Row 13: 95th percentile over queries beside a substring scan of all folded texts. Each query counts with the median of
 * its rounds, so that what other programs do to single runs of a tenth of a millisecond stays out.
 */
function searchRows(documents: readonly SearchDocument[]): BenchRow[] {
  const index = SearchIndex.build(documents);
  const texts = documents.map(scannedText);
  const kinds: Kind[] = ['exact', 'prefix', 'fuzzy'];
  const subjects = kinds.map((kind) => ({ kind, ...eachTimed(queriesOf(documents, kind)) }));
  const scans = eachTimed(queriesOf(documents, 'prefix').slice(0, SCANS));
  // The first two rounds warm both sides up and are not counted.
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const { measure } of subjects) measure((query) => index.search(query, { limit: 50 }), round >= 0);
    scans.measure((query) => scan(texts, query.split(' ')), round >= 0);
  }
  const reference = { name: 'substring scan', ...scans.timing() };
  return subjects.map(({ kind, timing }) => {
    const subject = timing();
    const scenario = `search ${MEMORIES} memories, ${kind}, 1-3 words (p95)`;
    return judge(
      { id: `13 ${kind}`, scenario, subject, reference },
      subject.p95 / reference.p95,
      LIMITS[kind],
    );
  });
}

interface EachTimed {
  measure(work: (query: string) => unknown, counts: boolean): void;
  timing(): Timing;
}

/** Times every query round by round; the timing is over the queries' medians. */
function eachTimed(queries: readonly string[]): EachTimed {
  const durations = queries.map((): number[] => []);
  return {
    measure(work, counts) {
      queries.forEach((query, place) => {
        const took = time(() => work(query));
        if (counts) durations[place]?.push(took);
      });
    },
    timing: () => timingOf(durations.map((each) => percentile(each, 0.5))),
  };
}

/** Words from one memory each, so that every query has an answer: whole, with a last word begun, or with a slip. */
function queriesOf(documents: readonly SearchDocument[], kind: Kind): string[] {
  const random = createRandom(kind.length);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  return Array.from({ length: QUERIES }, () => {
    const document = pick(documents);
    const words = document ? termsOf(scannedText(document)) : [];
    const chosen = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(words) ?? '');
    const last = chosen.at(-1) ?? '';
    if (kind === 'prefix')
      chosen[chosen.length - 1] = last.slice(0, Math.max(3, Math.ceil(last.length * 0.6)));
    if (kind === 'fuzzy')
      chosen[chosen.length - 1] = misspell(pick(words.filter((each) => each.length > 4)) ?? last, random);
    // Exact means every word is complete; quotes take the last one's prefix meaning away.
    return kind === 'exact' ? chosen.map((word) => `"${word}"`).join(' ') : chosen.join(' ');
  });
}

function misspell(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  return random() < 0.5
    ? word.slice(0, at) + word.slice(at + 1)
    : `${word.slice(0, at)}q${word.slice(at + 1)}`;
}

function scannedText({ title, tags, description, summary, notes }: SearchDocument): string {
  return foldText([title, ...tags, description, summary, notes].join(' '));
}

function scan(texts: readonly string[], words: readonly string[]): number {
  let found = 0;
  for (const text of texts) if (words.every((word) => text.includes(word))) found += 1;
  return found;
}

/** The same fields and terms as ours, so that both must find the same. */
const miniSearchOptions: Options<SearchDocument> = {
  fields: ['title', 'tags', 'description', 'summary', 'notes', 'url'],
  tokenize: termsOf,
  processTerm: (term) => term,
};

/** Row 14: building, reopening and holding the index beside MiniSearch, and the matches of both. */
function indexRows(documents: readonly SearchDocument[]): BenchRow[] {
  const took = { build: [], reopen: [], theirBuild: [], theirReopen: [] } as Record<string, number[]>;
  let stored = SearchIndex.build(documents.slice(0, 5000)).serialize();
  let theirStored = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    collectGarbage();
    took['build']?.push(time(() => void (stored = SearchIndex.build(documents).serialize())));
    // What IndexedDB does on reading a record is a structured clone.
    took['reopen']?.push(time(() => SearchIndex.load(structuredClone(stored))));
    collectGarbage();
    const theirs = new MiniSearch(miniSearchOptions);
    took['theirBuild']?.push(time(() => theirs.addAll(documents)));
    theirStored = JSON.stringify(theirs);
    took['theirReopen']?.push(
      time(() => MiniSearch.loadJSON(structuredClone(theirStored), miniSearchOptions)),
    );
  }
  const name = 'MiniSearch';
  const build = {
    subject: timingOf(took['build'] ?? []),
    reference: { name, ...timingOf(took['theirBuild'] ?? []) },
  };
  const reopen = {
    subject: timingOf(took['reopen'] ?? []),
    reference: { name, ...timingOf(took['theirReopen'] ?? []) },
  };
  return [
    judge(
      { id: '14 reopen', scenario: `reopen the index of ${MEMORIES}`, ...reopen },
      medianRatio(reopen),
      0.03,
    ),
    judge(
      { id: '14 build', scenario: `build and serialise the index of ${MEMORIES}`, ...build },
      medianRatio(build),
      0.2,
    ),
    memoryRow(stored, theirStored),
    matchRow(stored, theirStored, documents),
  ];
}

function medianRatio({
  subject,
  reference,
}: {
  subject: { p50: number };
  reference: { p50: number };
}): number {
  return subject.p50 / reference.p50;
}

function memoryRow(stored: ArrayBuffer, theirStored: string): BenchRow {
  const megabytes = (make: () => unknown): number => {
    collectGarbage();
    const before = process.memoryUsage();
    const held = make();
    collectGarbage();
    const after = process.memoryUsage();
    const bytes = after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers;
    return held ? bytes / 1e6 : Number.NaN;
  };
  const ours = megabytes(() => {
    const index = SearchIndex.load(stored.slice(0));
    index?.search('warm');
    return index;
  });
  const theirs = megabytes(() => MiniSearch.loadJSON(theirStored, miniSearchOptions));
  const row = {
    id: '14 memory',
    scenario: `memory of the loaded index of ${MEMORIES}`,
    subject: { p50: ours, p95: ours },
    reference: { name: 'MiniSearch', p50: theirs, p95: theirs },
    unit: 'MB',
  };
  return judge(row, ours / theirs, 0.08);
}

/** Share of queries for which both do not find exactly the same memories; anything but 0 is a fault. */
function matchRow(stored: ArrayBuffer, theirStored: string, documents: readonly SearchDocument[]): BenchRow {
  const ours = SearchIndex.load(stored);
  const theirs = MiniSearch.loadJSON(theirStored, miniSearchOptions);
  const queries = [...queriesOf(documents, 'exact'), ...queriesOf(documents, 'prefix')];
  const differing = queries.filter((query) => {
    const found = ours?.search(query, { widest: 'all', limit: MEMORIES }).hits.map((hit) => hit.id) ?? [];
    const expected = new Set(theirs.search(miniSearchQuery(query)).map((hit) => String(hit.id)));
    return found.length !== expected.size || found.some((id) => !expected.has(id));
  });
  const share = (count: number): { p50: number; p95: number } => ({ p50: count, p95: count });
  return {
    id: '14 matches',
    scenario: `queries answered with other memories than MiniSearch, of ${queries.length}`,
    subject: share(differing.length),
    reference: { name: 'MiniSearch', ...share(0) },
    unit: 'queries',
    ratio: differing.length,
    target: '0',
    verdict: differing.length === 0 ? 'met' : 'missed',
  };
}

function miniSearchQuery(query: string): Query {
  const { required } = planSearch(parseSearchQuery(query));
  const queries: Query[] = required.map((group) => ({
    combineWith: 'OR',
    queries: alternativesOf(group).map((term, place) => ({
      queries: [term],
      prefix: group.prefix && place === 0,
      tokenize: (text: string) => [text],
    })),
  }));
  return { combineWith: 'AND', queries };
}

function time(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
