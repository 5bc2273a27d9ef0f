/** Search over names, summaries and messages of threads that a person reads; the best message of each is shown. */
import { sql } from 'kysely';
import type { ListMeta } from '#shared/define/endpoint.ts';
import type { Snippet } from '#shared/memories/search-hit.ts';
import { planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import type { HighlightWords } from '#shared/memories/search-snippet.ts';
import type { Database } from '../db/database.ts';
import { textQueryOf } from '../db/text-query.ts';
import { piecesOf } from '../search/snippets.ts';
import { readableBy, readerIn } from '../sync/readable.ts';
import { threadsFor, type Reader } from './store.ts';

interface ThreadSearch {
  query: string;
  page: number;
  perPage: number;
}

interface ThreadHit {
  id: string;
  score: number;
  content: string | null;
  total: number;
}

/** Threads whose name, summary or one message contains all words; words in the name count most. */
export async function searchThreads(db: Database, reader: Reader, { query, page, perPage }: ThreadSearch) {
  const plan = planSearch(parseSearchQuery(query));
  const textQuery = textQueryOf({ ...plan, required: plan.required.map(anywhere) }, 'all');
  const meta = (total: number): ListMeta => ({ page, perPage, total, orderBy: 'score', order: 'desc' });
  if (plan.required.length === 0) return { result: [], meta: meta(0) };
  const hits = await findHits(db, reader, { textQuery, page, perPage });
  const ids = hits.map(({ id }) => id);
  const rows = await threadsFor(db, reader)
    .where(sql<boolean>`"thread"."id" = any(${ids}::text[])`)
    .execute();
  const words = plan.required.flatMap((group) => group.terms);
  const highlight = { words, prefixes: words.slice(-1) };
  const result = hits.flatMap(({ id, score, content }) =>
    rows
      .filter((row) => row.id === id)
      .map((row) => ({ ...row, score, snippets: snippetsOf(row, content, highlight) })),
  );
  return { result, meta: meta(hits[0]?.total ?? 0) };
}

/** Operators for fields of memories are meaningless here. */
function anywhere<G extends { field: 'any' | 'title' | 'url' }>(group: G): G {
  return { ...group, field: 'any' };
}

async function findHits(
  db: Database,
  member: Reader,
  { textQuery, page, perPage }: { textQuery: string; page: number; perPage: number },
): Promise<ThreadHit[]> {
  const { workspaceId } = member;
  const reader = readerIn(member);
  const { rows } = await sql<ThreadHit>`
    with wanted as (select ${textQuery}::tsquery as "query"),
    named as (
      select t."id", 4 * ts_rank(search_vector(t."name" || ' . ' || coalesce(t."summary", '')), "query", 1) as "score"
      from "thread" t, wanted
      where t."workspaceId" = ${workspaceId}
        and search_vector(t."name" || ' . ' || coalesce(t."summary", '')) @@ "query"),
    said as (
      select distinct on (m."threadId") m."threadId" as "id", m."content",
        ts_rank(search_vector(m."content"), "query", 1) as "score"
      from "message" m, wanted
      where m."workspaceId" = ${workspaceId} and m."versionOf" is null and search_vector(m."content") @@ "query"
      order by m."threadId", 3 desc)
    select t."id", round((coalesce(named."score", 0) + coalesce(said."score", 0))::numeric, 4)::float8 as "score",
      said."content", count(*) over () as "total"
    from "thread" t left join named on named."id" = t."id" left join said on said."id" = t."id"
    where t."workspaceId" = ${workspaceId} and (named."id" is not null or said."id" is not null) and t."deletedAt" is null
      and ${readableBy('thread', 't', reader)}
    order by 2 desc, t."updated" desc, t."id"
    limit ${perPage} offset ${(page - 1) * perPage}`.execute(db);
  return rows;
}

function snippetsOf(
  thread: { name: string; summary: string | null },
  content: string | null,
  highlight: HighlightWords,
): Snippet[] {
  return piecesOf(
    [
      ['name', thread.name],
      ['summary', thread.summary],
      ['message', content],
    ],
    highlight,
  ).filter(({ field, ranges }) => field === 'name' || ranges.length > 0);
}
