/**
 * The sources of answers for each kind of reader, as expressions for a query over "message". The only place that decides which
 * of them the public sees: pages, calls, files, feeds and streams all select `maskedCitations`.
 */
import { sql, type RawBuilder } from 'kysely';
import type { PublicCitation } from '#shared/threads/citation.ts';
import { GONE_SOURCE, PRIVATE_SOURCE } from '#shared/threads/source-words.ts';
import { publiclyReadable } from '../sync/public.ts';
import { readableBy, readerIn } from '../sync/readable.ts';
import type { Reader } from './store.ts';

/** Title of a memory in SQL, never derived from its notes; the same as sourceTitle. */
export const title = sql`coalesce(nullif("memory"."title", ''), nullif("memory"."filename", ''),
  nullif("memory"."url", ''), 'Untitled')`;

export const numbered = sql`jsonb_array_elements("message"."citations") with ordinality as cited("citation", "number")`;
export const isCited = (workspaceId: string) => sql<boolean>`"memory"."id" = cited."citation" ->> 'memoryId'
  and "memory"."workspaceId" = ${workspaceId} and "memory"."deletedAt" is null`;

/** Predicate for a memory under an alias: visitors find it in a space, by its title and what describes it. */
export const isShownInPublic = (alias: string, workspaceId: string): RawBuilder<boolean> => sql<boolean>`(
  not ${sql.ref(`${alias}.archived`)} and exists (
    select 1 from "space_memory" link
    join "space" on "space"."workspaceId" = link."workspaceId" and "space"."id" = link."spaceId"
    where link."workspaceId" = ${workspaceId} and link."memoryId" = ${sql.ref(`${alias}.id`)}
      and ${publiclyReadable('space', 'cited')}))`;

/**
 * The sources of a message without quotes. A memory is named only while it is in a public or unlisted space of its
 * workspace, where visitors can read it anyway; archived ones do not count.
 */
export const maskedCitations = (workspaceId: string) => sql<PublicCitation[]>`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'number', cited."number", 'memoryId', source."id",
    'title', coalesce(source."title", ${PRIVATE_SOURCE}), 'spaceSlug', source."slug",
    'hasPage', coalesce(source."publishText", false)) order by cited."number"), '[]')
  from ${numbered}
  left join lateral (
    select "memory"."id", ${title} as "title", "space"."slug", "space"."publishText"
    from "memory" join "space_memory" link on link."workspaceId" = "memory"."workspaceId" and link."memoryId" = "memory"."id"
    join "space" on "space"."id" = link."spaceId" and "space"."workspaceId" = "memory"."workspaceId"
    where ${isCited(workspaceId)} and not "memory"."archived" and ${publiclyReadable('space', 'cited')}
    order by "space"."visibility" = 'public' desc, "space"."publishText" desc, "space"."created", "space"."id" limit 1) source on true)`;

/** A source in a member's export. */
export interface MemberCitation {
  number: number;
  title: string;
  /** Null when the memory was deleted, or is hidden from this member. */
  memoryId: string | null;
  quote: string | null;
}

/** The sources of a message for one member; what the member may not read is not named or quoted. */
export function citationsFor(member: Reader): RawBuilder<MemberCitation[]> {
  const reader = readerIn(member);
  return sql<MemberCitation[]>`(
    select coalesce(jsonb_agg(jsonb_build_object(
      'number', cited."number", 'memoryId', source."id", 'title', coalesce(source."title", ${GONE_SOURCE}),
      'quote', case when source."id" is not null then cited."citation" ->> 'quote' end)
      order by cited."number"), '[]')
    from ${numbered}
    left join lateral (
      select "memory"."id", ${title} as "title" from "memory"
      where ${isCited(member.workspaceId)} and ${readableBy('memory', 'memory', reader)}) source on true)`;
}
