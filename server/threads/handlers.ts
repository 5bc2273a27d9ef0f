/** The calls about threads and messages, one small function per row. */
import { LIMITS } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { MutatorArgs } from '#shared/mutators.ts';
import type { threadEndpoints } from '#shared/threads/endpoints.ts';
import type { Context } from '../context.ts';
import type { Handlers, Member } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { writeAs, written } from '../http/write.ts';
import { searchThreads } from './search.ts';
import { checkSources, messagesOf, threadsFor, type Sources } from './store.ts';

const realmOf = ({ userId, workspaceId }: Member) => ({ userId, realmId: workspaceId });

async function one(context: Context, actor: Member, id: Id<'thread'>) {
  const found = await threadsFor(context.db, actor).where('thread.id', '=', id).executeTakeFirst();
  if (!found) throw new AppError('not_found', 'Thread not found');
  return found;
}

async function oneMessage(
  context: Context,
  actor: Member,
  at: { threadId: Id<'thread'>; id: Id<'message'> },
) {
  await one(context, actor, at.threadId);
  const messages = messagesOf(context.db, actor, at.threadId);
  const found = await messages.where('message.id', '=', at.id).executeTakeFirst();
  if (!found) throw new AppError('not_found', 'Message not found');
  return found;
}

/** Who closes a thread of somebody else reads it no longer: the answer is then what was read before, with the change. */
async function change(context: Context, actor: Member, fields: Omit<MutatorArgs<'thread.update'>, 'at'>) {
  const before = await one(context, actor, fields.id);
  const { version } = await writeAs(context, realmOf(actor), ({ at, apply }) =>
    apply('thread.update', { ...fields, at }),
  );
  const after = await threadsFor(context.db, actor).where('thread.id', '=', fields.id).executeTakeFirst();
  return written({ version, value: after ?? { ...before, ...fields } });
}

/** The beginning of the first message, as a name until a better one is given. */
function nameFrom(content: string): string {
  const line = content.trim().split('\n', 1)[0]?.trim() ?? '';
  return [...line]
    .slice(0, LIMITS.name / 2)
    .join('')
    .trim();
}

/** Sources belong to an answer, and there is none: whoever named some is told that they were not used. */
function unusedOf({ memoryIds = [], spaceIds = [] }: Sources): string[] {
  return [...(memoryIds.length > 0 ? ['memoryIds'] : []), ...(spaceIds.length > 0 ? ['spaceIds'] : [])];
}

export const threadHandlers = {
  'thread.list': ({ context, actor, query }) =>
    listPage(threadsFor(context.db, actor), { table: 'thread', query }),
  'thread.create': async ({ context, actor, body }) => {
    const { workspaceId: _workspaceId, id = newId('thread'), content, ...given } = body;
    const name = given.name ?? nameFrom(content ?? '');
    const { version, value } = await writeAs(context, realmOf(actor), async ({ at, apply }) => {
      await apply('thread.create', { ...given, id, name, at });
      if (content !== undefined) {
        await apply('message.create', { id: newId('message'), threadId: id, content, at });
      }
      return id;
    });
    return written({ version, value: await one(context, actor, value) });
  },
  'thread.search': ({ context, actor, body }) => searchThreads(context.db, actor, body),
  'thread.get': async ({ context, actor, params }) => ({ result: await one(context, actor, params.id) }),
  'thread.replace': ({ context, actor, params, body }) => change(context, actor, { ...body, id: params.id }),
  'thread.update': ({ context, actor, params, body }) => change(context, actor, { ...body, id: params.id }),
  'thread.remove': async ({ context, actor, params: { id } }) => {
    await one(context, actor, id);
    const { version } = await writeAs(context, realmOf(actor), ({ at, apply }) =>
      apply('thread.remove', { id, at }),
    );
    return written({ version, value: null });
  },
  'message.list': async ({ context, actor, params, query }) => {
    await one(context, actor, params.threadId);
    return listPage(messagesOf(context.db, actor, params.threadId), { table: 'message', query });
  },
  'message.create': async ({ context, actor, params: { threadId }, body }) => {
    await one(context, actor, threadId);
    const { id = newId('message'), content, ...sources } = body;
    await checkSources(context.db, actor, sources);
    const { version, value } = await writeAs(context, realmOf(actor), async ({ at, apply }) => {
      await apply('message.create', { id, threadId, content, at });
      return id;
    });
    const message = await oneMessage(context, actor, { threadId, id: value });
    const reply = written({ version, value: { message, reply: null } });
    const unused = unusedOf(sources);
    return unused.length === 0 ? reply : { ...reply, meta: { ...reply.meta, unused } };
  },
  'message.get': async ({ context, actor, params }) => ({
    result: await oneMessage(context, actor, params),
  }),
} satisfies Handlers<typeof threadEndpoints>;
