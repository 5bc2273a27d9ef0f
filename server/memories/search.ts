/**
 * Search over the memories of a workspace that a person reads (PRODUCT 5.12): PostgreSQL finds candidates, the ranking
 * of devices orders them. First all words, then any of them, at last parts of titles.
 */
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { ListMeta } from '#shared/define/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import type { memoryEndpoints } from '#shared/memories/endpoints.ts';
import { isEmptyPlan, isFilterOnly, planSearch, type SearchPlan } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { foldText } from '#shared/memories/text-analysis.ts';
import type { Database } from '../db/database.ts';
import { containsPattern, groupQuery, textQueryOf } from '../db/text-query.ts';
import { searchConditions } from './search-filter.ts';
import { highlightOf, rankCandidates, snippetsOf, type Rarity } from './search-rank.ts';
import { memoriesFor, type Reader } from './store.ts';

/** The parsed body of a search. */
export type SearchBody = z.output<(typeof memoryEndpoints)['memory.search']['body']>;

/** How the words were met: all of them, some of them, or parts of titles. */
type Match = 'all' | 'any' | 'part';

/** Hits that are put in order; pages beyond them go by date. */
const RANKED_MAX = 200;
/** Newest hits, and newest hits in titles, that the order is made of: a common word is in thousands of memories. */
const CANDIDATES = { any: 600, title: 200 } as const;
/** Text of long notes that ranking and snippets look at. */
const NOTES_READ = 20_000;

interface Search {
  db: Database;
  reader: Reader;
  body: SearchBody;
  plan: SearchPlan;
  where: RawBuilder<SqlBool>;
}

/** One page of what was found, best first, or newest first when only filters were given. @throws invalid */
export async function searchMemories(db: Database, reader: Reader, body: SearchBody) {
  const plan = planSearch(parseSearchQuery(body.query));
  const filters = [
    body.spaceIds,
    body.tags,
    body.types,
    body.origins,
    body.contentStatus,
    body.from,
    body.to,
  ];
  if (isEmptyPlan(plan) && filters.every((filter) => filter === undefined)) {
    throw new AppError('invalid', 'query: type something to search for, or choose a filter');
  }
  const search = { db, reader, body, plan, where: searchConditions(reader, body, plan) };
  if (isFilterOnly(plan)) return listFiltered(search);
  const all = await searchText(search, 'all');
  if (all.meta.total > 0) return all;
  const any = plan.required.length > 1 ? await searchText(search, 'any') : all;
  return any.meta.total > 0 ? any : searchTitleParts(search);
}

/** Ids of one page by date, and how many there are in all. */
async function newest(search: Search, where: RawBuilder<SqlBool>, offset: number) {
  const { rows } = await sql<{ ids: string[]; total: number }>`
    with found as materialized (
      select s."memoryId" as id, s."created" from "memory_search" s where ${search.where} and ${where})
    select (select count(*) from found) as "total", array(
      select id from found order by "created" desc, id desc limit ${search.body.perPage} offset ${offset}) as "ids"`.execute(
    search.db,
  );
  return rows[0] ?? { ids: [], total: 0 };
}

async function listFiltered(search: Search) {
  const { page, perPage } = search.body;
  const query = textQueryOf(search.plan, 'all');
  const matches = query === '' ? sql<SqlBool>`true` : sql<SqlBool>`s."document" @@ ${query}::tsquery`;
  const { ids, total } = await newest(search, matches, (page - 1) * perPage);
  const hits = ids.map((id) => ({ id, score: 0 }));
  return answer(search, { hits, total, match: 'all', orderBy: 'created' });
}

async function searchText(search: Search, match: 'all' | 'any') {
  const { page, perPage } = search.body;
  const query = textQueryOf(search.plan, match);
  const { ids, total } = await findCandidates(search, query);
  const start = (page - 1) * perPage;
  const ranked = start < ids.length ? (await ranking(search, ids)).slice(start, start + perPage) : [];
  const hits = [...ranked];
  if (hits.length < perPage && total > ids.length) {
    const others = sql<SqlBool>`s."document" @@ ${query}::tsquery and s."memoryId" <> all(${ids}::text[])`;
    const rest = await newest(search, others, Math.max(0, start - ids.length));
    hits.push(...rest.ids.slice(0, perPage - hits.length).map((id) => ({ id, score: 0 })));
  }
  return answer(search, { hits, total, match, orderBy: 'score' });
}

/** The best of the newest hits by the database's own measure, and how many hits there are in all. */
async function findCandidates({ db, where, plan }: Search, query: string) {
  const words = plan.required.filter(({ field }) => field !== 'url');
  const inTitle = textQueryOf(
    { ...plan, required: words.map((group) => ({ ...group, field: 'any' })), excluded: [] },
    'any',
  );
  const titles = inTitle === '' ? sql`false` : sql`s."title" @@ ${inTitle}::tsquery`;
  const { rows } = await sql<{ ids: string[]; total: number }>`
    with found as materialized (
      select s."memoryId" as id, s."created", ${titles} as "titled" from "memory_search" s
      where ${where} and s."document" @@ ${query}::tsquery),
    candidate as (
      (select id from found order by "created" desc limit ${CANDIDATES.any})
      union (select id from found where "titled" order by "created" desc limit ${CANDIDATES.title}))
    select (select count(*) from found) as "total", array(
      select id from candidate join "memory_search" s on s."memoryId" = id
      order by ts_rank('{0.1,0.2,0.5,1}', s."document", ${query}::tsquery, 1) desc, id
      limit ${RANKED_MAX}) as "ids"`.execute(db);
  return rows[0] ?? { ids: [], total: 0 };
}

async function ranking({ db, reader, plan }: Search, ids: readonly string[]) {
  const texts = await textsOf(db, ids);
  return rankCandidates(texts, plan, await rarityOf(db, reader, plan));
}

function textsOf(db: Database, ids: readonly string[]) {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('memory')
    .select(['id', 'title', 'tags', 'description', 'summary', 'url'])
    .select(sql<string | null>`left("notes", ${NOTES_READ})`.as('notes'))
    .where(sql<boolean>`"id" = any(${ids}::text[])`)
    .orderBy('created', 'desc')
    .execute();
}

/** Counts over the whole workspace weigh words only; they are not shown. */
async function rarityOf(db: Database, { workspaceId }: Reader, plan: SearchPlan): Promise<Rarity> {
  const inWorkspace = sql`select count(*) from "memory_search" where "workspaceId" = ${workspaceId}`;
  if (plan.required.length < 2) return { total: 1_000, frequencies: [1] };
  const counts = plan.required.map(
    (group) => sql`(${inWorkspace} and "document" @@ ${groupQuery(group)}::tsquery)`,
  );
  const { rows } = await sql<{ total: number; frequencies: number[] }>`
    select (${inWorkspace}) as "total", array[${sql.join(counts)}] as "frequencies"`.execute(db);
  return rows[0] ?? { total: 0, frequencies: [] };
}

/** The last resort: the query as a part of titles, such as the middle of a word. */
async function searchTitleParts(search: Search) {
  const { page, perPage } = search.body;
  const words = search.plan.required.filter((group) => !group.exact).flatMap((group) => group.terms);
  if (words.length === 0 || words.some((word) => word.length < 3)) {
    return answer(search, { hits: [], total: 0, match: 'all', orderBy: 'score' });
  }
  const parts = words.map((word) => sql`search_fold(m."title") like ${containsPattern(foldText(word))}`);
  const titled = sql<SqlBool>`s."memoryId" in (
    select m."id" from "memory" m
    where m."workspaceId" = ${search.reader.workspaceId} and ${sql.join(parts, sql` and `)})`;
  const { ids, total } = await newest(search, titled, (page - 1) * perPage);
  const hits = ids.map((id) => ({ id, score: 0 }));
  return answer(search, { hits, total, match: 'part', orderBy: 'score' });
}

interface Found {
  hits: readonly { id: string; score: number }[];
  total: number;
  match: Match;
  orderBy: 'score' | 'created';
}

/** Rows, scores and snippets of the hits, in their order. */
async function answer({ db, reader, body, plan }: Search, { hits, total, match, orderBy }: Found) {
  const ids = hits.map(({ id }) => id);
  const rows =
    ids.length === 0
      ? []
      : await memoriesFor(db, reader)
          .where(sql<boolean>`"memory"."id" = any(${ids}::text[])`)
          .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const texts = new Map((await textsOf(db, ids)).map((each) => [each.id, each]));
  const highlight = highlightOf(plan);
  const result = hits.flatMap(({ id, score }) => {
    const row = [...byId.values()].find((each) => each.id === id);
    const text = row && texts.get(row.id);
    return row && text ? [{ ...row, score, snippets: snippetsOf(text, highlight) }] : [];
  });
  const { page, perPage } = body;
  const meta: ListMeta & { match: Match } = { page, perPage, total, orderBy, order: 'desc', match };
  return { result, meta };
}
