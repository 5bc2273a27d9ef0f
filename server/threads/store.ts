/** Reads of threads and messages that a person may see; deleted threads and their messages do not exist here. */
import { sql } from 'kysely';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Database } from '../db/database.ts';
import { columnsOf } from '../db/entity-columns.ts';
import { readableBy, readerIn, type WorkspaceReader } from '../sync/readable.ts';

export type Reader = WorkspaceReader;

const COLUMNS = columnsOf('thread', ['deletedAt']);

export function threadsFor(db: Database, reader: Reader) {
  return db
    .selectFrom('thread')
    .select(COLUMNS)
    .where('thread.workspaceId', '=', reader.workspaceId)
    .where('thread.deletedAt', 'is', null)
    .where(readableBy('thread', 'thread', readerIn(reader)));
}

/** The messages of a thread as it is now; a reader of the thread reads all of them. */
export function messagesOf(db: Database, reader: Pick<Reader, 'workspaceId'>, threadId: Id<'thread'>) {
  return withVersionsOf(db, reader, threadId).where('message.versionOf', 'is', null);
}

/** The messages of a thread with the earlier versions of its answers. */
export function withVersionsOf(
  db: Database,
  { workspaceId }: Pick<Reader, 'workspaceId'>,
  threadId: Id<'thread'>,
) {
  return db
    .selectFrom('message')
    .selectAll('message')
    .where('message.workspaceId', '=', workspaceId)
    .where('message.threadId', '=', threadId);
}

/** The sources that a question is to be answered from. */
export interface Sources {
  memoryIds?: readonly Id<'memory'>[] | undefined;
  spaceIds?: readonly Id<'space'>[] | undefined;
}

export async function readableSpaces(
  db: Database,
  reader: Reader,
  ids: readonly Id<'space'>[],
): Promise<Id<'space'>[]> {
  const { rows } = await sql<{ id: Id<'space'> }>`
    select s."id" from "space" s
    where s."workspaceId" = ${reader.workspaceId} and s."deletedAt" is null and s."id" = any(${ids}::text[])
      and ${readableBy('space', 's', readerIn(reader))}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Ensures that a person can read all sources that a question names.
 * @throws not_found for deleted, foreign and unreadable ones, without distinguishing them
 */
export async function checkSources(
  db: Database,
  reader: Reader,
  { memoryIds = [], spaceIds = [] }: Sources,
): Promise<void> {
  const named = [
    ['memory', memoryIds, 'Memory not found'],
    ['space', spaceIds, 'Space not found'],
  ] as const;
  for (const [kind, ids, problem] of named) {
    const wanted = [...new Set<string>(ids)];
    if (wanted.length === 0) continue;
    const { rows } = await sql`
      select 1 from ${sql.table(kind)} named
      where named."workspaceId" = ${reader.workspaceId} and named."deletedAt" is null
        and named."id" = any(${wanted}::text[])
        and ${readableBy(kind, 'named', readerIn(reader))}`.execute(db);
    if (rows.length < wanted.length) throw new AppError('not_found', problem);
  }
}
