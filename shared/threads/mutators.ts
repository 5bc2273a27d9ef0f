// Mutations of threads and messages. Messages of the assistant are written by the server only.
import { z } from 'zod';
import { allow, present } from '../define/access.ts';
import { timestamp, withoutUndefined } from '../define/fields.ts';
import { defineMutator, workspaceOf, type Tx } from '../define/mutator.ts';
import { AppError } from '../errors.ts';
import { anonymousReads, workspaceReads } from '../spaces/visibility.ts';
import { checkLastPublic, timeBehindFreeze } from './freeze.ts';
import { message } from './message.ts';
import { thread, type Thread } from './thread.ts';

const { shape } = thread.row;
const target = { id: shape.id, at: timestamp };

function subjectOf(row: Thread) {
  return { ownerId: row.ownerId, workspaceReads: workspaceReads(row.visibility) };
}

async function existing(tx: Tx, id: Thread['id']): Promise<Thread> {
  const row = present(await tx.get('thread', id), 'Thread');
  if (row.deletedAt !== null) throw new AppError('not_found', 'Thread not found');
  return row;
}

export const createThread = defineMutator({
  realm: 'workspace',
  args: z.object({
    ...target,
    name: shape.name,
    origin: shape.origin.default('web'),
    visibility: shape.visibility.default('private'),
  }),
  async run(tx, { at, ...given }, context) {
    allow(context.actor, 'thread.create');
    const userId = context.actor.userId;
    if (anonymousReads(given.visibility)) {
      const owner = await tx.get('workspace', workspaceOf(context));
      allow(context.actor, 'thread.publish', {
        ownerId: userId,
        publicSharing: owner?.allowPublicSharing ?? true,
      });
    }
    const created = context.at(at);
    await tx.insert('thread', {
      ...given,
      workspaceId: workspaceOf(context),
      ownerId: userId,
      createdBy: userId,
      lastEditedBy: userId,
      summary: null,
      publicUntil: null,
      created,
      updated: created,
      deletedAt: null,
    });
    await tx.openThread(given.id, created);
  },
});

export const updateThread = defineMutator({
  realm: 'workspace',
  args: z.object({
    ...target,
    name: shape.name.optional(),
    visibility: shape.visibility.optional(),
    publicUntil: shape.publicUntil.optional(),
  }),
  async run(tx, { id, at, ...given }, context) {
    const row = await existing(tx, id);
    allow(context.actor, 'thread.update', subjectOf(row));
    // To show more to the web is to publish; to freeze a live view only narrows it.
    const isWider =
      (given.visibility !== undefined && anonymousReads(given.visibility)) ||
      (given.publicUntil !== undefined && Boolean(row.publicUntil));
    if (given.publicUntil) await checkLastPublic(tx, id, given.publicUntil);
    if (isWider) {
      const owner = await tx.get('workspace', workspaceOf(context));
      allow(context.actor, 'thread.publish', {
        ownerId: row.ownerId,
        publicSharing: owner?.allowPublicSharing ?? true,
      });
    }
    await tx.update('thread', id, {
      ...withoutUndefined(given),
      updated: context.at(at),
      lastEditedBy: context.actor.userId,
    });
  },
});

export const removeThread = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id, at }, context) {
    const row = present(await tx.get('thread', id), 'Thread');
    allow(context.actor, 'thread.remove', subjectOf(row));
    if (row.deletedAt === null) await tx.update('thread', id, { deletedAt: context.at(at) });
  },
});

export const restoreThread = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id }, context) {
    const row = present(await tx.get('thread', id), 'Thread');
    allow(context.actor, 'thread.remove', subjectOf(row));
    await tx.update('thread', id, { deletedAt: null });
  },
});

/** Brings the newest messages of a thread into this user's replicas, on every device. */
export const openThread = defineMutator({
  realm: 'workspace',
  args: z.object(target),
  async run(tx, { id, at }, context) {
    await existing(tx, id);
    allow(context.actor, 'thread.open');
    await tx.openThread(id, context.at(at));
  },
});

export const createMessage = defineMutator({
  realm: 'workspace',
  args: z.object({
    id: message.row.shape.id,
    threadId: shape.id,
    content: message.row.shape.content.trim().min(1, 'Write something first'),
    at: timestamp,
  }),
  async run(tx, { id, threadId, content, at }, context) {
    const row = await existing(tx, threadId);
    allow(context.actor, 'message.create', subjectOf(row));
    const createdAt = await timeBehindFreeze(tx, row, context.at(at));
    await tx.insert('message', {
      id,
      workspaceId: workspaceOf(context),
      threadId,
      role: 'user',
      content,
      citations: [],
      createdBy: context.actor.userId,
      createdAt,
    });
    await tx.update('thread', threadId, { updated: createdAt });
    await tx.openThread(threadId, createdAt);
  },
});
