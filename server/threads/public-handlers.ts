/** The public calls about threads: live views of public and unlisted ones, without people. */
import type { Id } from '#shared/ids.ts';
import type { publicThreadEndpoints } from '#shared/threads/public-endpoints.ts';
import type { Database } from '../db/database.ts';
import type { Handlers } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { placeBySlug, recordVisit, report } from '../site/service.ts';
import { publicThreadUpdated } from '../sync/public.ts';
import { getPublicThread, publicMessages, publicThreads } from './public-store.ts';
import { askOn } from './visitor-conversation.ts';
import { askSpace } from './visitor-questions.ts';

async function conversation(db: Database, workspaceId: Id<'workspace'>, threadId: Id<'thread'>) {
  const thread = await getPublicThread(db, workspaceId, threadId);
  const messages = await publicMessages(db, { workspaceId, threadId })
    .orderBy('message.createdAt')
    .orderBy('message.id')
    .execute();
  return { thread, messages };
}

export const publicThreadHandlers = {
  'public_thread.create': async ({ context, body }) => {
    const { threadId, visitorKey } = await askSpace(context, body);
    return { result: { ...(await conversation(context.db, body.workspaceId, threadId)), visitorKey } };
  },
  'public_message.create': async ({ context, params, body }) => {
    await askOn(context, { ...params, ...body });
    return { result: await conversation(context.db, params.workspaceId, params.threadId) };
  },
  'public_thread.get_by_slug': async ({ context, params, request }) => {
    const workspaceId = await placeBySlug(context, params.workspaceSlug);
    const thread = await getPublicThread(context.db, workspaceId, params.id);
    await recordVisit(context, thread.id, request);
    return { result: thread };
  },
  'public_thread.list': ({ context, params, query }) =>
    listPage(publicThreads(context.db, 'list').where('thread.workspaceId', '=', params.workspaceId), {
      table: 'thread',
      query,
      shown: { updated: publicThreadUpdated },
    }),
  'public_thread.get': async ({ context, params, request }) => {
    const thread = await getPublicThread(context.db, params.workspaceId, params.id);
    await recordVisit(context, thread.id, request);
    return { result: thread };
  },
  'public_thread.report': ({ context, body: { id, reason, details, email }, request }) =>
    report(context, { kind: 'thread', resourceId: id, reason, details, email }, request),
  'public_message.list': async ({ context, params, query }) => {
    await getPublicThread(context.db, params.workspaceId, params.threadId);
    return listPage(publicMessages(context.db, params), { table: 'message', query });
  },
} satisfies Handlers<typeof publicThreadEndpoints>;
