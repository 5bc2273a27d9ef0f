/**
 * Reads the rows of an export, as the person who began it can read them now within the limits of the original
 * credential. Deleted rows are left out.
 */
import { WORKSPACE_EXPORT } from '#shared/capture/export-job.ts';
import { sql } from 'kysely';
import type { Row } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import type { Citation } from '#shared/threads/citation.ts';
import type { Database } from '../../db/database.ts';
import { readableBy, readerIn, type WorkspaceReader } from '../../sync/readable.ts';
import type { ArchiveRowOf } from '../workspace-archive.ts';

const MESSAGES_AT_ONCE = 200;

const readableAs = (kind: 'space' | 'memory' | 'thread', reader: WorkspaceReader) =>
  sql<boolean>`${sql.ref(`${kind}.workspaceId`)} = ${reader.workspaceId} and ${sql.ref(`${kind}.deletedAt`)} is null
    and ${readableBy(kind, kind, readerIn(reader))}`;

export async function readSpaces(db: Database, reader: WorkspaceReader): Promise<ArchiveRowOf<'space'>[]> {
  const rows = await db
    .selectFrom('space')
    .select(['id', 'name', 'description', 'color', 'slug', 'origin', 'visibility', 'publishText'])
    .select(['created', 'updated'])
    .where(readableAs('space', reader))
    .orderBy('created')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ kind: 'space', ...row }));
}

export type MemoryName = Pick<
  Row<'memory'>,
  'id' | 'title' | 'url' | 'filename' | 'type' | 'spaceId' | 'created'
>;

/** Every memory by name: files before links before notes, so that a text comes after the files that it shows. */
export function readMemoryNames(db: Database, reader: WorkspaceReader): Promise<MemoryName[]> {
  return db
    .selectFrom('memory')
    .select(['id', 'title', 'url', 'filename', 'type', 'spaceId', 'created'])
    .where(readableAs('memory', reader))
    .orderBy('type')
    .orderBy('created')
    .orderBy('id')
    .execute();
}

type StoredMemory = Omit<ArchiveRowOf<'memory'>, 'kind' | 'file' | 'facts' | 'spaceIds' | 'savedPage'> &
  Pick<Row<'memory'>, 'metadata' | 'uploadId'> & { filedIn: Id<'space'>[]; snapshotId: Id<'upload'> | null };

/** The memories of these ids that the person still reads, in the order of the ids. */
export async function readMemories(
  db: Database,
  reader: WorkspaceReader,
  ids: readonly Id<'memory'>[],
): Promise<StoredMemory[]> {
  const { rows } = await sql<StoredMemory>`
    select "memory"."id", "memory"."spaceId", "memory"."type", "memory"."origin", "memory"."contentStatus",
      "memory"."title", "memory"."description", "memory"."summary", "memory"."url", "memory"."notes", "memory"."tags",
      "memory"."filename", "memory"."archived", "memory"."created", "memory"."updated", "memory"."metadata",
      "memory"."uploadId", page."snapshotId",
      array(select link."spaceId" from "space_memory" link where link."memoryId" = "memory"."id"
        and link."workspaceId" = ${reader.workspaceId} order by link."created", link."spaceId") as "filedIn",
      case when page."text" is not null
        then jsonb_build_object('url', page."url", 'text', page."text", 'fetched',
          to_char(page."fetched" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as "page"
    from unnest(${ids}::text[]) with ordinality as wanted("id", "place")
    join "memory" on "memory"."id" = wanted."id"
    left join "memory_page" page on page."workspaceId" = "memory"."workspaceId" and page."memoryId" = "memory"."id"
    where ${readableAs('memory', reader)}
    order by wanted."place"`.execute(db);
  return rows;
}

export async function readThreads(db: Database, reader: WorkspaceReader): Promise<ArchiveRowOf<'thread'>[]> {
  const rows = await db
    .selectFrom('thread')
    .select(['id', 'name', 'summary', 'origin', 'visibility', 'created', 'updated'])
    .where(readableAs('thread', reader))
    .orderBy('created')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ kind: 'thread', ...row }));
}

/** The messages of a thread in order. A source that the person may not read has its number but no quote. */
export async function* readMessages(
  db: Database,
  reader: WorkspaceReader,
  threadId: Id<'thread'>,
): AsyncGenerator<ArchiveRowOf<'message'>> {
  const shown = sql<Citation[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('memoryId', cited."citation" ->> 'memoryId', 'quote',
      case when exists (select 1 from "memory" where "memory"."id" = cited."citation" ->> 'memoryId'
        and ${readableAs('memory', reader)}) then cited."citation" ->> 'quote' end)
      order by cited."number"), '[]')
    from jsonb_array_elements("message"."citations") with ordinality as cited("citation", "number"))`;
  // An answer before the earlier versions of it, which name it.
  const rank = sql<string>`coalesce("message"."versionOf", '')`;
  let last: { createdAt: string; rank: string; id: string } | undefined;
  for (;;) {
    let rows = db
      .selectFrom('message')
      .innerJoin('thread', 'thread.id', 'message.threadId')
      .select(['message.id', 'message.threadId', 'message.role', 'message.content', 'message.replyTo'])
      .select(['message.versionOf', 'message.rewrittenAt', rank.as('rank')])
      .select(['message.createdBy', 'message.createdAt', shown.as('citations')])
      .where('message.workspaceId', '=', reader.workspaceId)
      .where('message.threadId', '=', threadId)
      .where(readableAs('thread', reader));
    if (last !== undefined)
      rows = rows.where(
        sql<boolean>`("message"."createdAt", ${rank}, "message"."id") >
          (${last.createdAt}::timestamptz, ${last.rank}, ${last.id})`,
      );
    const page = await rows
      .orderBy('message.createdAt')
      .orderBy('rank')
      .orderBy('message.id')
      .limit(MESSAGES_AT_ONCE)
      .execute();
    for (const { role, rank: _rank, ...row } of page)
      if (role !== 'system') yield { kind: 'message', role, ...row };
    last = page.at(-1);
    if (last === undefined || page.length < MESSAGES_AT_ONCE) return;
  }
}

/** The ids in portions that fit into the memory. */
export function* portionsOf<T>(ids: readonly T[]): Generator<T[]> {
  for (let at = 0; at < ids.length; at += WORKSPACE_EXPORT.batch)
    yield ids.slice(at, at + WORKSPACE_EXPORT.batch);
}
