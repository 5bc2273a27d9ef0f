/** The calls that rate, export and follow threads, one small function per row. */
import { sql, type SelectQueryBuilder } from 'kysely';
import { LIMITS } from '#shared/constants.ts';
import { FOLLOW } from '#shared/threads/limits.ts';
import { authorize } from '#shared/define/access.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import { can } from '#shared/permissions.ts';
import type { conversationEndpoints } from '#shared/threads/conversation-endpoints.ts';
import type { ExportBody } from '#shared/threads/conversation.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../db/tables.ts';
import { emit } from '../events/emit.ts';
import type { Handlers, Member, RequestFacts } from '../http/call.ts';
import { authenticate, memberOf, requireScopes } from '../http/credentials.ts';
import { personStreams, StreamSeats } from '../event-stream.ts';
import { listPage } from '../http/list-page.ts';
import { networkOf } from '../http/rate-limit.ts';
import { visitorKey } from '../http/visitor-key.ts';
import { writeAs } from '../http/write.ts';
import { exportFile, type Exported } from '#shared/threads/export-file.ts';
import { messagesForMember, messagesForPublic } from './exports.ts';
import { answeringModel } from './answering.ts';
import { draftsForMember, draftsForPublic, stopDraft } from './answer-drafts.ts';
import { followThread, type Followed } from './follow.ts';
import { regenerate } from './regenerate.ts';
import { findPublicView, getPublicThread, publicMessages } from './public-store.ts';
import { rateMessage, ratingsOf, ratingTotals } from './ratings.ts';
import { messagesOf, threadsFor } from './store.ts';
import { readerIn } from '../sync/readable.ts';

const publicSeats = new StreamSeats(FOLLOW.streamsPerAddress);

/** @throws not_found for threads that the member does not read */
async function readable({ db }: Context, actor: Member, threadId: Id<'thread'>) {
  return threadsFor(db, actor)
    .where('thread.id', '=', threadId)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'Thread not found'));
}

function exportedThread({ id, name, summary }: Exported['thread']): Exported['thread'] {
  return { id, name, summary };
}

/** Saves the export as a note of the workspace. @throws bad_request when it exceeds the length of a note */
async function keepAsNote(context: Context, actor: Member, exported: Exported, body: ExportBody) {
  const { text } = await exportFile(exported, { ...body, format: 'markdown' }, context.markdown);
  if (text.length > LIMITS.notes) {
    throw new AppError(
      'bad_request',
      'destination: The thread is longer than a note may be, download it instead',
    );
  }
  const { value: memoryId } = await writeAs(context, readerIn(actor), async ({ at, apply }) => {
    const id = newId('memory');
    await apply('memory.create', { id, at, origin: 'api', title: exported.thread.name, notes: text });
    return id;
  });
  return {
    result: JSON.stringify({ success: true, result: { memoryId } }),
    status: 201,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  };
}

/** Under which name a visitor rates today. */
async function raterOf(context: Context, request: RequestFacts): Promise<string> {
  return (await visitorKey(context, request)) ?? 'inside';
}

type Streamed = Pick<Followed, 'thread' | 'messages' | 'drafts' | 'enter' | 'awaitsAnswer'>;

function follow(
  context: Context,
  { workspaceId, id }: { workspaceId: string; id: string },
  { request, ...streamed }: Streamed & { request: RequestFacts },
) {
  const place = { realmId: workspaceId, threadId: id, resumeAt: request.header('last-event-id') };
  return { result: followThread(context, { ...place, ...streamed }) };
}

export const conversationHandlers = {
  'message.rate': async ({ context, actor, body }) => {
    await readable(context, actor, body.threadId);
    authorize(actor, 'message.rate', { grant: 'read' });
    const rating = await rateMessage(context, body, actor.userId);
    const seesTotals = can(actor, 'usage.read_full');
    return { result: { ...rating, totals: seesTotals ? await ratingTotals(context, body) : null } };
  },
  'public_message.rate': async ({ context, body, request }) => {
    await getPublicThread(context.db, body.workspaceId, body.threadId);
    const shown = publicMessages(context.db, body).where('message.id', '=', body.messageId);
    if ((await shown.executeTakeFirst()) === undefined) throw new AppError('not_found', 'Message not found');
    return { result: await rateMessage(context, body, await raterOf(context, request)) };
  },
  'message.rated': async ({ context, actor, params, query }) => {
    await readable(context, actor, params.threadId);
    return listPage(ratingsOf(context, params, actor.userId), { table: 'message_rating', query });
  },
  'public_message.rated': async ({ context, params, query, request }) => {
    await getPublicThread(context.db, params.workspaceId, params.threadId);
    const rater = await raterOf(context, request);
    return listPage(ratingsOf(context, params, rater), { table: 'message_rating', query });
  },
  'message.export': async ({ context, actor, body }) => {
    const thread = await readable(context, actor, body.threadId);
    authorize(actor, 'message.export', { grant: 'read' });
    if (body.destination === 'memory') requireScopes(actor.credential, ['memories:write']);
    const messages = await messagesForMember(context, actor, body);
    const { db, clock, origin } = context;
    const { format, destination } = body;
    const tx = { trx: db, now: clock.now(), origin };
    await emit(tx, 'thread.exported', { actor, target: thread, format, destination });
    const exported = { thread: exportedThread(thread), messages };
    if (body.destination === 'memory') return keepAsNote(context, actor, exported, body);
    const { text, headers } = await exportFile(exported, body, context.markdown);
    return { result: text, headers };
  },
  'public_message.export': async ({ context, body }) => {
    const thread = await getPublicThread(context.db, body.workspaceId, body.threadId);
    const messages = await messagesForPublic(context, thread, body);
    const { text, headers } = await exportFile(
      { thread: exportedThread(thread), messages },
      body,
      context.markdown,
    );
    return { result: text, headers };
  },
  'message.stop': async ({ context, actor, params: { threadId, id } }) => {
    await readable(context, actor, threadId);
    const asked = messagesOf(context.db, actor, threadId).where('message.id', '=', id);
    const row = await asked
      .where('message.role', '=', 'user')
      .executeTakeFirstOrThrow(() => new AppError('not_found', 'Message not found'));
    if (row.createdBy !== actor.userId)
      throw new AppError('forbidden', 'Only the person who asked can stop the answer.');
    await stopDraft(context.db, { workspaceId: actor.workspaceId, messageId: id, threadId });
  },
  'message.regenerate': async ({ context, actor, params: { threadId, id } }) => {
    await regenerate(context, actor, { threadId, id });
    return { result: null, status: 202 };
  },
  'answering.get': async ({ context, actor }) => {
    const model = await answeringModel(context, actor.workspaceId);
    return { result: { model: model === undefined ? null : { name: model.name, host: model.host } } };
  },
  'thread.follow': async ({ context, actor, params, request }) => {
    await readable(context, actor, params.id);
    const token = request.header('authorization');
    return follow(context, params, {
      request,
      enter: (end) => personStreams.add(actor.userId, end),
      // Members follow a thread while they wait for an answer.
      awaitsAnswer: true,
      // Credential and membership are read again each time, so a stream ends with either.
      thread: async () => {
        const member = await stillMember(context, actor, token);
        const thread =
          member &&
          (await threadsFor(context.db, member).where('thread.id', '=', params.id).executeTakeFirst());
        return thread && { thread, until: null };
      },
      messages: (ids) => lastOf(messagesOf(context.db, actor, params.id), ids),
      drafts: () => draftsForMember(context.db, actor, params.id),
    });
  },
  'public_thread.follow': async ({ context, params, request }) => {
    await getPublicThread(context.db, params.workspaceId, params.id);
    const leave = publicSeats.take(networkOf(request.address ?? 'inside'));
    return follow(context, params, {
      request,
      enter: () => leave,
      awaitsAnswer: false,
      thread: () => findPublicView(context.db, params.workspaceId, params.id),
      messages: (ids) =>
        lastOf(publicMessages(context.db, { workspaceId: params.workspaceId, threadId: params.id }), ids),
      drafts: () => draftsForPublic(context.db, { workspaceId: params.workspaceId, threadId: params.id }),
    });
  },
} satisfies Handlers<typeof conversationEndpoints>;

async function stillMember(
  context: Context,
  actor: Member,
  token: string | undefined,
): Promise<Member | undefined> {
  try {
    return await memberOf(context, await authenticate(context, token), actor.workspaceId, { guests: true });
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** The messages with these ids, or else the newest ones; oldest first. */
async function lastOf<O extends { id: string }>(
  rows: SelectQueryBuilder<Tables, 'message', O>,
  ids: readonly string[] | undefined,
): Promise<O[]> {
  const wanted = ids === undefined ? rows : rows.where(sql<boolean>`"message"."id" = any(${ids}::text[])`);
  const newest = await wanted
    .orderBy('message.createdAt', 'desc')
    .orderBy('message.id', 'desc')
    .limit(FOLLOW.snapshotMessages)
    .execute();
  return newest.toReversed();
}
