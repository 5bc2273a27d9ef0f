/** Branches of threads: what the person reads, up to a message, in a private thread of their own. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerMessage } from '#server/threads/answer-message.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { THREADS } from '#shared/threads/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Visibility } from '#shared/spaces/visibility.ts';
import type { Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { openWorld } from '#tests/support/world.ts';

let cast: Cast;
const world = await openWorld();
beforeEach(async () => {
  cast = await createCast(world);
  await createBuild(cast).memory({ title: 'Kiln', notes: 'The kiln burns at 1240 degrees.' });
});

const messagesOf = async (threadId: Id<'thread'>, agent = cast.alice): Promise<Message[]> =>
  (
    await agent.api('message.list', {
      params: { workspaceId: cast.workspaceId, threadId },
      query: { orderBy: 'createdAt', order: 'asc', perPage: 100 },
    })
  ).result;

/** Three questions of alice, the first two answered, in a thread that the workspace reads or not. */
async function conversation(visibility: Visibility = 'workspace') {
  const thread = await createBuild(cast).thread({ visibility, name: 'About kilns' });
  for (const [index, content] of ['How hot is the kiln?', 'And its degrees?', 'Thanks'].entries()) {
    world.clock.advance(1_000);
    const { result } = await cast.alice.api('message.create', {
      params: { workspaceId: cast.workspaceId, threadId: thread.id },
      body: { content },
    });
    world.clock.advance(1_000);
    const { id: messageId } = result.message;
    if (index < 2) await answerMessage(world.context, { workspaceId: cast.workspaceId, messageId });
  }
  const messages = await messagesOf(thread.id);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  return { threadId: thread.id, messages };
}

const branch = (
  { raw }: Pick<Agent, 'raw'>,
  threadId: string,
  body: { messageId: string | undefined; newId?: string; name?: string },
) => raw('POST', `/v1/threads/${cast.workspaceId}/${threadId}/branch`, { body });

/** Of a response, the new thread. */
const made = (response: { json?: { result?: unknown } | undefined }) =>
  response.json?.result as { id: Id<'thread'>; name: string; visibility: string; ownerId: string };

describe('a branch', () => {
  it('holds the messages up to one, with authors, times, sources and answers to each other', async () => {
    const { threadId, messages } = await conversation();
    const response = await branch(cast.bob, threadId, { messageId: messages[3]?.id });
    expect(response.status).toBe(201);
    const thread = made(response);
    expect(thread).toMatchObject({
      name: 'About kilns (branch)',
      visibility: 'private',
      ownerId: cast.bob.user.id,
    });
    const copies = await messagesOf(thread.id, cast.bob);
    const plain = ({ role, content, citations, createdBy, createdAt }: Message) => ({
      role,
      content,
      citations,
      createdBy,
      createdAt,
    });
    expect(copies.map(plain)).toEqual(messages.slice(0, 4).map(plain));
    expect(copies[1]?.citations).toHaveLength(1);
    expect(copies.map(({ replyTo }) => replyTo)).toEqual([null, copies[0]?.id, null, copies[2]?.id]);
    const ids = new Set([...copies, ...messages].map(({ id }) => id));
    expect(ids.size).toBe(9);
    // Nothing is answered again, and the first thread is as it was.
    const { rows } = await sql`select 1 from pgboss.job where "name" = 'message.answer'
      and "data" ->> 'messageId' = any(${copies.map(({ id }) => id)}::text[])`.execute(world.context.db);
    expect(rows).toEqual([]);
    expect(await messagesOf(threadId)).toEqual(messages);
    // Others do not see it, not even the author of its messages.
    const other = await cast.alice.raw('GET', `/v1/threads/${cast.workspaceId}/${thread.id}`);
    expect(other.status).toBe(404);
  });

  it('goes on by itself', async () => {
    const { threadId, messages } = await conversation();
    const { id } = made(await branch(cast.alice, threadId, { messageId: messages[0]?.id, name: 'Mine' }));
    const { result } = await cast.alice.api('message.create', {
      params: { workspaceId: cast.workspaceId, threadId: id },
      body: { content: 'How hot does the kiln burn?' },
    });
    world.clock.advance(1_000);
    await answerMessage(world.context, { workspaceId: cast.workspaceId, messageId: result.message.id });
    expect((await messagesOf(id)).map(({ role }) => role)).toEqual(['user', 'user', 'assistant']);
    expect(await messagesOf(threadId)).toHaveLength(5);
  });

  it('is made once, also when it is asked for twice at once', async () => {
    const { threadId, messages } = await conversation();
    const body = { messageId: messages[4]?.id, newId: newId('thread') };
    const answers = await Promise.all([branch(cast.bob, threadId, body), branch(cast.bob, threadId, body)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(await messagesOf(made(await branch(cast.bob, threadId, body)).id, cast.bob)).toHaveLength(5);
    // An id of another thread is taken, and that thread stays as it is.
    const taken = await branch(cast.bob, threadId, { ...body, newId: threadId });
    expect(taken.status).toBe(409);
    expect(await messagesOf(threadId)).toHaveLength(5);
  });

  it('keeps the order of messages of the same moment', async () => {
    const { threadId, messages } = await conversation();
    await writeInRealm(world.context, cast.workspaceId, systemActor, async (tx) => {
      const ids = messages.map(({ id }) => id);
      await tx.updateMany('message', ids, { createdAt: world.clock.now().toISOString() });
    });
    const all = await messagesOf(threadId);
    const before = all.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const last = before.at(-1);
    const { id } = made(await branch(cast.alice, threadId, { messageId: last?.id }));
    const copies = (await messagesOf(id)).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(copies.map(({ content }) => content)).toEqual(before.map(({ content }) => content));
  });
});

describe('it is refused', () => {
  it('to readers, strangers, keys that only read, and for what the person does not read', async () => {
    const { threadId, messages } = await conversation();
    const messageId = messages[1]?.id;
    expect((await branch(cast.rita, threadId, { messageId })).status).toBe(403);
    expect((await branch(cast.eve, threadId, { messageId })).status).toBe(403);
    const key = await createKey(world, cast.alice, {
      workspaceId: cast.workspaceId,
      scopes: ['threads:read'],
    });
    expect((await branch(key, threadId, { messageId })).status).toBe(403);
    const hidden = await conversation('private');
    expect((await branch(cast.bob, hidden.threadId, { messageId: hidden.messages[1]?.id })).status).toBe(404);
    // Nor through a thread that the person does read.
    expect((await branch(cast.bob, threadId, { messageId: hidden.messages[1]?.id })).status).toBe(404);
    expect((await branch(cast.alice, threadId, { messageId: hidden.messages[1]?.id })).status).toBe(404);
    expect((await branch(cast.alice, threadId, { messageId: newId('message') })).status).toBe(404);
    expect((await branch(cast.alice, threadId, { messageId: 'x' })).status).toBe(400);
    await cast.alice.api('thread.remove', { params: { workspaceId: cast.workspaceId, id: threadId } });
    expect((await branch(cast.alice, threadId, { messageId })).status).toBe(404);
    const { result } = await cast.bob.api('thread.list', { params: { workspaceId: cast.workspaceId } });
    expect(result).toEqual([]);
  });

  it('where it would be too long', async () => {
    const { threadId, messages } = await conversation();
    const [first] = messages;
    if (first === undefined) throw new Error('There is no message');
    const createdAt = world.clock.now().toISOString();
    await writeInRealm(world.context, cast.workspaceId, systemActor, (tx) =>
      tx.insertMany(
        'message',
        Array.from({ length: THREADS.branchMax }, () => ({ ...first, id: newId('message'), createdAt })),
      ),
    );
    const newest = await cast.alice.api('message.list', {
      params: { workspaceId: cast.workspaceId, threadId },
      query: { orderBy: 'createdAt', order: 'desc', perPage: 1 },
    });
    expect((await branch(cast.alice, threadId, { messageId: newest.result[0]?.id })).status).toBe(409);
    expect((await branch(cast.alice, threadId, { messageId: first.id })).status).toBe(201);
  });
});
