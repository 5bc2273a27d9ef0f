/**
 * The database reads of a search worker: the version of a realm, the changes for an audience since a version, and
 * memories as search documents. An audience is read through the feed alone, so an index never holds what its audience
 * cannot read.
 */
import { sql } from 'kysely';
import type { SearchDocument } from '#shared/search/search-document.ts';
import { across } from '../db/across.ts';
import type { Database } from '../db/database.ts';
import { planOnce } from '../db/prepared-statements.ts';
import { isAudienceOfMemories } from '../sync/readers/audiences.ts';

/** The version of a realm, and the audiences through which a person reads its memories, that of the workspace first. */
export interface ReaderRealm {
  workspaceId: string;
  version: number;
  /** Removals before this version are forgotten. */
  minVersion: number;
  epoch: string;
  audiences: string[];
}

/** Undefined when there is no such realm. */
export async function readReaderRealm(
  db: Database,
  workspaceId: string,
  userId: string,
): Promise<ReaderRealm | undefined> {
  const { rows } = await sql<ReaderRealm>`
    select "realmId" as "workspaceId", "version", "minVersion", "epoch",
      array(select "audienceId" from "sync_audience_member"
            where "userId" = ${userId} and "realmId" = ${workspaceId} order by 1 desc) as "audiences"
    from "sync_realm" where "realmId" = ${workspaceId} ${planOnce}`.execute(db);
  const realm = rows[0];
  return realm && { ...realm, audiences: realm.audiences.filter(isAudienceOfMemories) };
}

/** Memories of an audience with the size of their texts. */
export interface MemorySize {
  id: string;
  bytes: number;
}

interface AudienceAddress {
  workspaceId: string;
  audienceId: string;
}

export async function listMemories(
  db: Database,
  { workspaceId, audienceId }: AudienceAddress,
): Promise<MemorySize[]> {
  const { rows } = await sql<MemorySize>`
    select m."id", m."bodyBytes" + coalesce(octet_length(p."text"), 0) as "bytes"
    from "sync_entry" e join "memory" m on m."workspaceId" = e."realmId" and m."id" = e."entityId"
    left join "memory_page" p on p."workspaceId" = m."workspaceId" and p."memoryId" = m."id"
    where e."realmId" = ${workspaceId} and e."audienceId" = ${audienceId} and e."kind" = 'memory' and e."live"`.execute(
    db,
  );
  return rows;
}

/** Memories that an audience sees changed, linked or deleted after a version; deleted ones have no size. */
export async function listChanged(
  db: Database,
  { workspaceId, audienceId }: AudienceAddress,
  version: number,
): Promise<MemorySize[]> {
  const { rows } = await sql<MemorySize>`
    with changed as (
      select distinct case "kind" when 'memory' then "entityId" else split_part("entityId", '/', 2) end as "id"
      from "sync_entry"
      where "realmId" = ${workspaceId} and "audienceId" = ${audienceId} and "ver" > ${version} and "kind" in ('memory', 'space_memory'))
    select changed."id", coalesce(m."bodyBytes", 0) + coalesce(octet_length(p."text"), 0) as "bytes"
    from changed left join "memory" m on m."workspaceId" = ${workspaceId} and m."id" = changed."id"
    left join "memory_page" p on p."workspaceId" = m."workspaceId" and p."memoryId" = m."id" ${planOnce}`.execute(
    db,
  );
  return rows;
}

/** Those of these memories that the audience can read now. */
export async function readDocuments(
  db: Database,
  { workspaceId, audienceId }: AudienceAddress,
  ids: readonly string[],
): Promise<SearchDocument[]> {
  const { rows } = await sql<DocumentRow>`
    select m."id", m."title", m."tags", m."description", m."summary", m."notes", m."url", m."type", m."origin",
      m."archived", m."created", m."contentStatus", p."text" as "page",
      array(select "spaceId" from "space_memory"
        where "workspaceId" = ${workspaceId} and "memoryId" = m."id") as "spaceIds"
    from "memory" m
    left join "memory_page" p on p."workspaceId" = m."workspaceId" and p."memoryId" = m."id"
    where m."workspaceId" = ${workspaceId} and m."id" = any(${ids}::text[]) and m."deletedAt" is null and exists (
      select 1 from "sync_entry" e
      where e."realmId" = ${workspaceId} and e."entityId" = m."id" and e."audienceId" = ${audienceId} and e."live") ${planOnce}`.execute(
    db,
  );
  return rows.map(documentOf);
}

interface DocumentRow {
  id: string;
  title: string | null;
  tags: string[];
  description: string | null;
  summary: string | null;
  notes: string | null;
  url: string | null;
  type: string;
  origin: string;
  archived: boolean;
  created: string;
  contentStatus: string;
  page: string | null;
  spaceIds: string[];
}

function documentOf({ contentStatus, created, ...row }: DocumentRow): SearchDocument {
  return {
    ...row,
    title: row.title ?? '',
    description: row.description ?? '',
    summary: row.summary ?? '',
    notes: row.notes ?? '',
    page: row.page ?? '',
    url: row.url ?? '',
    created: Date.parse(created),
    stamp: 0,
    facets: { contentStatus: [contentStatus] },
  };
}

/**
 * Stored indexes to delete: those whose audience has no reader any more, or from which a memory was removed since. Each is an
 * audience and a version.
 */
export async function listOutdated(
  db: Database,
  stored: readonly { audienceId: string; version: number }[],
): Promise<string[]> {
  const audiences = stored.map(({ audienceId }) => audienceId);
  const versions = stored.map(({ version }) => version);
  const { rows } = await sql<{ audienceId: string }>`
    select s."audienceId" from unnest(${audiences}::text[], ${versions}::bigint[]) as s("audienceId", "version")
    where not exists (select 1 from "sync_audience_member" m where m."audienceId" = s."audienceId")
      or exists (select 1 from "sync_entry" e where e."audienceId" = s."audienceId" and e."ver" > s."version"
                 and e."kind" = 'memory' and not e."live")
    ${across('upkeep')}`.execute(db);
  return rows.map(({ audienceId }) => audienceId);
}
