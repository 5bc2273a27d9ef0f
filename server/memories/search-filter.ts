/**
 * Which documents a search may match, as SQL over the table memory_search under the alias `s`: what the person can
 * read, the operators of the query and the filters of the body.
 */
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { FacetTest, SearchPlan } from '#shared/memories/search-plan.ts';
import { foldText } from '#shared/memories/text-analysis.ts';
import { readableBy, readableMemory, readerIn } from '../sync/readable.ts';
import type { Reader } from './store.ts';

/** Filters of a search body; an omitted one matches all memories. */
export interface SearchFilters {
  spaceIds?: readonly string[];
  tags?: readonly string[];
  types?: readonly string[];
  origins?: readonly string[];
  contentStatus?: readonly string[];
  archived: boolean;
}

/** One condition that holds for documents which may be found. */
export function searchConditions(
  reader: Reader,
  filters: SearchFilters,
  plan: SearchPlan,
): RawBuilder<SqlBool> {
  const conditions = [
    sql`s."workspaceId" = ${reader.workspaceId} and not s."deleted"`,
    sql`s."archived" = ${plan.archived ?? filters.archived}`,
    readableMemory({ id: sql`s."memoryId"`, spaceId: sql`s."spaceId"` }, readerIn(reader)),
    ...columnFilter('type', filters.types),
    ...columnFilter('origin', filters.origins),
    ...columnFilter('contentStatus', filters.contentStatus),
    ...(filters.tags ? [hasTag(filters.tags.map(foldText))] : []),
    ...(filters.spaceIds ? [inSpace(reader, sql`space."id" = any(${filters.spaceIds}::text[])`)] : []),
    ...(plan.from > -Infinity ? [sql`s."created" >= ${instant(plan.from)}`] : []),
    ...(plan.until < Infinity ? [sql`s."created" < ${instant(plan.until)}`] : []),
    ...plan.facets.map((facet) => {
      const condition = facetCondition(reader, facet);
      return facet.negated ? sql`not (${condition})` : condition;
    }),
  ];
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

function columnFilter(column: string, values: readonly string[] | undefined): RawBuilder<unknown>[] {
  return values ? [columnIs(column, values)] : [];
}

function columnIs(column: string, values: readonly string[]): RawBuilder<unknown> {
  return sql`exists (select 1 from "memory" m
    where m."workspaceId" = s."workspaceId" and m."id" = s."memoryId" and ${sql.ref(`m.${column}`)} = any(${values}::text[]))`;
}

function hasTag(folded: readonly string[]): RawBuilder<unknown> {
  return sql`s."tags" && ${folded}::text[]`;
}

function facetCondition(reader: Reader, { facet, values }: FacetTest): RawBuilder<unknown> {
  switch (facet) {
    case 'tag':
      return hasTag(values);
    case 'space':
      return inSpace(
        reader,
        sql`(space."slug" = any(${values}::text[]) or space."id" = any(${values}::text[])
          or search_fold(space."name") = any(${values}::text[]))`,
      );
    default:
      return columnIs(facet, values);
  }
}

/** Only spaces that the person reads count, so that a filter never reveals the content of others. */
function inSpace(reader: Reader, which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`s."memoryId" in (
    select link."memoryId" from "space_memory" link
    join "space" on "space"."workspaceId" = link."workspaceId" and "space"."id" = link."spaceId"
    where link."workspaceId" = ${reader.workspaceId} and "space"."deletedAt" is null
      and ${which} and ${readableBy('space', 'space', readerIn(reader))})`;
}

/** Years beyond what the database can hold are as good as the ends of time. */
function instant(time: number): string {
  return new Date(Math.min(Math.max(time, Date.UTC(1, 0)), Date.UTC(9999, 11, 31))).toISOString();
}
