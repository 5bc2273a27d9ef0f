/**
 * Ratings of answers: one per rater and message, overwritten or removed by the rater. Only this file uses their table.
 */
import { sql } from 'kysely';
import { AppError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import type { RateBody, Rating } from '#shared/threads/conversation.ts';
import type { Context } from '../context.ts';

type RateContext = Pick<Context, 'db' | 'clock'>;

/** Stores a rating. The caller has checked that the thread is readable. @throws not_found, bad_request */
export async function rateMessage(
  { db, clock }: RateContext,
  body: RateBody,
  rater: string,
): Promise<Rating> {
  const { workspaceId, messageId, threadId, value, reason = null, comment = null } = body;
  const message = await db
    .selectFrom('message')
    .select('role')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', messageId)
    .where('threadId', '=', threadId)
    .executeTakeFirst();
  if (message === undefined || message.role === 'system')
    throw new AppError('not_found', 'Message not found');
  if (message.role !== 'assistant') throw new AppError('bad_request', 'messageId: Only answers are rated');
  if (value === 0) {
    await db
      .deleteFrom('message_rating')
      .where('workspaceId', '=', workspaceId)
      .where('messageId', '=', messageId)
      .where('rater', '=', rater)
      .execute();
    return { id: null, value, reason: null, comment: null };
  }
  const now = clock.now().toISOString();
  const { id } = await db
    .insertInto('message_rating')
    .values({
      workspaceId,
      id: newId('rating'),
      messageId,
      rater,
      value,
      reason,
      comment,
      created: now,
      updated: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'messageId', 'rater'])
        .doUpdateSet({ value, reason, comment, updated: now }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, value, reason, comment };
}

export function ratingsOf(
  { db }: RateContext,
  { workspaceId, threadId }: { workspaceId: string; threadId: string },
  rater: string,
) {
  return db
    .selectFrom('message_rating')
    .innerJoin('message', (join) =>
      join
        .onRef('message.workspaceId', '=', 'message_rating.workspaceId')
        .onRef('message.id', '=', 'message_rating.messageId'),
    )
    .select(['message_rating.id', 'message.id as messageId', 'message_rating.value'])
    .select(['message_rating.reason', 'message_rating.comment'])
    .where(
      sql<boolean>`"message"."workspaceId" = ${workspaceId} and "message"."threadId" = ${threadId}
        and "message_rating"."rater" = ${rater}`,
    );
}

/** How many rated a message each way. */
export async function ratingTotals(
  { db }: RateContext,
  { workspaceId, messageId }: Pick<RateBody, 'workspaceId' | 'messageId'>,
): Promise<{ up: number; down: number }> {
  const { rows } = await sql<{ up: number; down: number }>`
    select count(*) filter (where "value" = 1) as "up", count(*) filter (where "value" = -1) as "down"
    from "message_rating" where "workspaceId" = ${workspaceId} and "messageId" = ${messageId}`.execute(db);
  return rows[0] ?? { up: 0, down: 0 };
}
