// Effects of thread mutations on the server: messages are answered, and listing a thread publicly needs a verified address,
// which replicas cannot check.
import { authorize } from '#shared/define/access.ts';
import { VISIBILITY } from '#shared/spaces/visibility.ts';
import { subjectOf } from '#shared/subject.ts';
import { requireProvenAddress } from '../accounts/service.ts';
import type { Effects } from '../db/effect.ts';
import type { ServerTx } from '../db/server-tx.ts';
import type { Opened } from '../spaces/service.ts';
import type { AnswerRequest } from './answer-message.ts';
import { settleQuotes } from './private-quotes.ts';

/** Called with each sent message. */
type QueueAnswer = (tx: ServerTx, request: AnswerRequest) => Promise<void>;

interface ThreadEvents {
  queueAnswer: QueueAnswer;
  /** Called with each thread whose visibility is about to change. */
  announceOpened(tx: ServerTx, opened: Opened): Promise<void>;
}

/** The effects of a server that answers messages and sends mails about shared threads. */
export function createThreadEffects({ queueAnswer, announceOpened }: ThreadEvents) {
  return {
    'thread.create': {
      /** @throws forbidden */
      async before({ tx, args, context }) {
        if (VISIBILITY[args.visibility].indexable) await requireProvenAddress(tx.trx, context.actor.userId);
      },
    },
    'thread.update': {
      /** @throws forbidden, quotes_private */
      async before({ tx, args, context }) {
        const row = await tx.get('thread', args.id);
        if (row === undefined || row.deletedAt !== null) return;
        authorize(context.actor, 'thread.update', subjectOf(row, row));
        await settleQuotes(tx, row, args);
        if (args.visibility === undefined) return;
        if (VISIBILITY[args.visibility].indexable && !VISIBILITY[row.visibility].indexable)
          await requireProvenAddress(tx.trx, context.actor.userId);
        await announceOpened(tx, { place: row, to: args.visibility, by: context.actor.userId });
      },
    },
    'message.create': {
      async after({ tx, args: { id, memoryIds, spaceIds } }) {
        const row = await tx.get('message', id);
        if (row !== undefined)
          await queueAnswer(tx, { workspaceId: row.workspaceId, messageId: id, memoryIds, spaceIds });
      },
    },
  } satisfies Effects;
}
