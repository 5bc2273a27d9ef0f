// The one read rule (PRODUCT 5.1, SECURITY T1): a row is readable when some audience of the person has a live edge to
// it. REST lists, search and the server's transactions put this predicate into their queries.
import { sql, type RawBuilder } from 'kysely';
import type { SyncedKind } from '#shared/entities.ts';
import { entityIdSql } from '../db/synced-tables.ts';
import { workspaceAudience } from './audiences.ts';

/** Who reads, and in which realm. */
export interface RealmReader {
  realmId: string;
  userId: string;
}

/** Messages leave the feed when they are old; they are readable as long as their thread is. */
function readThrough(kind: SyncedKind, alias: string): RawBuilder<string> {
  return kind === 'message' ? sql.ref(`${alias}.threadId`) : entityIdSql(kind, alias);
}

/** Predicate for a row of a kind under the alias its query gives it, for example `readableBy('memory', 'm', …)`. */
export function readableBy(kind: SyncedKind, alias: string, reader: RealmReader): RawBuilder<boolean> {
  if (kind !== 'memory') return hasLiveEdge(readThrough(kind, alias), reader);
  return readableMemory({ id: sql.ref(`${alias}.id`), spaceId: sql.ref(`${alias}.spaceId`) }, reader);
}

/**
 * Predicate for a memory by its columns. Without a home space the whole workspace is in its audience (memoryAudiences),
 * so the edge of each single row need not be looked up; that is most rows, and lists and search ask about thousands.
 */
export function readableMemory(
  columns: { id: RawBuilder<string>; spaceId: RawBuilder<string | null> },
  reader: RealmReader,
): RawBuilder<boolean> {
  const everyone = workspaceAudience(reader.realmId);
  return sql<boolean>`((${columns.spaceId} is null and exists (
      select 1 from "sync_audience_member"
      where "audienceId" = ${everyone} and "userId" = ${reader.userId}))
    or ${hasLiveEdge(columns.id, reader)})`;
}

function hasLiveEdge(entityId: RawBuilder<string>, { realmId, userId }: RealmReader): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from "sync_entry" entry
    join "sync_audience_member" reader on reader."audienceId" = entry."audienceId" and reader."userId" = ${userId}
    where entry."entityId" = ${entityId} and entry."realmId" = ${realmId} and entry."live")`;
}
