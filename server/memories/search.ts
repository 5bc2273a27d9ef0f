/**
 * Search over the memories of a workspace that a person can read: the indexes find and rank, and this file builds their
 * request and reads the rows. Without an index the database searches; see search-fallback.ts.
 */
import { sql } from 'kysely';
import type { z } from 'zod';
import type { ListMeta } from '#shared/define/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import type { memoryEndpoints } from '#shared/memories/endpoints.ts';
import { isEmptyPlan, isFilterOnly, planSearch, type SearchPlan } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { foldText } from '#shared/memories/text-analysis.ts';
import type { SearchConditions } from '#shared/search/document-filter.ts';
import { workspaceReads, type Visibility } from '#shared/spaces/visibility.ts';
import type { Database } from '../db/database.ts';
import { readableBy, readerIn } from '../sync/readable.ts';
import { findByMeaning, passageSnippets, type SearchHost } from './search-by-meaning.ts';
import { searchDatabase } from './search-fallback.ts';
import { memoriesFor, type Reader } from './store.ts';

export type SearchBody = z.output<(typeof memoryEndpoints)['memory.search']['body']>;

/** One page of results, best first, or newest first for a query of filters only. @throws invalid */
export async function searchMemories(context: SearchHost, reader: Reader, body: SearchBody) {
  const { db } = context;
  const { plan, hits, total, match, mode } = await findMemories(context, reader, body);
  const ids = hits.map(({ id }) => id);
  // The rows are read with the same access checks as any list, so the index alone never exposes a memory.
  const rows =
    ids.length === 0
      ? []
      : await memoriesFor(db, reader)
          .where(sql<boolean>`"memory"."id" = any(${ids}::text[])`)
          .execute();
  const byId = new Map<string, (typeof rows)[number]>(rows.map((row) => [row.id, row]));
  const result = hits.flatMap(({ id, score, snippets }) => {
    const row = byId.get(id);
    return row ? [{ ...row, score, snippets }] : [];
  });
  const { page, perPage } = body;
  const meta: ListMeta & { match: string; mode: string } = {
    page,
    perPage,
    total,
    order: 'desc',
    match,
    mode,
    orderBy: isFilterOnly(plan) ? 'created' : 'score',
  };
  return { result, meta };
}

/**
 * One page of ids with snippets, and the passages of those that were found by meaning; `mode` is the used search mode: words
 * where the embedding model fails or is late. `indexMs` is how long an index may take to be built. @throws invalid
 */
export async function findMemories(host: SearchHost, reader: Reader, body: SearchBody, indexMs?: number) {
  const { db, search } = host;
  const plan = withDates(planSearch(parseSearchQuery(body.query)), body);
  const filters = [body.spaceIds, body.tags, body.types, body.origins, body.contentStatus];
  if (isEmptyPlan(plan) && filters.every((filter) => filter === undefined)) {
    throw new AppError('invalid', 'query: type something to search for, or choose a filter');
  }
  const { userId, workspaceId } = reader;
  const { page, perPage } = body;
  if (body.mode === 'semantic' && host.embeddings === undefined) {
    throw new AppError('invalid', 'mode: This server has no embedding model; use hybrid or text');
  }
  const near = body.mode === 'text' ? undefined : await findByMeaning(host, reader, plan, body);
  const passages = new Map(near?.map((hit) => [hit.id, hit.passages]));
  if (near !== undefined && body.mode === 'semantic') {
    const hits = near.slice((page - 1) * perPage, page * perPage).map(({ id, similarity }) => ({
      id,
      score: similarity,
      snippets: passageSnippets(passages.get(id)),
      passages: passages.get(id),
    }));
    return { plan, hits, total: near.length, match: 'all', mode: 'semantic' } as const;
  }
  const conditions = await conditionsOf(db, reader, plan, body);
  const found =
    (reader.spaceIds !== null
      ? undefined
      : await search.find({ workspaceId, userId, plan, conditions, page, perPage, near }, indexMs)) ??
    (await searchDatabase(db, reader, plan, body, near));
  const hits = found.hits.map((hit) => {
    const own = passages.get(hit.id);
    const isMarked = hit.snippets.some(({ ranges }) => ranges.length > 0);
    return {
      ...hit,
      passages: own,
      snippets: own === undefined || isMarked ? hit.snippets : passageSnippets(own),
    };
  });
  return { plan, ...found, hits, mode: near === undefined ? 'text' : 'hybrid' } as const;
}

/** The dates of the body narrow those of the query; `to` is inclusive. */
function withDates(plan: SearchPlan, { from, to }: SearchBody): SearchPlan {
  return {
    ...plan,
    from: Math.max(plan.from, from === undefined ? -Infinity : Date.parse(from)),
    until: Math.min(plan.until, to === undefined ? Infinity : Date.parse(to) + 1),
  };
}

/** The filters of a body, and spaces as ids: those that the person cannot read are ignored. */
async function conditionsOf(
  db: Database,
  reader: Reader,
  plan: SearchPlan,
  body: SearchBody,
): Promise<SearchConditions> {
  const named = plan.facets.flatMap(({ facet, values }) => (facet === 'space' ? values : []));
  const asked = [...named, ...(body.spaceIds ?? [])];
  const spaces = asked.length === 0 ? [] : await readableSpaces(db, reader, asked);
  const meantBy = (value: string): string[] =>
    spaces.filter(({ names }) => names.includes(value)).map(({ id }) => id);
  const members = spaces.flatMap(({ id, memoryIds }) => (memoryIds ? [[id, memoryIds] as const] : []));
  return {
    archived: body.archived ? 'only' : 'exclude',
    tags: body.tags,
    types: body.types,
    origins: body.origins,
    ...(body.spaceIds ? { spaceIds: body.spaceIds.flatMap(meantBy) } : {}),
    ...(body.contentStatus ? { facets: { contentStatus: body.contentStatus } } : {}),
    spaceNames: Object.fromEntries(named.map((value) => [value, meantBy(value)])),
    spaceMembers: Object.fromEntries(members),
  };
}

interface ReadableSpace {
  id: string;
  /** Id, slug and folded name, each of which selects it in a query. */
  names: string[];
  /** Set where the index of the workspace does not follow the links of the space; null elsewhere. */
  memoryIds: string[] | null;
}

interface ReadableSpaceRow {
  id: string;
  slug: string | null;
  name: string;
  visibility: Visibility;
  isLarge: boolean;
}

async function readableSpaces(
  db: Database,
  reader: Reader,
  asked: readonly string[],
): Promise<ReadableSpace[]> {
  const { workspaceId } = reader;
  const { rows } = await sql<ReadableSpaceRow>`
    select "id", "slug", "name", "visibility",
      exists (select 1 from "sync_space_audience" large
        where large."realmId" = "space"."workspaceId" and large."spaceId" = "space"."id") as "isLarge" from "space"
    where "workspaceId" = ${workspaceId} and "deletedAt" is null
      and ("id" = any(${asked}::text[]) or "slug" = any(${asked}::text[])
        or search_fold("name") = any(${asked}::text[]))
      and ${readableBy('space', 'space', readerIn(reader))}`.execute(db);
  return await Promise.all(
    rows.map(async ({ id, slug, name, visibility, isLarge }) => ({
      id,
      names: [id, slug ?? '', foldText(name)],
      memoryIds: workspaceReads(visibility) && !isLarge ? null : await memoryIdsIn(db, workspaceId, id),
    })),
  );
}

async function memoryIdsIn(db: Database, workspaceId: string, spaceId: string): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    select array(select "memoryId" from "space_memory"
      where "workspaceId" = ${workspaceId} and "spaceId" = ${spaceId}) as "ids"`.execute(db);
  return rows[0]?.ids ?? [];
}
