/**
 * Further questions of the visitor who began a thread. It belongs to the holder of its key: without it, the thread is not
 * found. All conditions are checked again in the transaction that stores the answer, so that no answer is stored after the
 * workspace's switch, a freeze or the end of the conversation.
 */
import { sql } from 'kysely';
import { HOUR_MS } from '#shared/constants.ts';
import { ANSWERS } from '#shared/threads/limits.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import { standaloneQuestion } from '#shared/threads/question-words.ts';
import { CONVERSATION_HOURS, CONVERSATION_MESSAGES_MAX } from '#shared/threads/visitor-conversation.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { hashToken } from '../http/credentials.ts';
import { publiclyReadable } from '../sync/public.ts';
import { isOpenConversation } from './public-store.ts';
import { answerVisitor, storeTurn } from './visitor-questions.ts';

/** One of them. */
interface FurtherQuestion {
  workspaceId: Id<'workspace'>;
  threadId: Id<'thread'>;
  visitorKey: string;
  content: string;
}

interface Conversation {
  spaceId: Id<'space'>;
  isOpen: boolean;
  created: string;
  messages: number;
  /** When its last message was written; milliseconds. */
  last: number;
  /** Earlier questions of the visitor in it, newest first. */
  earlier: string[];
}

/**
 * Stores the question with its answer in the thread.
 * @throws not_found without the right key; forbidden where visitors may not ask any more; conflict when the conversation has
 * ended; rate_limited; unavailable
 */
export async function askOn(context: Context, question: FurtherQuestion): Promise<void> {
  const { workspaceId, threadId, content } = question;
  const { spaceId, earlier } = await openConversation(context, context.db, question);
  const understood = { workspaceId, spaceId, content: standaloneQuestion(content, earlier) };
  await answerVisitor(context, understood, async (tx, { space, answer }) => {
    const { last } = await openConversation(context, tx.trx, question);
    // From now on the thread is closed together with the texts of the space.
    if (space.publishText)
      await tx.trx
        .updateTable('visitor_thread')
        .set({ withText: true })
        .where('workspaceId', '=', workspaceId)
        .where('threadId', '=', threadId)
        .execute();
    // After existing messages, also when two questions are stored within one millisecond.
    await storeTurn(tx, question, { answer, at: Math.max(tx.now.getTime(), last + 2) });
  });
}

/** @throws not_found, conflict */
async function openConversation(
  { clock }: Context,
  db: Database,
  question: FurtherQuestion,
): Promise<Conversation> {
  const found = await findConversation(db, question);
  if (found === undefined) throw new AppError('not_found', 'Thread not found');
  const end = Date.parse(found.created) + CONVERSATION_HOURS * HOUR_MS;
  if (!found.isOpen || clock.now().getTime() >= end)
    throw new AppError('conflict', 'This conversation has ended. Ask the space again to start a new one.');
  if (found.messages + 2 > CONVERSATION_MESSAGES_MAX)
    throw new AppError(
      'conflict',
      `This conversation has reached its ${CONVERSATION_MESSAGES_MAX} messages. Ask the space again to start a new one.`,
    );
  return found;
}

async function findConversation(
  db: Database,
  { workspaceId, threadId, visitorKey }: FurtherQuestion,
): Promise<Conversation | undefined> {
  const ofThread = sql`m."workspaceId" = "thread"."workspaceId" and m."threadId" = "thread"."id"`;
  const { rows } = await sql<Conversation>`
    select began."spaceId", began."created", ${isOpenConversation} as "isOpen",
      (select count(*)::int from "message" m where ${ofThread}) as "messages",
      (select coalesce(extract(epoch from max(m."createdAt")) * 1000, 0)::float8 from "message" m where ${ofThread}) as "last",
      array(select m."content" from "message" m where ${ofThread} and m."role" = 'user' and m."createdBy" is null
        order by m."createdAt" desc, m."id" desc limit ${ANSWERS.earlierMax}) as "earlier"
    from "visitor_thread" began
    join "thread" on "thread"."workspaceId" = began."workspaceId" and "thread"."id" = began."threadId"
    where began."workspaceId" = ${workspaceId} and began."threadId" = ${threadId}
      and began."keyHash" = ${hashToken(visitorKey)} and ${publiclyReadable('thread', 'address')}`.execute(
    db,
  );
  return rows[0];
}
