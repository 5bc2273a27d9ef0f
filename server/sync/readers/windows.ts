// Partial sync of messages: each user has the newest messages of the threads opened last. This file writes windows, the
// memberships of message audiences, and removes old messages from the feed.
import { sql } from 'kysely';
import { SYNC } from '#shared/sync/limits.ts';
import { messageAudience } from './audiences.ts';
import { endEdges, type FeedWriter } from '../feed.ts';

interface Opening {
  realmId: string;
  userId: string;
  threadId: string;
  at: string;
}

/** Puts a thread into a user's window; the thread opened longest ago is removed when there are too many. */
export async function openWindow(writer: FeedWriter, opening: Opening): Promise<void> {
  const { realmId, userId, threadId, at } = opening;
  const version = writer.versions.of(realmId);
  await sql`
    insert into "sync_window" as w ("realmId", "userId", "threadId", "openedVer", "openedAt")
    values (${realmId}, ${userId}, ${threadId}, ${version}, ${at})
    on conflict ("realmId", "userId", "threadId")
      do update set "openedVer" = excluded."openedVer", "openedAt" = greatest(w."openedAt", excluded."openedAt")`.execute(
    writer.trx,
  );
  await sql`
    with evicted as (
      delete from "sync_window" where "realmId" = ${realmId} and "userId" = ${userId} and "threadId" in (
        select "threadId" from "sync_window" where "realmId" = ${realmId} and "userId" = ${userId}
        order by "openedAt" desc, "openedVer" desc, "threadId" offset ${SYNC.windowThreads})
      returning "threadId"
    )
    delete from "sync_audience_member" where "realmId" = ${realmId} and "userId" = ${userId}
      and "audienceId" in (select 'm:' || "threadId" from evicted)`.execute(writer.trx);
  await settleMessageReaders(writer, realmId, threadId);
}

/** Members of a thread's message audience are those who may read the thread and have it in their window. */
export async function settleMessageReaders(
  writer: FeedWriter,
  realmId: string,
  threadId: string,
): Promise<void> {
  const audienceId = messageAudience(threadId);
  await sql`
    with reader as materialized (
      select w."userId" from "sync_window" w
      where w."realmId" = ${realmId} and w."threadId" = ${threadId} and exists (
        select 1 from "sync_entry" e join "sync_audience_member" m
          on m."realmId" = ${realmId} and m."audienceId" = e."audienceId"
        where e."entityId" = ${threadId} and e."realmId" = ${realmId} and e."live" and m."userId" = w."userId")
    ), lost as (
      delete from "sync_audience_member" where "realmId" = ${realmId} and "audienceId" = ${audienceId}
        and "userId" not in (select "userId" from reader)
    )
    insert into "sync_audience_member" ("realmId", "audienceId", "userId")
    select ${realmId}, ${audienceId}, "userId" from reader on conflict do nothing`.execute(writer.trx);
}

/** Messages beyond the newest SYNC.windowMessages of the thread of this message leave the feed. */
export async function trimMessages(writer: FeedWriter, realmId: string, messageId: string): Promise<void> {
  const tooOld = sql`entry."audienceId" = (select "audienceId" from audience) and entry."key" <= (
    select "key" from "sync_entry"
    where "realmId" = ${realmId} and "audienceId" = (select "audienceId" from audience) and "live"
    order by "key" desc offset ${SYNC.windowMessages} limit 1)`;
  await sql`
    with audience as materialized (
      select "audienceId" from "sync_entry" where "entityId" = ${messageId} and "realmId" = ${realmId} and "live"
    ), ${endEdges({ realmId, version: writer.versions.of(realmId) }, tooOld)}
    select 1`.execute(writer.trx);
}

/** A removed thread is in no person's window. */
export async function forgetWindows(writer: FeedWriter, realmId: string, threadId: string): Promise<void> {
  await sql`
    delete from "sync_window" where "realmId" = ${realmId} and "threadId" = ${threadId}`.execute(writer.trx);
  await sql`
    delete from "sync_audience_member"
    where "realmId" = ${realmId} and "audienceId" = ${messageAudience(threadId)}`.execute(writer.trx);
}
