// The one read rule: a row is readable when some audience of the person has a live edge to
// it. REST lists, search and the server's transactions put this predicate into their queries.
import { sql, type RawBuilder } from 'kysely';
import type { Head, SyncedKind } from '#shared/entities.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { entityIdSql } from '../db/synced-tables.ts';
import { READ_BY } from '#shared/spaces/visibility.ts';
import {
  domainAudience,
  filedAudience,
  guestsAudience,
  homeAudience,
  namedAudience,
  workspaceAudience,
} from './readers/audiences.ts';

export interface RealmReader extends Reader {
  realmId: string;
}

export interface Reader {
  userId: string;
  /** The spaces that the credential is limited to; null = no limit. */
  spaceIds: readonly string[] | null;
}

export interface WorkspaceReader extends Reader {
  userId: Id<'user'>;
  workspaceId: Id<'workspace'>;
}

/** The same in the realm of the workspace. */
export function readerIn({ workspaceId, userId, spaceIds }: WorkspaceReader) {
  return { realmId: workspaceId, userId, spaceIds };
}

/** A person by a session, or the server on behalf of one. */
export function asPerson<U extends string>(userId: U) {
  return { userId, spaceIds: null };
}

/** @throws forbidden for a row that would be written outside of the chosen spaces */
export function refuseOutside<K extends SyncedKind>(
  spaceIds: Reader['spaceIds'],
  kind: K,
  row: Partial<Head<K>>,
): void {
  if (spaceIds === null || kind === 'notification') return;
  const holds = kind === 'memory' || kind === 'space_memory';
  // The field is that of both kinds; other kinds belong to no space.
  const spaceId = holds && 'spaceId' in row ? row.spaceId : undefined;
  if (typeof spaceId === 'string' && spaceIds.includes(spaceId)) return;
  throw new AppError(
    'forbidden',
    'This key or token is limited to chosen spaces; name one of them as spaceId',
  );
}

/** Messages leave the feed when they are old; they are readable as long as their thread is. */
function readThrough(kind: SyncedKind, alias: string): RawBuilder<string> {
  return kind === 'message' ? sql.ref(`${alias}.threadId`) : entityIdSql(kind, alias);
}

/** Predicate for a row of a kind under its alias in the query, for example `readableBy('memory', 'm', …)`. */
export function readableBy(kind: SyncedKind, alias: string, reader: RealmReader): RawBuilder<boolean> {
  if (kind !== 'memory') {
    const readable = hasLiveEdge(readThrough(kind, alias), reader);
    const { spaceIds } = reader;
    return spaceIds === null ? readable : sql<boolean>`(${readable} and ${isChosen(kind, alias, spaceIds)})`;
  }
  return readableMemory({ id: sql.ref(`${alias}.id`), spaceId: sql.ref(`${alias}.spaceId`) }, reader);
}

/**
 * Predicate for a memory by its columns. Without a home space the whole workspace is in its audience (memoryAudiences), so the
 * edge of each single row need not be looked up; that is most rows, and lists and search check thousands.
 */
export function readableMemory(
  columns: { id: RawBuilder<string>; spaceId: RawBuilder<string | null> },
  reader: RealmReader,
): RawBuilder<boolean> {
  const everyone = workspaceAudience(reader.realmId);
  const readable = sql<boolean>`((${columns.spaceId} is null and exists (
      select 1 from "sync_audience_member"
      where "realmId" = ${reader.realmId} and "audienceId" = ${everyone} and "userId" = ${reader.userId}))
    or ${hasLiveEdge(columns.id, reader)})`;
  const { spaceIds } = reader;
  if (spaceIds === null) return readable;
  // A space that is deleted, or that the person can no longer read, is empty through a credential limited to it.
  const chosen = sql`(select "space"."id" from "space"
    where "space"."workspaceId" = ${reader.realmId} and "space"."id" = any(${spaceIds}::text[])
    and "space"."deletedAt" is null and ${hasLiveEdge(sql.ref('space.id'), reader)})`;
  return sql<boolean>`(${readable} and (${columns.spaceId} in ${chosen} or ${columns.id} in (
    select filed."memoryId" from "space_memory" filed
    where filed."workspaceId" = ${reader.realmId} and filed."spaceId" in ${chosen})))`;
}

/** Of what belongs to no space, only the workspace itself is in sight. */
function isChosen(
  kind: Exclude<SyncedKind, 'memory'>,
  alias: string,
  spaceIds: readonly string[],
): RawBuilder<boolean> {
  if (kind === 'space') return sql<boolean>`${sql.ref(`${alias}.id`)} = any(${spaceIds}::text[])`;
  if (kind === 'space_memory') return sql<boolean>`${sql.ref(`${alias}.spaceId`)} = any(${spaceIds}::text[])`;
  return kind === 'workspace' || kind === 'workspace_member' ? sql<boolean>`true` : sql<boolean>`false`;
}

/**
 * Predicate for a memory under an alias: all current members of the workspace read it. It is in the audience of all members, or
 * in one of a large space that they all read.
 */
export function readableByAll(alias: string, workspaceId: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${alias}.spaceId`)} is null or exists (
    select 1 from "sync_entry" entry
    where entry."entityId" = ${sql.ref(`${alias}.id`)} and entry."realmId" = ${workspaceId} and entry."live"
      and (entry."audienceId" = ${workspaceAudience(workspaceId)} or entry."audienceId" in (
        select audience from "space", lateral (values (${homeAudience('')} || "space"."id", true),
          (${filedAudience('')} || "space"."id", "space"."deletedAt" is null)) large(audience, "isOpen")
        where "space"."workspaceId" = ${workspaceId} and "space"."visibility" = any(${READ_BY.workspace}::text[])
          and large."isOpen"))))`;
}

/**
 * Predicate for a memory under an alias: people who read a thread as its owner, by a grant or by the workspace's domain
 * read the memory too. Members who read the thread because all members do are not looked at; see readableByAll.
 */
export function readableByReadersOf(
  alias: string,
  { workspaceId, threadId }: { workspaceId: string; threadId: string },
): RawBuilder<boolean> {
  const id = sql<string>`${sql.ref(`${alias}.id`)}`;
  return sql<boolean>`not exists (
    select 1 from (
      select "ownerId" as "userId" from "thread" where "workspaceId" = ${workspaceId} and "id" = ${threadId}
      union all select named."userId" from "sync_audience_member" named
      where named."realmId" = ${workspaceId} and named."audienceId" = ${namedAudience(threadId)}
      union all select other."userId" from "sync_audience_member" other
      join "thread" t on t."workspaceId" = ${workspaceId} and t."id" = ${threadId}
        and t."visibility" = any(${READ_BY.domain}::text[])
      where other."realmId" = ${workspaceId} and other."audienceId" = ${domainAudience(workspaceId)}
    ) person where not exists (
      select 1 from "sync_entry" entry
      join "sync_audience_member" reader
        on reader."realmId" = ${workspaceId} and reader."audienceId" = entry."audienceId"
          and reader."userId" = person."userId"
      where entry."entityId" = ${id} and entry."realmId" = ${workspaceId} and entry."live"))`;
}

/** Predicate: a non-member reads some content of an open workspace. */
export function isGuestIn(
  workspaceId: string | null,
  userId: string | RawBuilder<string>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from "sync_audience_member" guest join "workspace" w on w."id" = guest."realmId"
    where guest."realmId" = ${workspaceId} and guest."audienceId" = ${guestsAudience(workspaceId ?? '')}
      and guest."userId" = ${userId}
      and w."deletedAt" is null)`;
}

function hasLiveEdge(
  entityId: RawBuilder<string>,
  { realmId, userId }: Pick<RealmReader, 'realmId' | 'userId'>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from "sync_entry" entry
    join "sync_audience_member" reader
      on reader."realmId" = ${realmId} and reader."audienceId" = entry."audienceId" and reader."userId" = ${userId}
    where entry."entityId" = ${entityId} and entry."realmId" = ${realmId} and entry."live")`;
}
