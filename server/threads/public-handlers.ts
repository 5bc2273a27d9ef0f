/** The public calls about threads: live views of public and unlisted ones, without people. */
import { sql } from 'kysely';
import { AppError } from '#shared/errors.ts';
import type { publicThreadEndpoints } from '#shared/threads/public-endpoints.ts';
import type { PublicThread } from '#shared/threads/public-thread.ts';
import type { Database } from '../db/database.ts';
import type { Handlers } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { placeBySlug, recordVisit, report } from '../site/service.ts';
import { publiclyReadable, type PublicReach } from '../sync/public.ts';

const COLUMNS = [
  ...(['thread.id', 'thread.workspaceId', 'thread.name', 'thread.summary'] as const),
  ...(['thread.created', 'thread.updated'] as const),
] as const;

/** The threads that the public reaches, in the shape of publicThread. */
function publicThreads(db: Database, reach: PublicReach) {
  return db
    .selectFrom('thread')
    .innerJoin('workspace', 'workspace.id', 'thread.workspaceId')
    .innerJoin('user', 'user.id', 'thread.ownerId')
    .select(COLUMNS)
    .select([
      sql<PublicThread['visibility']>`"thread"."visibility"`.as('visibility'),
      sql<number>`(select count(*) from "message" m
        where m."threadId" = "thread"."id" and m."role" <> 'system')`.as('messageCount'),
      sql<PublicThread['workspace']>`jsonb_build_object('id', "workspace"."id", 'slug', "workspace"."slug",
        'name', "workspace"."name")`.as('workspace'),
      'user.username as author',
    ])
    .where(publiclyReadable('thread', reach));
}

/** @throws not_found for everything that the public does not reach */
async function publicThread(
  db: Database,
  workspaceId: string | undefined,
  id: string,
): Promise<PublicThread> {
  const row = await publicThreads(db, 'address')
    .where(sql<boolean>`"thread"."id" = ${id} and "thread"."workspaceId" = ${workspaceId ?? ''}`)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'Thread not found');
  return row;
}

export const publicThreadHandlers = {
  'public_thread.create': () => {
    throw new AppError('forbidden', 'Questions by visitors are switched off');
  },
  'public_thread.get_by_slug': async ({ context, params, request }) => {
    const workspaceId = await placeBySlug(context, params.workspaceSlug);
    const thread = await publicThread(context.db, workspaceId, params.id);
    await recordVisit(context, thread.id, request);
    return { result: thread };
  },
  'public_thread.list': ({ context, params, query }) =>
    listPage(publicThreads(context.db, 'list').where('thread.workspaceId', '=', params.workspaceId), {
      table: 'thread',
      query,
    }),
  'public_thread.get': async ({ context, params, request }) => {
    const thread = await publicThread(context.db, params.workspaceId, params.id);
    await recordVisit(context, thread.id, request);
    return { result: thread };
  },
  'public_thread.report': async ({ context, body: { id, reason, details, email }, request }) => {
    await report(context, { kind: 'thread', resourceId: id, reason, details, email }, request);
    return { result: null };
  },
  'public_message.list': async ({ context, params, query }) => {
    await publicThread(context.db, params.workspaceId, params.threadId);
    const rows = context.db
      .selectFrom('message')
      .select(['message.id', 'message.role', 'message.content', 'message.createdAt'])
      .where('message.threadId', '=', params.threadId)
      // Instructions to the assistant are nobody's reading.
      .where('message.role', '!=', 'system');
    return listPage(rows, { table: 'message', query });
  },
} satisfies Handlers<typeof publicThreadEndpoints>;
