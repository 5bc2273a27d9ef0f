/** A thread as other people see it: members and guests with access read all of it, visitors only up to its freeze. */
import type { SpaceViewer } from '#shared/spaces/visibility.ts';
import { THREAD_VIEW_MAX, type ThreadView } from '#shared/threads/thread-view.ts';
import type { Thread } from '#shared/threads/thread.ts';
import type { Database } from '../db/database.ts';
import { readsAs } from '../spaces/service.ts';
import { publicContent, publicMessages } from './public-store.ts';
import { messagesOf } from './store.ts';

type Viewed = Pick<Thread, 'id' | 'workspaceId' | 'visibility' | 'name' | 'summary'>;

/** A thread as a member, a guest or a visitor sees it; empty where they cannot read it. */
export async function viewThreadAs(db: Database, thread: Viewed, viewer: SpaceViewer): Promise<ThreadView> {
  const reader = await readsAs(db, { kind: 'thread', ...thread }, viewer);
  if (reader === undefined) return { viewer, reads: false, thread: null, messages: [], total: 0 };
  const readable =
    reader === 'visitor'
      ? publicMessages(db, { workspaceId: thread.workspaceId, threadId: thread.id }).clearSelect()
      : messagesOf(db, thread, thread.id).clearSelect();
  const { total } = await readable
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const newest = await readable
    .select([
      'message.id',
      'message.role',
      reader === 'visitor' ? publicContent : 'message.content',
      'message.createdAt',
    ])
    .orderBy('message.createdAt', 'desc')
    .orderBy('message.id', 'desc')
    .limit(THREAD_VIEW_MAX)
    .execute();
  const { name, summary } = thread;
  return { viewer, reads: true, thread: { name, summary }, messages: newest.toReversed(), total };
}
