/** Reads of threads and messages as the public sees them. */
import { sql, type RawBuilder } from 'kysely';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { CONTEXT_LINE } from '#shared/threads/message-context.ts';
import type { PublicThread } from '#shared/threads/public-thread.ts';
import type { Database } from '../db/database.ts';
import { publiclyReadable, publicThreadUpdated, type PublicReach } from '../sync/public.ts';
import { maskedCitations } from './citations.ts';

/** Whether a message of the workspace, under an alias, is this one of its thread, or before it. */
export const isUpTo = (
  alias: string,
  last: RawBuilder<unknown>,
  workspaceId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`
  ((${sql.ref(`${alias}.createdAt`)}, ${sql.ref(`${alias}.id`)}) <= (
    select last."createdAt", last."id" from "message" last
    where last."workspaceId" = ${workspaceId} and last."id" = ${last}))`;

/**
 * Whether the public may see a message under an alias, by the freeze of its thread. A frozen view whose last message were
 * missing would be empty.
 */
const isBeforeFreeze = (alias: string, workspaceId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`("thread"."publicUntil" is null or ${isUpTo(alias, sql.ref('thread.publicUntil'), workspaceId)})`;

const COLUMNS = [
  ...(['thread.id', 'thread.workspaceId', 'thread.name', 'thread.summary'] as const),
  'thread.created' as const,
] as const;

/** The space whose visitor asked, for the row of thread in the enclosing query. */
const asked = sql`(select jsonb_build_object('slug', "space"."slug", 'name', "space"."name")
  from "visitor_thread" v join "space" on "space"."workspaceId" = v."workspaceId" and "space"."id" = v."spaceId"
  where v."workspaceId" = "thread"."workspaceId" and v."threadId" = "thread"."id")`;

/** Whether the row of thread is as its visitor began it: not frozen, and not published by a member. */
export const isOpenConversation = sql<boolean>`("thread"."visibility" = 'unlisted' and "thread"."publicUntil" is null
  and exists (select 1 from "visitor_thread" v where v."workspaceId" = "thread"."workspaceId"
    and v."threadId" = "thread"."id"))`;

/** The threads that the public reaches, in the shape of publicThread. */
export function publicThreads(db: Database, reach: PublicReach) {
  return db
    .selectFrom('thread')
    .innerJoin('workspace', 'workspace.id', 'thread.workspaceId')
    .innerJoin('user', 'user.id', 'thread.ownerId')
    .select(COLUMNS)
    .select([
      sql<PublicThread['visibility']>`"thread"."visibility"`.as('visibility'),
      sql<number>`(select count(*) from "message" m
        where m."workspaceId" = "thread"."workspaceId" and m."threadId" = "thread"."id" and m."role" <> 'system' and m."versionOf" is null and ${isBeforeFreeze('m', sql.ref('m.workspaceId'))})`.as(
        'messageCount',
      ),
      sql<PublicThread['workspace']>`jsonb_build_object('id', "workspace"."id", 'slug', "workspace"."slug",
        'name', "workspace"."name")`.as('workspace'),
      publicThreadUpdated.as('updated'),
      sql<boolean>`"thread"."publicUntil" is not null`.as('frozen'),
      sql<string | null>`case when ${asked} is null then "user"."username" end`.as('author'),
      sql<PublicThread['askedIn']>`${asked}`.as('askedIn'),
      sql<boolean>`("workspace"."publicChat" and ${isOpenConversation})`.as('takesQuestions'),
    ])
    .where(publiclyReadable('thread', reach));
}

function publicThreadAt(db: Database, workspaceId: string | undefined, id: string) {
  return publicThreads(db, 'address').where(
    sql<boolean>`"thread"."id" = ${id} and "thread"."workspaceId" = ${workspaceId ?? ''}`,
  );
}

/** The thread, if the public reaches it in this workspace, and the message with which its view ends. */
export async function findPublicView(
  db: Database,
  workspaceId: string,
  id: string,
): Promise<{ thread: PublicThread; until: string | null } | undefined> {
  const row = await publicThreadAt(db, workspaceId, id)
    .select('thread.publicUntil as until')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { until, ...thread } = row;
  return { thread, until };
}

/** @throws not_found for every thread that is not public */
export async function getPublicThread(
  db: Database,
  workspaceId: string | undefined,
  id: string,
): Promise<PublicThread> {
  return publicThreadAt(db, workspaceId, id).executeTakeFirstOrThrow(
    () => new AppError('not_found', 'Thread not found'),
  );
}

/** The text without the memories and spaces that it is about: their titles are not public. */
export const publicContent =
  sql<string>`regexp_replace("message"."content", ${sql.lit(CONTEXT_LINE)}, '')`.as('content');

/**
 * The public messages of a thread up to where it was frozen, without people and private sources; instructions to the
 * assistant are excluded.
 */
export function publicMessages(
  db: Database,
  { workspaceId, threadId }: { workspaceId: string; threadId: Id<'thread'> },
) {
  return db
    .selectFrom('message')
    .select(['message.id', 'message.role', publicContent, 'message.createdAt'])
    .select(maskedCitations(workspaceId).as('citations'))
    .where(sql<boolean>`"message"."workspaceId" = ${workspaceId}`)
    .where('message.threadId', '=', threadId)
    .where('message.role', '!=', 'system')
    .where('message.versionOf', 'is', null)
    .where(
      sql<boolean>`exists (select 1 from "thread" where "thread"."workspaceId" = "message"."workspaceId"
        and "thread"."id" = "message"."threadId"
        and ${isBeforeFreeze('message', sql`${workspaceId}`)})`,
    );
}
