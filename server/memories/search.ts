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
import { workspaceReads } from '#shared/spaces/visibility.ts';
import type { Visibility } from '#shared/spaces/visibility.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { readableBy, seesChosenSpaces } from '../sync/readable.ts';
import { searchDatabase } from './search-fallback.ts';
import { memoriesFor, type Reader } from './store.ts';

/** The parsed body of a search. */
export type SearchBody = z.output<(typeof memoryEndpoints)['memory.search']['body']>;

/** One page of what was found, best first, or newest first when only filters were given. @throws invalid */
export async function searchMemories(
  { db, search }: Pick<Context, 'db' | 'search'>,
  reader: Reader,
  body: SearchBody,
) {
  const plan = withDates(planSearch(parseSearchQuery(body.query)), body);
  const filters = [body.spaceIds, body.tags, body.types, body.origins, body.contentStatus];
  if (isEmptyPlan(plan) && filters.every((filter) => filter === undefined)) {
    throw new AppError('invalid', 'query: type something to search for, or choose a filter');
  }
  const { userId, workspaceId } = reader;
  const { page, perPage } = body;
  const conditions = await conditionsOf(db, reader, plan, body);
  const found =
    (seesChosenSpaces()
      ? undefined
      : await search.find({ workspaceId, userId, plan, conditions, page, perPage })) ??
    (await searchDatabase(db, reader, plan, body));
  const ids = found.hits.map(({ id }) => id);
  // The rows are read with the same access checks as any list, so the index alone never exposes a memory.
  const rows =
    ids.length === 0
      ? []
      : await memoriesFor(db, reader)
          .where(sql<boolean>`"memory"."id" = any(${ids}::text[])`)
          .execute();
  const byId = new Map<string, (typeof rows)[number]>(rows.map((row) => [row.id, row]));
  const result = found.hits.flatMap(({ id, score, snippets }) => {
    const row = byId.get(id);
    return row ? [{ ...row, score, snippets }] : [];
  });
  const meta: ListMeta & { match: string } = {
    ...{ page, perPage, total: found.total, order: 'desc', match: found.match },
    orderBy: isFilterOnly(plan) ? 'created' : 'score',
  };
  return { result, meta };
}

/** The dates of the body narrow those of the query; `to` is inclusive. */
function withDates(plan: SearchPlan, { from, to }: SearchBody): SearchPlan {
  return {
    ...plan,
    from: Math.max(plan.from, from === undefined ? -Infinity : Date.parse(from)),
    until: Math.min(plan.until, to === undefined ? Infinity : Date.parse(to) + 1),
  };
}

/** The filters of a body, and spaces as ids: those that the person does not read mean nothing. */
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
  /** What people write to mean it. */
  names: string[];
  /** Where the links are not in the feed of the whole workspace: its index does not follow them. */
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
  { userId, workspaceId }: Reader,
  asked: readonly string[],
): Promise<ReadableSpace[]> {
  const { rows } = await sql<ReadableSpaceRow>`
    select "id", "slug", "name", "visibility",
      exists (select 1 from "sync_space_audience" large where large."spaceId" = "space"."id") as "isLarge" from "space"
    where "workspaceId" = ${workspaceId} and "deletedAt" is null
      and ("id" = any(${asked}::text[]) or "slug" = any(${asked}::text[])
        or search_fold("name") = any(${asked}::text[]))
      and ${readableBy('space', 'space', { realmId: workspaceId, userId })}`.execute(db);
  return await Promise.all(
    rows.map(async ({ id, slug, name, visibility, isLarge }) => ({
      id,
      names: [id, slug ?? '', foldText(name)],
      memoryIds: workspaceReads(visibility) && !isLarge ? null : await memoryIdsIn(db, id),
    })),
  );
}

async function memoryIdsIn(db: Database, spaceId: string): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    select array(select "memoryId" from "space_memory" where "spaceId" = ${spaceId}) as "ids"`.execute(db);
  return rows[0]?.ids ?? [];
}
