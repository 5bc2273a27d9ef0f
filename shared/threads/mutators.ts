// Mutations of threads and messages. Messages of the assistant are written by the server only.
import { z } from 'zod';
import { authorize, requireRow } from '../define/access.ts';
import { authoredBy } from '../define/authored.ts';
import { timestamp, withoutUndefined } from '../define/fields.ts';
import { refuseOutdated, replacedTexts } from '../define/edited-texts.ts';
import { defineMutator, workspaceOf, type Tx } from '../define/mutator.ts';
import { AppError } from '../errors.ts';
import { placeSubject } from '../spaces/granted-subject.ts';
import { authorizePublishing } from '../spaces/publishing.ts';
import { anonymousReads } from '../spaces/visibility.ts';
import { subjectOf } from '../subject.ts';
import { behind, checkLastPublic, timeBehindFreeze } from './freeze.ts';
import { answeredFrom, message } from './message.ts';
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
  async run(tx, { at, ...given }, context) {
    authorize(context.actor, 'thread.create');
    const userId = context.actor.userId;
    if (anonymousReads(given.visibility))
      await authorizePublishing(tx, context, 'thread.publish', { ownerId: userId });
    const created = context.at(at);
    const isNew = await tx.insert('thread', {
      ...given,
      ...authoredBy(userId, workspaceOf(context), created),
      summary: null,
      publicUntil: null,
    });
    if (isNew) await tx.openThread(given.id, created);
  },
});

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
  'thread.update': updateThread,
  'thread.remove': removeThread,
  'thread.restore': restoreThread,
  'thread.open': openThread,
  'message.create': createMessage,
} as const;
