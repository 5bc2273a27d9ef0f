/**
 * Semantic search: memories whose passages are nearest to the query, among those that the person may read and that
 * match the filters. On any failure, and after a bounded time, the search continues with words only.
 */
import { sql } from 'kysely';
import { EMBEDDINGS } from '#shared/search/embedding-limits.ts';
import type { Snippet } from '#shared/memories/search-hit.ts';
import { isFilterOnly, type SearchPlan } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { makeSnippet } from '#shared/memories/search-snippet.ts';
import type { Context } from '../context.ts';
import type { NearMemory } from '../search/search-protocol.ts';
import { countEmbedding } from './embedding-usage.ts';
import { mayEmbed } from './embedding-queue.ts';
import { searchConditions, type SearchFilters } from './search-filter.ts';
import type { Reader } from './store.ts';

export type SearchHost = Pick<Context, 'db' | 'search' | 'embeddings' | 'clock' | 'log'>;

/** Best first; undefined where this search uses only words. */
export async function findByMeaning(
  host: SearchHost,
  reader: Reader,
  plan: SearchPlan,
  body: SearchFilters & { query: string },
): Promise<NearMemory[] | undefined> {
  const { db, search, embeddings } = host;
  if (embeddings === undefined || isFilterOnly(plan) || isAboutWords(plan)) return undefined;
  const { workspaceId } = reader;
  const { rows } = await sql`select 1 where ${mayEmbed(workspaceId)}`.execute(db);
  if (rows.length === 0) return undefined;
  const vector = await embeddings.queryVector(wordsOf(body.query), (tokens) =>
    countEmbedding(host, workspaceId, tokens),
  );
  if (vector === undefined) return undefined;
  const { fingerprint, minSimilarity } = embeddings.model;
  const { sql: text, parameters } = sql`
    select s."memoryId" as "id", e."revision" from "memory_search" s
    join "memory_embedding" e on e."workspaceId" = s."workspaceId" and e."memoryId" = s."memoryId"
      and e."fingerprint" = ${fingerprint}
    where ${searchConditions(reader, body, plan)}`.compile(db);
  return await search.near({
    workspaceId,
    fingerprint,
    vector,
    minSimilarity,
    allowed: { sql: text, parameters },
    limit: EMBEDDINGS.found,
  });
}

/** Quoted and excluded words, title: and url: select by the words of a memory, not by its subject. */
function isAboutWords({ required, excluded }: SearchPlan): boolean {
  return excluded.length > 0 || required.some(({ exact }) => exact);
}

function wordsOf(query: string): string {
  return parseSearchQuery(query)
    .flatMap((clause) => (clause.kind === 'word' ? [clause.text] : []))
    .join(' ');
}

/** Shows the matching passage when it contains no word of the query. */
export function passageSnippets(passages: NearMemory['passages'] = []): Snippet[] {
  return passages.slice(0, 1).map(({ field, text }) => ({
    field,
    text: makeSnippet(text, { words: [], prefixes: [] }).text,
    ranges: [],
  }));
}
