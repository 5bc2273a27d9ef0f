/** An answer that is written again in its place: for all readers, by the person who asked, and never without an answer. */
import { afterAll, beforeEach, expect, it } from 'vitest';
import { answerMessage, giveUpAnswer } from '#server/threads/answer-message.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Agent } from '#tests/support/agent.ts';
import { serviceEnv, startAnswerService, type ServiceReply } from '#tests/support/answer-service.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { openEventStream } from '#tests/support/event-stream.ts';
import { openWorld } from '#tests/support/world.ts';

let cast: Cast;
const service = await startAnswerService();
afterAll(() => service.close());
const world = await openWorld({ env: serviceEnv(service) });
beforeEach(async () => {
  cast = await createCast(world);
  await createBuild(cast).memory({ title: 'Kiln', notes: 'The kiln burns at 1240 degrees.' });
  service.requests.length = 0;
});

const say = (words: string) =>
  service.behave((reply) => {
    reply.say(words);
    reply.finish();
  });

async function messagesOf(threadId: Id<'thread'>, versions?: 'all'): Promise<Message[]> {
  const { result } = await cast.alice.api('message.list', {
    params: { workspaceId: cast.workspaceId, threadId },
    query: { orderBy: 'createdAt', order: 'asc', versions },
  });
  return result;
}

async function answered(visibility: 'private' | 'workspace' = 'workspace') {
  const thread = await createBuild(cast).thread({ visibility });
  const { result } = await cast.alice.api('message.create', {
    params: { workspaceId: cast.workspaceId, threadId: thread.id },
    body: { content: 'How hot does the kiln burn?' },
  });
  const messageId = result.message.id;
  say('At 1240 degrees [1].');
  world.clock.advance(1_000);
  await answerMessage(world.context, { workspaceId: cast.workspaceId, messageId });
  const answer = (await messagesOf(thread.id)).at(-1);
  if (answer?.role !== 'assistant') throw new Error('There is no answer');
  return { threadId: thread.id, messageId, answer };
}

const regenerate = ({ raw }: Agent, threadId: string, id: string) =>
  raw('POST', `/v1/messages/${cast.workspaceId}/${threadId}/${id}/regenerate`);

it('takes the place of the answer, which is kept as a version with its ratings', async () => {
  const { threadId, messageId, answer } = await answered();
  await cast.bob.api('message.rate', {
    body: { workspaceId: cast.workspaceId, threadId, messageId: answer.id, value: -1 },
  });
  expect((await regenerate(cast.alice, threadId, answer.id)).status).toBe(202);
  // Until then the first one stays.
  expect(await messagesOf(threadId)).toContainEqual(answer);
  say('It burns very hot.');
  world.clock.advance(60_000);
  await answerMessage(world.context, { workspaceId: cast.workspaceId, messageId, replaces: answer.id });
  const [, again, ...others] = await messagesOf(threadId);
  expect(others).toEqual([]);
  const written = {
    ...answer,
    content: 'It burns very hot.\n\n*This answer names no memory as its source.*',
    citations: [],
    rewrittenAt: world.clock.now().toISOString(),
  };
  expect(again).toEqual(written);
  say('Hot.');
  world.clock.advance(60_000);
  await answerMessage(world.context, { workspaceId: cast.workspaceId, messageId, replaces: answer.id });
  const versions = (await messagesOf(threadId, 'all')).filter(({ versionOf }) => versionOf !== null);
  expect(versions).toHaveLength(2);
  const kept = { id: expect.any(String) as string, replyTo: null, versionOf: answer.id };
  expect(versions).toContainEqual({ ...answer, ...kept });
  expect(versions).toContainEqual({ ...written, ...kept });
  const first = versions.find(({ content }) => content === answer.content);
  const { result } = await cast.bob.api('message.rated', {
    params: { workspaceId: cast.workspaceId, threadId },
  });
  expect(result).toMatchObject([{ messageId: first?.id, value: -1 }]);
  // A version is read by its id, but has no place in the thread: it cannot be branched from or written again.
  await cast.bob.api('message.get', {
    params: { workspaceId: cast.workspaceId, threadId, id: first?.id ?? answer.id },
  });
  expect((await regenerate(cast.alice, threadId, first?.id ?? '')).status).toBe(404);
  const { result: file } = await cast.bob.api('message.export', {
    body: { workspaceId: cast.workspaceId, threadId, format: 'markdown' },
  });
  expect(file).toContain('Hot.');
  expect(file).not.toContain('1240 degrees');
  const { result: branch } = await cast.alice.api('thread.branch', {
    params: { workspaceId: cast.workspaceId, id: threadId },
    body: { messageId: answer.id },
  });
  expect((await messagesOf(branch.id, 'all')).map(({ content }) => content)).toEqual([
    'How hot does the kiln burn?',
    'Hot.\n\n*This answer names no memory as its source.*',
  ]);
});

it('keeps its earlier versions from visitors, from searches, and from new readers who may not read their sources', async () => {
  const { threadId, messageId, answer } = await answered('private');
  const { workspaceId } = cast;
  say('It burns very hot.');
  await answerMessage(world.context, { workspaceId, messageId, replaces: answer.id });
  const searched = await cast.alice.api('thread.search', { body: { workspaceId, query: 'degrees' } });
  expect(searched.result).toEqual([]);
  const open = { params: { workspaceId, id: threadId }, body: { visibility: 'public' as const } };
  const refused = await cast.alice.raw('PATCH', `/v1/threads/${workspaceId}/${threadId}`, {
    body: open.body,
  });
  expect(refused.json?.error?.code).toBe('quotes_private');
  await cast.alice.api('thread.update', { ...open, body: { ...open.body, quotes: 'remove' } });
  const kept = (await messagesOf(threadId, 'all')).find(({ versionOf }) => versionOf === answer.id);
  expect(kept?.citations).toMatchObject([{ quote: null }]);
  const response = await fetch(`${world.url}/v1/public/messages/${workspaceId}/${threadId}`);
  const { result } = (await response.json()) as { result: { content: string }[] };
  expect(result).toHaveLength(2);
  expect(JSON.stringify(result)).not.toContain('1240 degrees');
});

it('leaves the answer where it cannot be written', async () => {
  const { threadId, messageId, answer } = await answered();
  const request = { workspaceId: cast.workspaceId, messageId, replaces: answer.id };
  service.behave((reply) => reply.refuse(401, 'No'));
  await answerMessage(world.context, request);
  expect(service.requests).toHaveLength(2);
  expect(await messagesOf(threadId)).toContainEqual(answer);
  await giveUpAnswer(world.context, request);
  expect(await messagesOf(threadId)).toContainEqual(answer);
  // A request for an answer that is not there is none.
  await answerMessage(world.context, { ...request, replaces: newId('message') });
  await answerMessage(world.context, { workspaceId: cast.workspaceId, messageId });
  expect(await messagesOf(threadId)).toContainEqual(answer);
  expect(service.requests).toHaveLength(2);
});

it('is one answer also when it is asked for twice at once', async () => {
  const { threadId, messageId, answer } = await answered();
  say('Once more [1].');
  const request = { workspaceId: cast.workspaceId, messageId, replaces: answer.id };
  await Promise.all([answerMessage(world.context, request), answerMessage(world.context, request)]);
  const messages = await messagesOf(threadId);
  expect(messages.map(({ id }) => id)).toEqual([messageId, answer.id]);
  expect(messages[1]?.content).toBe('Once more \\[1\\].');
});

it('is refused to all but the person who asked, for questions, and in a frozen thread', async () => {
  const { threadId, messageId, answer } = await answered();
  for (const agent of [cast.bob, cast.rita, cast.eve])
    expect((await regenerate(agent, threadId, answer.id)).status).toBe(403);
  expect((await regenerate(cast.alice, threadId, messageId)).status).toBe(404);
  expect((await regenerate(cast.alice, threadId, newId('message'))).status).toBe(404);
  const hidden = await answered('private');
  expect((await regenerate(cast.bob, hidden.threadId, hidden.answer.id)).status).toBe(404);
  expect((await regenerate(cast.alice, threadId, hidden.answer.id)).status).toBe(404);
  await cast.alice.api('thread.update', {
    params: { workspaceId: cast.workspaceId, id: threadId },
    body: { visibility: 'unlisted', publicUntil: answer.id, quotes: 'keep' },
  });
  expect((await regenerate(cast.alice, threadId, answer.id)).status).toBe(409);
});

it('is seen while it is written by members who begin to follow after the first one', async () => {
  const { threadId, messageId, answer } = await answered();
  const replies: ServiceReply[] = [];
  service.behave((reply) => void replies.push(reply));
  const stream = await openEventStream(`${world.url}/v1/threads/${cast.workspaceId}/${threadId}/follow`, {
    authorization: `Bearer ${cast.bob.token}`,
  });
  expect((await stream.next())?.event).toBe('snapshot');
  const request = { workspaceId: cast.workspaceId, messageId, replaces: answer.id };
  const writing = answerMessage(world.context, request);
  await expect.poll(() => replies.length).toBe(1);
  replies[0]?.say('Hotter still');
  expect(await stream.next()).toMatchObject({
    event: 'message.delta',
    data: { id: answer.id, seq: 0, text: 'Hotter still' },
  });
  replies[0]?.say(' [1].');
  replies[0]?.finish();
  await writing;
  const events = [];
  while (events.at(-1) !== 'message.completed') events.push((await stream.next())?.event);
  expect(events).toContain('message.created');
  stream.close();
});
