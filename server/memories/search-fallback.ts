/**
 * Search in the database, for when no index is available: it is being built, exceeds the memory allowed for indexes, or
 * its worker is busy or has failed. It finds the same memories and ranks them more coarsely.
 */
import { sql, type SqlBool } from 'kysely';
import { alternativesOf, isFilterOnly, type SearchPlan } from '#shared/memories/search-plan.ts';
import type { HighlightWords } from '#shared/memories/search-snippet.ts';
import { subjectOf } from '#shared/search/question.ts';
import type { Database } from '../db/database.ts';
import { textQueryOf } from '../db/text-query.ts';
import { fuseRanks, rankedDepth } from '#shared/search/fuse-ranks.ts';
import type { Found, NearMemory } from '../search/search-protocol.ts';
import { snippetsOf, type SnippetTexts } from '../search/snippets.ts';
import { searchConditions, type SearchFilters } from './search-filter.ts';
import type { Reader } from './store.ts';

/** Length of the part of long notes used for snippets; this runs on the main thread. */
const NOTES_READ = 2_000;
/** Newest hits that are ranked: a common word is in thousands of memories. */
const RANKED_MAX = 20_000;
/** Any of the words are enough where fewer memories have all of them; few have all words of a question. */
const FEW = { keywords: 1, question: 10 } as const;

interface Page {
  page: number;
  perPage: number;
}

/** One page: all words, else any of them; newest first without words. */
export async function searchDatabase(
  db: Database,
  reader: Reader,
  asked: SearchPlan,
  body: SearchFilters & Page,
  near?: readonly NearMemory[],
): Promise<Found> {
  const subject = subjectOf(asked);
  const plan = subject ?? asked;
  const few = subject ? FEW.question : FEW.keywords;
  if (near !== undefined) return fusedPage(db, reader, plan, { body, near, few });
  const where = searchConditions(reader, body, plan);
  const run = async (match: 'all' | 'any'): Promise<Found> => {
    const query = textQueryOf(plan, match);
    const matches = query === '' ? sql<SqlBool>`true` : sql<SqlBool>`s."document" @@ ${query}::tsquery`;
    const rank = isFilterOnly(plan)
      ? sql`0::float8`
      : sql`ts_rank('{0.1,0.2,0.5,1}', s."document", ${query}::tsquery, 1)::float8`;
    const { rows } = await sql<SnippetTexts & { id: string | null; score: number; total: number }>`
      with found as materialized (
        select s."memoryId" as id, s."created" from "memory_search" s where ${where} and ${matches}),
      ranked as (
        select id, found."created", ${rank} as "score"
        from (select * from found order by "created" desc, id limit ${RANKED_MAX}) found
        join "memory_search" s on s."workspaceId" = ${reader.workspaceId} and s."memoryId" = id
        order by "score" desc, found."created" desc, id limit ${body.perPage} offset ${(body.page - 1) * body.perPage})
      select m."id", m."title", m."description", m."summary", m."url", left(m."notes", ${NOTES_READ}) as "notes",
        ranked."score", "total"
      from (select count(*) as "total" from found) counted left join ranked on true
      left join "memory" m on m."workspaceId" = ${reader.workspaceId} and m."id" = ranked.id
      order by ranked."score" desc, ranked."created" desc, m."id"`.execute(db);
    const highlight = highlightOf(plan);
    return {
      hits: rows.flatMap(({ id, score, ...texts }) =>
        id === null ? [] : [{ id, score, snippets: snippetsOf(texts, highlight) }],
      ),
      total: rows[0]?.total ?? 0,
      match,
    };
  };
  const all = await run('all');
  return all.total < few && plan.required.length > 1 ? await run('any') : all;
}

/** The same fused with the hits by meaning: the hits by words are first ranked without their texts. */
async function fusedPage(
  db: Database,
  reader: Reader,
  plan: SearchPlan,
  { body, near, few }: { body: SearchFilters & Page; near: readonly NearMemory[]; few: number },
): Promise<Found> {
  const { page, perPage } = body;
  const where = searchConditions(reader, body, plan);
  const run = async (match: 'all' | 'any') => {
    const query = textQueryOf(plan, match);
    const { rows } = await sql<{ id: string; score: number; total: number }>`
      with found as materialized (
        select s."memoryId" as id, s."created", s."document" from "memory_search" s
        where ${where} and s."document" @@ ${query}::tsquery
        order by s."created" desc, s."memoryId" limit ${RANKED_MAX})
      select id, ts_rank('{0.1,0.2,0.5,1}', "document", ${query}::tsquery, 1)::float8 as "score",
        count(*) over () as "total"
      from found order by "score" desc, "created" desc, id limit ${rankedDepth(page * perPage, near)}`.execute(
      db,
    );
    return { hits: rows.map(({ id, score }) => ({ id, score, match })), total: rows[0]?.total ?? 0 };
  };
  const all = await run('all');
  const byWords = all.total < few && plan.required.length > 1 ? await run('any') : all;
  const { hits, total } = fuseRanks(byWords, near);
  const shown = hits.slice((page - 1) * perPage, page * perPage);
  const { rows } = await sql<SnippetTexts & { id: string }>`
    select m."id", m."title", m."description", m."summary", m."url", left(m."notes", ${NOTES_READ}) as "notes"
    from "memory" m where m."workspaceId" = ${reader.workspaceId}
      and m."id" = any(${shown.map(({ id }) => id)}::text[])`.execute(db);
  const texts = new Map(rows.map((row) => [row.id, row]));
  const highlight = highlightOf(plan);
  return {
    hits: shown.flatMap(({ id, score }) => {
      const own = texts.get(id);
      return own ? [{ id, score, snippets: snippetsOf(own, highlight) }] : [];
    }),
    total,
    match: byWords.hits[0]?.match ?? 'all',
  };
}

function highlightOf(plan: SearchPlan): HighlightWords {
  const words = plan.required.flatMap((group) => alternativesOf(group));
  const prefixes = plan.required.flatMap((group) => (group.prefix ? group.terms.slice(-1) : []));
  return { words: [...new Set(words)], prefixes };
}
