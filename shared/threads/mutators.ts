// Mutations of threads and messages. Messages of the assistant are written by the server only.
import { z } from 'zod';
import { authorize, requireRow } from '../define/access.ts';
import { authoredBy } from '../define/authored.ts';
import { timestamp, withoutUndefined } from '../define/fields.ts';
import { refuseOutdated, replacedTexts } from '../define/edited-texts.ts';
import { defineMutator, workspaceOf, type MutationContext, type Tx } from '../define/mutator.ts';
import { AppError } from '../errors.ts';
import { placeSubject } from '../spaces/granted-subject.ts';
import { authorizePublishing } from '../spaces/publishing.ts';
import { anonymousReads } from '../spaces/visibility.ts';
import { subjectOf } from '../subject.ts';
import { branchName, copiesOf } from './branch.ts';
import { behind, checkLastPublic, timeBehindFreeze } from './freeze.ts';
import { answeredFrom, message, type Message } from './message.ts';
import { quotesChoice } from './quotes-choice.ts';
import { thread, type Thread } from './thread.ts';

const { shape } = thread.row;
const target = { id: shape.id, at: timestamp };

async function existing(tx: Tx, id: Thread['id']): Promise<Thread> {
  const row = requireRow(await tx.get('thread', id), 'Thread');
  if (row.deletedAt !== null) throw new AppError('not_found', 'Thread not found');
  return row;
}

const createThread = defineMutator({
  realm: 'workspace',
  args: thread.createArgs.omit({ workspaceId: true }).extend({ at: timestamp }),
  async run(tx, args, context) {
    authorize(context.actor, 'thread.create');
    if (anonymousReads(args.visibility))
      await authorizePublishing(tx, context, 'thread.publish', { ownerId: context.actor.userId });
    await addThread(tx, args, context);
  },
});

/** Adds a thread of the actor, whose messages are synced to the actor's devices; false when it is there already. */
async function addThread(
  tx: Tx,
  { at, ...given }: Pick<Thread, 'id' | 'name' | 'origin' | 'visibility'> & { at: string },
  context: MutationContext,
): Promise<boolean> {
  const created = context.at(at);
  const isNew = await tx.insert('thread', {
    ...given,
    ...authoredBy(context.actor.userId, workspaceOf(context), created),
    summary: null,
    publicUntil: null,
  });
  if (isNew) await tx.openThread(given.id, created);
  return isNew;
}

const branchThread = defineMutator({
  realm: 'workspace',
  args: z.object({
    ...target,
    /** The thread that is branched, and the last message that is copied. */
    threadId: shape.id,
    messageId: message.row.shape.id,
    name: shape.name.optional(),
  }),
  async run(tx, { id, threadId, messageId, name, at }, context) {
    authorize(context.actor, 'thread.create');
    const from = await existing(tx, threadId);
    const last = await tx.get('message', messageId);
    // A device shows earlier messages that only the server has.
    const messages = last === undefined && tx.side === 'client' ? [] : await messagesOf(tx, from, last);
    const given = {
      id,
      name: name ?? branchName(from.name),
      origin: from.origin,
      visibility: 'private',
      at,
    } as const;
    if (await addThread(tx, given, context)) await tx.insertMany('message', copiesOf(messages, id));
  },
});

/** @throws not_found for a message of another thread and for an earlier version of an answer, conflict for too many */
async function messagesOf(tx: Tx, { id }: Thread, last: Message | undefined): Promise<readonly Message[]> {
  if (last?.threadId !== id || last.versionOf !== null) throw new AppError('not_found', 'Message not found');
  return tx.messagesUpTo(last);
}

const updateThread = defineMutator({
  realm: 'workspace',
  args: thread.patchArgs.extend({
    ...target,
    base: replacedTexts({ name: shape.name }),
    quotes: quotesChoice,
  }),
  // Which passages are private only the server knows: it refuses the change, or leaves them out.
  async run(tx, { id, at, base, quotes: _quotes, ...given }, context) {
    const row = await existing(tx, id);
    authorize(context.actor, 'thread.update', subjectOf(row, row));
    refuseOutdated(row, given, { base, by: context.actor.userId });
    // Showing more to the web is publishing; freezing a live view only narrows it.
    const isWider =
      (given.visibility !== undefined && anonymousReads(given.visibility)) ||
      (given.publicUntil !== undefined && Boolean(row.publicUntil));
    if (given.publicUntil) await checkLastPublic(tx, id, given.publicUntil);
    if (isWider) await authorizePublishing(tx, context, 'thread.publish', row);
    await tx.update('thread', id, {
      ...withoutUndefined(given),
      updated: context.arrival(at),
      lastEditedBy: context.actor.userId,
    });
  },
});

const removeThread = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id, at }, context) {
    const row = requireRow(await tx.get('thread', id), 'Thread');
    authorize(context.actor, 'thread.remove', subjectOf(row, row));
    if (row.deletedAt === null) await tx.update('thread', id, { deletedAt: context.arrival(at) });
  },
});

const restoreThread = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id }, context) {
    const row = requireRow(await tx.get('thread', id), 'Thread');
    authorize(context.actor, 'thread.remove', subjectOf(row, row));
    await tx.update('thread', id, { deletedAt: null });
  },
});

/** Brings the newest messages of a thread into this user's replicas, on every device. */
const openThread = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id, at }, context) {
    const row = await existing(tx, id);
    authorize(context.actor, 'thread.open', await placeSubject(tx, context.actor, row));
    await tx.openThread(id, context.at(at));
  },
});

const createMessage = defineMutator({
  realm: 'workspace',
  args: z.object({
    id: message.row.shape.id,
    threadId: shape.id,
    content: message.row.shape.content.trim().min(1, 'Write something first'),
    ...answeredFrom.shape,
    at: timestamp,
  }),
  async run(tx, { id, threadId, content, at }, context) {
    const row = await existing(tx, threadId);
    authorize(context.actor, 'message.create', await placeSubject(tx, context.actor, row));
    const createdAt = await timeBehindFreeze(tx, row, behind(row.updated, context.at(at)));
    const isNew = await tx.insert('message', {
      ...message.defaults,
      id,
      workspaceId: workspaceOf(context),
      threadId,
      role: 'user',
      content,
      createdBy: context.actor.userId,
      createdAt,
    });
    if (!isNew) return;
    await tx.update('thread', threadId, { updated: createdAt });
    await tx.openThread(threadId, createdAt);
  },
});

export const threadMutators = {
  'thread.create': createThread,
  'thread.branch': branchThread,
  'thread.update': updateThread,
  'thread.remove': removeThread,
  'thread.restore': restoreThread,
  'thread.open': openThread,
  'message.create': createMessage,
} as const;
