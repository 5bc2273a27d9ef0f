// Regenerates the answer to a question. The present answer stays until the new one replaces it.
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Member } from '../http/call.ts';
import { writeAs } from '../http/write.ts';
import { authorize } from '#shared/define/access.ts';
import { placeSubject } from '#shared/spaces/granted-subject.ts';
import { enqueueAnswer } from './answer-message.ts';
import { requireLive } from './answers.ts';
import { readerIn } from '../sync/readable.ts';

/** @throws not_found, forbidden for questions of other people, conflict in a frozen thread */
export async function regenerate(
  context: Context,
  member: Member,
  { threadId, id }: { threadId: Id<'thread'>; id: Id<'message'> },
): Promise<void> {
  await writeAs(context, readerIn(member), async ({ tx, actor }) => {
    const thread = await tx.get('thread', threadId);
    if (thread === undefined || thread.deletedAt !== null)
      throw new AppError('not_found', 'Thread not found');
    const answer = await tx.get('message', id);
    if (answer === undefined || answer.threadId !== threadId || answer.replyTo === null)
      throw new AppError('not_found', 'Answer not found');
    const who = await actor();
    authorize(who, 'message.create', await placeSubject(tx, who, thread));
    const question = await tx.get('message', answer.replyTo);
    // It is answered from what that person reads.
    if (question?.createdBy !== member.userId)
      throw new AppError('forbidden', 'Only the person who asked can have it answered again.');
    requireLive(thread);
    // Followers of the thread expect its answer again.
    await tx.touch('message', [question.id]);
    await enqueueAnswer(context.jobs, tx, {
      workspaceId: member.workspaceId,
      messageId: question.id,
      replaces: id,
    });
  });
}
