/** The one way by which a message of the assistant is written, with the memories that it rests on. */
import { z } from 'zod';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import { timeBehindFreeze } from '#shared/threads/freeze.ts';
import type { Citation } from '#shared/threads/citation.ts';
import { message, type Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import type { ServerTx } from '../db/server-tx.ts';

const { shape } = message.row;
const answerFields = z.object({
  id: shape.id.optional(),
  threadId: shape.threadId,
  content: shape.content.trim().min(1),
  citations: shape.citations.default([]),
  replyTo: shape.replyTo.default(null),
  /** The time of the transaction when left out. */
  at: shape.createdAt.optional(),
});

/**
 * Stores an answer on behalf of the transaction's actor: it can cite only live memories of this workspace that this
 * person can read.
 * @throws bad_request, not_found
 */
export async function writeAnswer(tx: ServerTx, given: z.input<typeof answerFields>): Promise<Id<'message'>> {
  const parsed = answerFields.safeParse(given);
  if (!parsed.success) throw new AppError('bad_request', z.prettifyError(parsed.error));
  const { id = newId('message'), threadId, content, citations, replyTo, at } = parsed.data;
  const thread = await tx.get('thread', threadId);
  if (thread === undefined || thread.deletedAt !== null) throw new AppError('not_found', 'Thread not found');
  await requireSources(tx, citations);
  const createdAt = await timeBehindFreeze(tx, thread, at ?? tx.now.toISOString());
  await tx.insert('message', {
    ...message.defaults,
    id,
    workspaceId: thread.workspaceId,
    threadId,
    role: 'assistant',
    content,
    citations,
    replyTo,
    createdBy: null,
    createdAt,
  });
  await tx.update('thread', threadId, { updated: createdAt });
  await tx.enqueue('webhook.answered', { workspaceId: thread.workspaceId, messageId: id });
  return id;
}

/** @throws not_found */
async function requireSources(tx: ServerTx, citations: readonly Citation[]): Promise<void> {
  for (const { memoryId } of citations) {
    const memory = await tx.get('memory', memoryId);
    if (memory === undefined || memory.deletedAt !== null)
      throw new AppError('not_found', 'Memory not found');
  }
}

/**
 * Replaces an answer, for all readers. The earlier one is kept beside it as a version, with its ratings.
 * @throws not_found, conflict where the public view of the thread has a fixed end
 */
export async function replaceAnswer(
  tx: ServerTx,
  { id, threadId, content, citations }: Pick<Message, 'id' | 'threadId' | 'content' | 'citations'>,
): Promise<void> {
  const thread = await tx.get('thread', threadId);
  if (thread === undefined || thread.deletedAt !== null) throw new AppError('not_found', 'Thread not found');
  requireLive(thread);
  await requireSources(tx, citations);
  const earlier = await tx.get('message', id);
  if (earlier === undefined) throw new AppError('not_found', 'Message not found');
  const version = { ...earlier, id: newId('message'), replyTo: null, versionOf: id };
  await tx.insert('message', version);
  await tx.update('message', id, { content, citations, rewrittenAt: tx.now.toISOString() });
  await tx.enqueue('webhook.answered', { workspaceId: thread.workspaceId, messageId: id });
  await tx.trx
    .updateTable('message_rating')
    .set({ messageId: version.id })
    .where('workspaceId', '=', tx.realmId)
    .where('messageId', '=', id)
    .execute();
}

/** @throws conflict */
export function requireLive({ publicUntil }: Pick<Thread, 'publicUntil'>): void {
  if (publicUntil !== null)
    throw new AppError(
      'conflict',
      'The public view of this thread is frozen, so its answers stay as they are.',
    );
}
