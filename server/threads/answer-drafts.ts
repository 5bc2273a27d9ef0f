// Answers while they are written: one server writes the draft, all servers show it to their readers, and the transaction
// that stores the answer removes it.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#shared/ids.ts';
import type { AnswerReach } from '#shared/threads/extractive-answer.ts';
import type { Database } from '../db/database.ts';
import { publiclyReadable } from '../sync/public.ts';
import { readableBy, readerIn } from '../sync/readable.ts';
import type { Reader } from './store.ts';

export interface DraftSubject {
  workspaceId: Id<'workspace'>;
  messageId: Id<'message'>;
  threadId: Id<'thread'>;
  reach: AnswerReach;
  memoryIds: readonly Id<'memory'>[];
}

/** The right of one server to write a draft, until another one claims it. */
export interface DraftClaim {
  workspaceId: Id<'workspace'>;
  messageId: Id<'message'>;
  attempt: number;
}

/** Begins a draft, or restarts it where another server was killed; a request to stop stays. */
export async function beginDraft(
  db: Database,
  { workspaceId, messageId, threadId, reach, memoryIds, replyId }: DraftSubject & { replyId: Id<'message'> },
): Promise<DraftClaim & { stopped: boolean }> {
  const { rows } = await sql<{ attempt: number; stopped: boolean }>`
    insert into "answer_draft" as draft
      ("workspaceId", "messageId", "threadId", "replyId", "attempt", "reach", "memoryIds")
    values (${workspaceId}, ${messageId}, ${threadId}, ${replyId}, 1, ${reach}, ${memoryIds}::text[])
    on conflict ("workspaceId", "messageId") do update set "replyId" = coalesce(draft."replyId", excluded."replyId"),
      "attempt" = draft."attempt" + 1, "reach" = excluded."reach", "memoryIds" = excluded."memoryIds", "text" = ''
    returning "attempt", "stopped"`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The draft of an answer was not stored');
  return { workspaceId, messageId, ...row };
}

/** Stores the text so far; undefined when another server has claimed the draft, or the answer is stored. */
export async function keepDraft(
  db: Database,
  { workspaceId, messageId, attempt }: DraftClaim,
  text: string,
): Promise<{ stopped: boolean } | undefined> {
  const { rows } = await sql<{ stopped: boolean }>`
    update "answer_draft" set "text" = ${text}
    where "workspaceId" = ${workspaceId} and "messageId" = ${messageId} and "attempt" = ${attempt}
    returning "stopped"`.execute(db);
  return rows[0];
}

/** Stops an answer that is being written or has not begun; does nothing for a message that has one. */
export async function stopDraft(
  db: Database,
  { workspaceId, messageId, threadId }: Pick<DraftSubject, 'workspaceId' | 'messageId' | 'threadId'>,
): Promise<void> {
  await sql`
    insert into "answer_draft" ("workspaceId", "messageId", "threadId", "stopped")
    select ${workspaceId}, ${messageId}, ${threadId}, true
    where not exists (select 1 from "message" reply
      where reply."workspaceId" = ${workspaceId} and reply."replyTo" = ${messageId})
    on conflict ("workspaceId", "messageId") do update set "stopped" = true`.execute(db);
}

/** Removes a draft; returns the id that its answer was announced under. */
export async function takeDraft(
  db: Database,
  { workspaceId, messageId }: Pick<DraftSubject, 'workspaceId' | 'messageId'>,
): Promise<Id<'message'> | undefined> {
  const { rows } = await sql<{ replyId: Id<'message'> | null }>`
    delete from "answer_draft" where "workspaceId" = ${workspaceId} and "messageId" = ${messageId}
    returning "replyId"`.execute(db);
  return rows[0]?.replyId ?? undefined;
}

/** A draft as a reader of its thread sees it. */
export interface ShownDraft {
  id: string;
  attempt: number;
  text: string;
}

interface ThreadAddress {
  workspaceId: string;
  threadId: string;
}

/** The drafts of a thread that a member may see who reads the thread. */
export function draftsForMember(db: Database, reader: Reader, threadId: string): Promise<ShownDraft[]> {
  return draftsOf(
    db,
    { workspaceId: reader.workspaceId, threadId },
    sql`m."deletedAt" is null and ${readableBy('memory', 'm', readerIn(reader))}`,
  );
}

/** The drafts of a public thread; a frozen one excludes later messages. */
export function draftsForPublic(db: Database, thread: ThreadAddress): Promise<ShownDraft[]> {
  return draftsOf(
    db,
    thread,
    sql`draft."reach" = 'public' and m."deletedAt" is null and not m."archived" and exists (
      select 1 from "space_memory" link
      join "space" on "space"."workspaceId" = link."workspaceId" and "space"."id" = link."spaceId"
      where link."workspaceId" = m."workspaceId" and link."memoryId" = m."id" and ${publiclyReadable('space', 'cited')})`,
    sql`exists (select 1 from "thread" where "thread"."workspaceId" = draft."workspaceId"
      and "thread"."id" = draft."threadId" and "thread"."publicUntil" is null)`,
  );
}

/**
 * Drafts whose sources are all readable under this condition on "m". An answer is stored only when the same is true for all
 * readers; a draft must not show more.
 */
async function draftsOf(
  db: Database,
  { workspaceId, threadId }: ThreadAddress,
  mayRead: RawBuilder<unknown>,
  isShown: RawBuilder<unknown> = sql`true`,
): Promise<ShownDraft[]> {
  const { rows } = await sql<ShownDraft>`
    select draft."replyId" as "id", draft."attempt", draft."text" from "answer_draft" draft
    where draft."workspaceId" = ${workspaceId} and draft."threadId" = ${threadId} and draft."replyId" is not null and draft."text" <> '' and ${isShown}
      and not exists (select 1 from unnest(draft."memoryIds") as given("id") where not exists (
        select 1 from "memory" m
        where m."workspaceId" = ${workspaceId} and m."id" = given."id" and ${mayRead}))
    order by draft."replyId"`.execute(db);
  return rows;
}
