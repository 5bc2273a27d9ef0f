/** Answers as they are written: who sees them arrive, on which server, and who may stop them. */
import { once } from 'node:events';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createJobHandlers } from '#server/job-handlers.ts';
import { answerMessage } from '#server/threads/answer-message.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Visibility } from '#shared/spaces/visibility.ts';
import { createRaw, type RawRequest } from '#tests/support/agent.ts';
import { serviceEnv, startAnswerService, type ServiceReply } from '#tests/support/answer-service.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { openEventStream, type EventStream } from '#tests/support/event-stream.ts';
import { createKey } from '#tests/support/keys.ts';
import { openWorld, type World } from '#tests/support/world.ts';
import { itLong } from '#tests/support/long-test.ts';

const streams: EventStream[] = [];

const service = await startAnswerService();
afterAll(() => service.close());
const world = await openWorld({ env: serviceEnv(service) });
const second = await openWorld({ env: serviceEnv(service), database: world.database });
const cast = await createCast(world);
const build = createBuild(cast);
await build.memory({ title: 'Kiln', notes: 'The kiln burns at 1240 degrees.' });
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

interface Asked {
  threadId: Id<'thread'>;
  messageId: Id<'message'>;
}

async function ask(visibility: Visibility = 'workspace'): Promise<Asked> {
  const thread = await build.thread({ visibility });
  const { result } = await cast.alice.api('message.create', {
    params: { workspaceId: cast.workspaceId, threadId: thread.id },
    body: { content: 'How hot does the kiln burn?' },
  });
  return { threadId: thread.id, messageId: result.message.id };
}

const answer = ({ messageId }: Asked, on = world) =>
  answerMessage(on.context, { workspaceId: cast.workspaceId, messageId });

const pathOf = ({ threadId }: Pick<Asked, 'threadId'>) =>
  `/v1/threads/${cast.workspaceId}/${threadId}/follow`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function follow(
  asked: Asked,
  {
    token = cast.alice.token,
    on = world,
    headers = {},
  }: { token?: string; on?: World; headers?: object } = {},
): Promise<EventStream> {
  const stream = await openEventStream(on.url + pathOf(asked), { ...bearer(token), ...headers });
  streams.push(stream);
  return stream;
}

/** The next event of a kind. */
async function next(stream: EventStream, kind: string) {
  for (let event = await stream.next(); event !== undefined; event = await stream.next())
    if (event.event === kind) return event;
  throw new Error(`The stream ended before ${kind}`);
}

/** Reads deltas until the text is there; returns the events. */
async function readUntil(stream: EventStream, wanted: string) {
  let text = '';
  const deltas = [];
  while (text !== wanted) {
    const delta = await next(stream, 'message.delta');
    deltas.push(delta);
    text = text.slice(0, delta.data.seq) + (delta.data.text ?? '');
  }
  return deltas;
}

/** A model that says what it is told to, when it is told to. */
function slowModel() {
  const replies: ServiceReply[] = [];
  service.behave((reply) => void replies.push(reply));
  return {
    replies,
    async reply(number = 1): Promise<ServiceReply> {
      await expect.poll(() => replies.length).toBeGreaterThanOrEqual(number);
      const reply = replies[number - 1];
      if (reply === undefined) throw new Error('No request');
      return reply;
    },
  };
}

async function answersIn({ threadId }: Asked): Promise<Message[]> {
  const { result } = await cast.alice.api('message.list', {
    params: { workspaceId: cast.workspaceId, threadId },
    query: {},
  });
  return result.filter(({ role }) => role === 'assistant');
}

const stop = (raw: RawRequest, { threadId, messageId }: Asked) =>
  raw('POST', `/v1/messages/${cast.workspaceId}/${threadId}/${messageId}/stop`);

describe('the text of an answer', () => {
  it('arrives piece by piece at many readers on every server, and ends as one message of that id', async () => {
    const asked = await ask();
    const readers = [
      await follow(asked),
      await follow(asked),
      await follow(asked, { token: cast.bob.token, on: second }),
    ];
    const model = slowModel();
    const done = answer(asked);
    const reply = await model.reply();
    reply.say('It burns ');
    for (const reader of readers) await readUntil(reader, 'It burns');
    reply.say('at 1240 [1].');
    reply.finish();
    await done;
    const [stored] = await answersIn(asked);
    for (const reader of readers) {
      const completed = await next(reader, 'message.completed');
      expect(completed.data).toMatchObject({ id: stored?.id, citations: stored?.citations });
    }
    expect(stored?.content).toBe('It burns at 1240 \\[1\\].');
  });

  it('reaches a reader who comes back as one piece, and nothing of it when it is finished', async () => {
    const asked = await ask();
    const first = await follow(asked);
    const { id = '' } = (await first.next()) ?? {};
    const model = slowModel();
    const done = answer(asked);
    const reply = await model.reply();
    reply.say('One. ');
    await readUntil(first, 'One.');
    first.close();
    reply.say('Two. Three');
    const whole = 'One. Two. Three';
    await readUntil(await follow(asked), whole);
    const again = await follow(asked, { headers: { 'last-event-id': id } });
    const [only, ...more] = await readUntil(again, whole);
    expect(only).toMatchObject({ id: undefined, data: { seq: 0, text: whole } });
    expect(more).toEqual([]);
    reply.finish();
    await done;
    const late = await follow(asked, { headers: { 'last-event-id': id } });
    expect((await late.next())?.event).toBe('message.created');
    expect((await late.next())?.event).toBe('message.completed');
  });

  itLong('begins anew when another server takes over in the middle', async () => {
    const asked = await ask();
    const reader = await follow(asked);
    const model = slowModel();
    const killed = answer(asked);
    (await model.reply(1)).say('The first one says');
    await readUntil(reader, 'The first one says');
    const taken = answer(asked, second);
    const reply = await model.reply(2);
    reply.say('The second: 1240 [1].');
    const deltas = await readUntil(reader, 'The second: 1240 \\[1\\].');
    expect(deltas[0]?.data.seq).toBe(0);
    reply.finish();
    await Promise.all([taken, killed]);
    expect(await answersIn(asked)).toMatchObject([{ content: 'The second: 1240 \\[1\\].' }]);
  });

  it('is not shown to a reader who cannot read all that it is made of', async () => {
    const space = await build.space({ visibility: 'private' });
    await build.memory({ title: 'Kiln key', notes: 'The kiln key hangs in the shed.', spaceId: space.id });
    const asked = await ask('private');
    const model = slowModel();
    const done = answer(asked);
    const reply = await model.reply();
    reply.say('The key hangs in the shed');
    await readUntil(await follow(asked), 'The key hangs in the shed');
    await cast.alice.api('thread.update', {
      params: { workspaceId: cast.workspaceId, id: asked.threadId },
      body: { visibility: 'workspace' },
    });
    const reader = await follow(asked, { token: cast.bob.token });
    expect((await reader.next())?.event).toBe('snapshot');
    // Alice still gets it, so what bob does not get by then was kept from him.
    await readUntil(await follow(asked), 'The key hangs in the shed');
    reply.finish();
    await expect(done).rejects.toThrow('other readers');
    await cast.alice.api('message.create', {
      params: { workspaceId: cast.workspaceId, threadId: asked.threadId },
      body: { content: 'A later message' },
    });
    expect(await reader.next()).toMatchObject({ event: 'message.created' });
  });

  it('ends for a member who is removed, and for a key that is revoked', async () => {
    const asked = await ask();
    const key = await createKey(world, cast.bob, { workspaceId: cast.workspaceId, scopes: ['threads:read'] });
    const readers = [
      await follow(asked, { token: key.secret }),
      await follow(asked, { token: cast.bob.token }),
    ];
    const model = slowModel();
    const done = answer(asked);
    const reply = await model.reply();
    reply.say('Before');
    for (const reader of readers) await readUntil(reader, 'Before');
    await cast.alice.api('workspace_member.remove', {
      params: { workspaceId: cast.workspaceId, id: cast.bob.user.id },
    });
    reply.say(' and after');
    for (const reader of readers) {
      expect(await next(reader, 'end')).toMatchObject({ data: { reason: 'gone' } });
      expect(await reader.next()).toBeUndefined();
    }
    reply.finish();
    await done;
  });

  it('is for readers of the thread alone', async () => {
    const asked = await ask('private');
    const key = await createKey(world, cast.alice, {
      workspaceId: cast.workspaceId,
      scopes: ['memories:read'],
    });
    const status = async (token?: string) => (await createRaw(world, token)('GET', pathOf(asked))).status;
    expect(await status()).toBe(401);
    expect(await status(cast.eve.token)).toBe(403);
    expect(await status(cast.rita.token)).toBe(404);
    expect(await status(key.secret)).toBe(403);
  });
});

describe('a person who asked', () => {
  it('stops the answer on any server, and keeps what is written', async () => {
    const asked = await ask();
    const model = slowModel();
    const done = answer(asked);
    const reply = await model.reply();
    const closed = once(reply.res, 'close');
    reply.say('It burns at 1240 [1] and');
    await readUntil(await follow(asked), 'It burns at 1240 \\[1\\] and');
    expect((await stop(createRaw(second, cast.alice.token), asked)).status).toBe(200);
    await done;
    await closed;
    const [stored] = await answersIn(asked);
    expect(stored?.content).toBe('It burns at 1240 \\[1\\] and\n\n*Stopped.*');
    expect(stored?.citations).toHaveLength(1);
    expect((await stop(cast.alice.raw, asked)).status).toBe(200);
    expect(await answersIn(asked)).toHaveLength(1);
  });

  it('stops it before it begins, and the model is not asked', async () => {
    const asked = await ask();
    const model = slowModel();
    expect((await stop(cast.alice.raw, asked)).status).toBe(200);
    await answer(asked);
    expect(model.replies).toEqual([]);
    expect(await answersIn(asked)).toMatchObject([{ content: '*Stopped before the answer began.*' }]);
  });

  it('is the only one who stops it', async () => {
    const asked = await ask();
    const closed = await ask('private');
    expect((await stop(createRaw(world), asked)).status).toBe(401);
    expect((await stop(cast.eve.raw, asked)).status).toBe(403);
    expect((await stop(cast.rita.raw, asked)).status).toBe(403);
    expect((await stop(cast.rita.raw, closed)).status).toBe(404);
    expect((await stop(cast.alice.raw, { ...closed, messageId: asked.messageId })).status).toBe(404);
    expect((await stop(cast.alice.raw, { ...closed, messageId: newId('message') })).status).toBe(404);
  });
});

it('a server tells its members who writes their answers', async () => {
  const path = `/v1/answering/${cast.workspaceId}`;
  const model = { name: 'parrot', host: new URL(service.url).host };
  expect((await cast.rita.raw('GET', path)).json?.result).toEqual({ model });
  expect((await cast.eve.raw('GET', path)).status).toBe(403);
});

it('the queue carries an answer from the question to the message', async () => {
  // Questions of the tests before wait in the queue too: without an answer they would hold up the end.
  service.behave((reply) => {
    reply.say('1240 [1].');
    reply.finish();
  });
  await world.context.jobs.start(createJobHandlers(world.context));
  const asked = await ask();
  await expect.poll(() => answersIn(asked)).toMatchObject([{ content: '1240 \\[1\\].' }]);
});
