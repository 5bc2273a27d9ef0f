/** The calls about threads, messages and who writes answers, one small function per row. */
import { authorize } from '#shared/define/access.ts';
import { withoutUndefined } from '#shared/define/fields.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { MutatorArgs } from '#shared/mutators.ts';
import type { GrantInput } from '#shared/spaces/grant.ts';
import { subjectOf } from '#shared/subject.ts';
import type { answeringEndpoints } from '#shared/threads/answering-endpoints.ts';
import type { threadEndpoints } from '#shared/threads/endpoints.ts';
import { nameOfThread } from '#shared/threads/thread-name.ts';
import type { Context } from '../context.ts';
import type { Handlers, Member } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { writeAs, written } from '../http/write.ts';
import { replaceGrants, shownGrants } from '../spaces/service.ts';
import { answeringSettingsOf, replaceAnswering, testAnswering } from './answering-settings.ts';
import { privatelyQuoted } from './private-quotes.ts';
import { searchThreads } from './search.ts';
import { checkSources, messagesOf, threadsFor, withVersionsOf } from './store.ts';
import { viewThreadAs } from './view-as.ts';
import { readerIn } from '../sync/readable.ts';

async function one(context: Context, actor: Member, id: Id<'thread'>) {
  return threadsFor(context.db, actor)
    .where('thread.id', '=', id)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'Thread not found'));
}

async function oneMessage(
  context: Context,
  actor: Member,
  at: { threadId: Id<'thread'>; id: Id<'message'> },
) {
  await one(context, actor, at.threadId);
  const messages = withVersionsOf(context.db, actor, at.threadId);
  return messages
    .where('message.id', '=', at.id)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'Message not found'));
}

type Change = Omit<MutatorArgs<'thread.update'>, 'at'> & { grants?: GrantInput[] | undefined };

/**
 * An admin who makes another member's thread private can no longer read it: the response is then the row read before,
 * with the change.
 */
async function change(context: Context, actor: Member, { grants, quotes, ...fields }: Change) {
  const before = await one(context, actor, fields.id);
  const { version } = await writeAs(context, readerIn(actor), async (writing) => {
    // Grants first: a person who closes a thread of another member may not change it afterwards.
    if (grants !== undefined) await replaceGrants(writing, fields.id, grants, quotes);
    await writing.apply('thread.update', { ...fields, quotes, at: writing.at });
  });
  const after = await threadsFor(context.db, actor).where('thread.id', '=', fields.id).executeTakeFirst();
  const place = after ?? { ...before, ...withoutUndefined(fields) };
  return written({ version, value: { ...place, ...(await shownGrants(context.db, actor, place)) } });
}

export const threadHandlers = {
  'thread.list': ({ context, actor, query }) =>
    listPage(threadsFor(context.db, actor), { table: 'thread', query }),
  'thread.create': async ({ context, actor, body }) => {
    const { workspaceId: _workspaceId, id = newId('thread'), content, ...given } = body;
    const name = given.name ?? nameOfThread(content ?? '');
    const { version, value } = await writeAs(context, readerIn(actor), async ({ at, apply }) => {
      await apply('thread.create', { ...given, id, name, at });
      if (content !== undefined) {
        await apply('message.create', { id: newId('message'), threadId: id, content, at });
      }
      return id;
    });
    return written({ version, value: await one(context, actor, value) });
  },
  'thread.branch': async ({ context, actor, params: { id: threadId }, body }) => {
    const { messageId, newId: id = newId('thread'), name } = body;
    await one(context, actor, threadId);
    const { version, value } = await writeAs(context, readerIn(actor), async ({ at, apply }) => {
      await apply('thread.branch', { id, threadId, messageId, name, at });
      return id;
    });
    return written({ version, value: await one(context, actor, value) });
  },
  'thread.search': ({ context, actor, body }) => searchThreads(context.db, actor, body),
  'thread.get': async ({ context, actor, params }) => {
    const found = await one(context, actor, params.id);
    return { result: { ...found, ...(await shownGrants(context.db, actor, found)) } };
  },
  'thread.view_as': async ({ context, actor, params, query }) => {
    const thread = await one(context, actor, params.id);
    authorize(actor, 'thread.update', subjectOf(thread, thread));
    return { result: await viewThreadAs(context.db, thread, query.viewer) };
  },
  'thread.private_quotes': async ({ context, actor, params, body }) => {
    await one(context, actor, params.id);
    const thread = await context.db
      .selectFrom('thread')
      .selectAll()
      .where('workspaceId', '=', params.workspaceId)
      .where('id', '=', params.id)
      .executeTakeFirstOrThrow();
    authorize(actor, 'thread.update', subjectOf(thread, thread));
    return { result: await privatelyQuoted(context.db, thread, body, actor) };
  },
  'thread.replace': ({ context, actor, params, body }) => change(context, actor, { ...body, id: params.id }),
  'thread.update': ({ context, actor, params, body }) => change(context, actor, { ...body, id: params.id }),
  'thread.remove': async ({ context, actor, params: { id } }) => {
    await one(context, actor, id);
    const { version } = await writeAs(context, readerIn(actor), ({ at, apply }) =>
      apply('thread.remove', { id, at }),
    );
    return written({ version, value: null });
  },
  'message.list': async ({ context, actor, params, query }) => {
    await one(context, actor, params.threadId);
    const { versions, ...page } = query;
    const messages = versions === 'all' ? withVersionsOf : messagesOf;
    return listPage(messages(context.db, actor, params.threadId), { table: 'message', query: page });
  },
  'message.create': async ({ context, actor, params: { threadId }, body }) => {
    await one(context, actor, threadId);
    const { id = newId('message'), content, ...sources } = body;
    await checkSources(context.db, actor, sources);
    const { version, value } = await writeAs(context, readerIn(actor), async ({ at, apply }) => {
      await apply('message.create', { id, threadId, content, ...sources, at });
      return id;
    });
    const message = await oneMessage(context, actor, { threadId, id: value });
    return written({ version, value: { message, reply: null } });
  },
  'message.get': async ({ context, actor, params }) => ({
    result: await oneMessage(context, actor, params),
  }),
  'answering_settings.get': async ({ context, actor }) => ({
    result: await answeringSettingsOf(context, actor),
  }),
  'answering_settings.replace': async ({ context, actor, body }) => ({
    result: await replaceAnswering(context, actor, body),
  }),
  'answering_settings.test': async ({ context, actor, body }) => ({
    result: await testAnswering(context, actor, body),
  }),
} satisfies Handlers<typeof threadEndpoints & typeof answeringEndpoints>;
