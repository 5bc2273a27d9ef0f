// A branch: a private thread of the person with the messages of another one up to a certain message. It contains only messages
// that the person can read there, is created in one transaction, and its questions are not answered again.
import { sql } from 'kysely';
import { LIMITS, THREADS } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Context } from '../context.ts';
import type { ServerTx } from '../db/server-tx.ts';
import type { Written } from '../db/transaction.ts';
import type { Member } from '../http/call.ts';
import { writeAs } from '../http/write.ts';
import { readerIn } from '../sync/readable.ts';

interface Branch {
  id: Id<'thread'>;
  /** The thread that is branched, and the last message that is copied. */
  threadId: Id<'thread'>;
  messageId: Id<'message'>;
  name: string | undefined;
}

/** Creates the branch; idempotent by its id. @throws not_found, forbidden, conflict */
export function branchThread(
  context: Context,
  member: Member,
  { id, threadId, messageId, name }: Branch,
): Promise<Written<Id<'thread'>>> {
  return writeAs(context, readerIn(member), async ({ tx, at, apply }) => {
    const from = await tx.get('thread', threadId);
    if (from === undefined || from.deletedAt !== null) throw new AppError('not_found', 'Thread not found');
    const messages = await messagesUpTo(tx, threadId, messageId);
    const isRepeated = (await tx.get('thread', id)) !== undefined;
    await apply('thread.create', {
      id,
      at,
      origin: from.origin,
      visibility: 'private',
      name: name ?? branchName(from.name),
    });
    if (!isRepeated) await tx.insertMany('message', copied(messages, id));
    return id;
  });
}

/** Oldest first. @throws not_found, conflict when they are too many */
async function messagesUpTo(
  tx: ServerTx,
  threadId: Id<'thread'>,
  messageId: Id<'message'>,
): Promise<Message[]> {
  const last = await tx.get('message', messageId);
  if (last === undefined || last.threadId !== threadId) throw new AppError('not_found', 'Message not found');
  const found = await tx.trx
    .selectFrom('message')
    .selectAll()
    .where('workspaceId', '=', last.workspaceId)
    .where('threadId', '=', threadId)
    .where('versionOf', 'is', null)
    .where(sql<boolean>`("createdAt", "id") <= (${last.createdAt}::timestamptz, ${last.id})`)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(THREADS.branchMax + 1)
    .execute();
  if (found.length > THREADS.branchMax)
    throw new AppError('conflict', `A branch can hold ${THREADS.branchMax} messages at most`);
  return found;
}

function copied(messages: readonly Message[], threadId: Id<'thread'>): Message[] {
  // In the order of the originals: messages of the same moment are in the order of their ids.
  const ids = messages.map(() => newId('message')).sort();
  const idOf = new Map(messages.map(({ id }, index) => [id, ids[index]]));
  return messages.map((message, index) => ({
    ...message,
    id: ids[index] ?? newId('message'),
    threadId,
    replyTo: (message.replyTo && idOf.get(message.replyTo)) ?? null,
  }));
}

const SUFFIX = ' (branch)';

function branchName(name: string): string {
  const room = LIMITS.name - SUFFIX.length;
  // Never cuts a surrogate pair.
  const start = name.length > room ? name.slice(0, room).replace(/[\ud800-\udbff]$/, '') : name;
  return start.endsWith(SUFFIX) ? start : `${start}${SUFFIX}`;
}
