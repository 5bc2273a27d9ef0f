/** Reads of threads and messages that a person may see; deleted threads and their messages do not exist here. */
import type { Id } from '#shared/ids.ts';
import type { Database } from '../db/database.ts';
import type { Member } from '../http/call.ts';
import { readableBy } from '../sync/readable.ts';

/** Who reads, and in which workspace. */
export type Reader = Pick<Member, 'userId' | 'workspaceId'>;

const COLUMNS = [
  ...([
    'thread.id',
    'thread.workspaceId',
    'thread.ownerId',
    'thread.createdBy',
    'thread.lastEditedBy',
  ] as const),
  ...(['thread.name', 'thread.summary', 'thread.origin', 'thread.visibility'] as const),
  'thread.publicUntil' as const,
  ...(['thread.created', 'thread.updated'] as const),
] as const;

/** The threads that the person reads. */
export function threadsFor(db: Database, { userId, workspaceId }: Reader) {
  return db
    .selectFrom('thread')
    .select(COLUMNS)
    .where('thread.workspaceId', '=', workspaceId)
    .where('thread.deletedAt', 'is', null)
    .where(readableBy('thread', 'thread', { realmId: workspaceId, userId }));
}

/** The messages of a thread; whoever reads the thread reads all of them. */
export function messagesOf(db: Database, { workspaceId }: Reader, threadId: Id<'thread'>) {
  return db
    .selectFrom('message')
    .selectAll('message')
    .where('message.workspaceId', '=', workspaceId)
    .where('message.threadId', '=', threadId);
}
