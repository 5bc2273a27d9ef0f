/** Rating, exporting and following threads, as a member and as a visitor. */
import { describe, expect, test } from 'vitest';
import { writeInRealm } from '#server/db/transaction.ts';
import { writeAnswer } from '#server/threads/answers.ts';
import { FOLLOW } from '#shared/threads/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Visibility } from '#shared/spaces/visibility.ts';
import { createApi, createRaw, TEST_PASSWORD, type RawRequest } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { openEventStream } from '#tests/support/event-stream.ts';
import { openWorld } from '#tests/support/world.ts';
import { asPerson } from '#server/sync/readable.ts';

const world = await openWorld();
const cast = await createCast(world);
const raw = createRaw(world);

/** What the answering capability will write. */
async function answerIn(threadId: Id<'thread'>, content: string): Promise<Id<'message'>> {
  const { value } = await writeInRealm(world.context, cast.workspaceId, asPerson(cast.alice.user.id), (tx) =>
    writeAnswer(tx, { threadId, content }),
  );
  world.clock.advance(1_000);
  return value;
}

async function say(threadId: Id<'thread'>, content: string): Promise<Id<'message'>> {
  const params = { workspaceId: cast.workspaceId, threadId };
  const { result } = await cast.alice.api('message.create', { params, body: { content } });
  world.clock.advance(1_000);
  return result.message.id;
}

async function talk(visibility: Visibility = 'public') {
  const thread = await createBuild(cast).thread({ name: 'Which <anemone> is this?', visibility });
  const question = await say(thread.id, 'Is it *green*? <script>alert(1)</script>');
  const answer = await answerIn(thread.id, 'It is.');
  return { thread, question, answer, place: { workspaceId: cast.workspaceId, threadId: thread.id } };
}

const ratings = (messageId: string) =>
  world.context.db.selectFrom('message_rating').selectAll().where('messageId', '=', messageId).execute();

describe('a rating', () => {
  test('is one per person and answer, changed by the next and taken back by 0', async () => {
    const { place, answer } = await talk('workspace');
    const rate = (value: 1 | -1 | 0) =>
      cast.rita.api('message.rate', { body: { ...place, messageId: answer, value, reason: 'style' } });
    const first = (await rate(1)).result;
    expect(first).toMatchObject({ value: 1, reason: 'style', comment: null, totals: null });
    expect((await rate(-1)).result).toMatchObject({ id: first.id, value: -1 });
    expect(await ratings(answer)).toMatchObject([{ value: -1, rater: cast.rita.user.id }]);
    expect((await rate(0)).result).toEqual({ id: null, value: 0, reason: null, comment: null, totals: null });
    expect(await ratings(answer)).toEqual([]);
  });

  test('shows its totals to owners and admins alone', async () => {
    const { place, answer } = await talk('workspace');
    const body = { ...place, messageId: answer, value: 1 as const };
    await cast.bob.api('message.rate', { body });
    expect((await cast.alice.api('message.rate', { body: { ...body, value: -1 } })).result.totals).toEqual({
      up: 1,
      down: 1,
    });
    expect((await cast.bob.api('message.rate', { body })).result.totals).toBeNull();
  });

  test('is refused for questions, for unknown messages and for threads that are not read', async () => {
    const { place, question, answer } = await talk('private');
    const send = (who: RawRequest, body: object) => who('POST', '/v1/messages/rate', { body });
    expect((await send(cast.alice.raw, { ...place, messageId: question, value: 1 })).status).toBe(400);
    expect((await send(cast.alice.raw, { ...place, messageId: newId('message'), value: 1 })).status).toBe(
      404,
    );
    expect((await send(cast.bob.raw, { ...place, messageId: answer, value: 1 })).status).toBe(404);
    for (const wrong of [
      { value: 2 },
      { value: 1, reason: 'because' },
      { value: 1, comment: 'x'.repeat(1_001) },
    ])
      expect((await send(cast.alice.raw, { ...place, messageId: answer, ...wrong })).status).toBe(400);
  });

  test('is told again to the one who gave it, in another session too, and to no other person', async () => {
    const { place, answer } = await talk('workspace');
    const mine = (who: RawRequest) => who('GET', `/v1/ratings/${place.workspaceId}/${place.threadId}`);
    const body = { ...place, messageId: answer, value: -1 as const, comment: 'No source' };
    const { id } = (await cast.bob.api('message.rate', { body })).result;
    const { email } = cast.bob.user;
    const login = { email, password: TEST_PASSWORD };
    const elsewhere = (await createApi(world)('auth.login', { body: login })).result.token;
    const again = await mine(createRaw(world, elsewhere));
    expect(again.json?.result).toEqual([
      { id, messageId: answer, value: -1, reason: null, comment: 'No source' },
    ]);
    expect((await mine(cast.alice.raw)).json?.result).toEqual([]);
    const other = await talk('workspace');
    const ofOther = `/v1/ratings/${place.workspaceId}/${other.place.threadId}`;
    expect((await cast.bob.raw('GET', ofOther)).json?.result).toEqual([]);
    await cast.bob.api('message.rate', { body: { ...body, value: 0 } });
    expect((await mine(cast.bob.raw)).json?.result).toEqual([]);
    const closed = await talk('private');
    expect(
      (await cast.bob.raw('GET', `/v1/ratings/${place.workspaceId}/${closed.place.threadId}`)).status,
    ).toBe(404);
  });

  test('by a visitor needs a public or unlisted thread and counts one per visitor', async () => {
    const { place, answer } = await talk('unlisted');
    const rate = (agent: string, value: number) =>
      raw('POST', '/v1/public/messages/rate', {
        body: { ...place, messageId: answer, value, comment: 'Thank you' },
        headers: { 'user-agent': agent },
      });
    expect((await rate('a', 1)).json?.result).toMatchObject({ value: 1, comment: 'Thank you' });
    await rate('a', -1);
    await rate('b', 1);
    expect((await ratings(answer)).map(({ value }) => value).sort((a, b) => a - b)).toEqual([-1, 1]);
    expect(JSON.stringify(await ratings(answer))).not.toContain('127.0.0.1');
    const own = async (agent: string, { workspaceId, threadId } = place) =>
      raw('GET', `/v1/public/ratings/${workspaceId}/${threadId}`, { headers: { 'user-agent': agent } });
    expect((await own('a')).json?.result).toMatchObject([{ messageId: answer, value: -1 }]);
    expect((await own('b')).json?.result).toMatchObject([{ messageId: answer, value: 1 }]);
    expect((await own('c')).json?.result).toEqual([]);
    const closed = await talk('private');
    expect((await own('a', closed.place)).status).toBe(404);
    const body = { ...closed.place, messageId: closed.answer, value: 1 };
    expect((await raw('POST', '/v1/public/messages/rate', { body })).status).toBe(404);
  });
});

describe('an export', () => {
  const send = (who: RawRequest, path: string, body: object) => who('POST', path, { body });

  test('holds all messages in order in each form, as a file with a safe name', async () => {
    const { place } = await talk('workspace');
    for (const [format, type, ending] of [
      ['markdown', 'text/markdown', 'md'],
      ['text', 'text/plain', 'txt'],
      ['html', 'text/html', 'html'],
      ['json', 'application/json', 'json'],
    ]) {
      const file = await send(cast.rita.raw, '/v1/messages/export', { ...place, format });
      expect(file.headers.get('content-type')).toContain(type);
      expect(file.headers.get('content-disposition')).toBe(
        `attachment; filename="which-anemone-is-this.${ending}"`,
      );
      expect(file.text.indexOf('green')).toBeGreaterThan(0);
      expect(file.text.indexOf('It is.')).toBeGreaterThan(file.text.indexOf('green'));
      expect(file.text).not.toContain(cast.alice.user.id);
    }
  });

  test('is Markdown unless asked otherwise, and without times when they are not wanted', async () => {
    const { place, answer } = await talk('workspace');
    const file = await send(cast.alice.raw, '/v1/messages/export', {
      ...place,
      messageIds: [answer],
      include: { timestamps: false },
    });
    expect(file.text).toBe('# Which \\<anemone\\> is this?\n\n## Answer\n\nIt is.\n\n');
  });

  test('as HTML is inert, whatever people wrote', async () => {
    const { place } = await talk('public');
    const file = await send(raw, '/v1/public/messages/export', { ...place, format: 'html' });
    expect(file.text).toContain('&lt;script&gt;alert(1)');
    expect(file.text).not.toContain('<script');
    expect(file.text).toContain('<title>Which &lt;anemone&gt; is this?</title>');
  });

  test('can be kept as a note by those who may write notes', async () => {
    const { place } = await talk('workspace');
    const body = { ...place, destination: 'memory' };
    const kept = await send(cast.bob.raw, '/v1/messages/export', body);
    expect(kept.status).toBe(201);
    const { result } = await cast.bob.api('memory.list', {
      params: { workspaceId: cast.workspaceId },
      query: { title: 'Which <anemone> is this?', createdBy: cast.bob.user.id },
    });
    expect(kept.json?.result).toEqual({ memoryId: result[0]?.id });
    expect(result[0]?.notes).toContain('It is.');
    expect((await send(cast.rita.raw, '/v1/messages/export', body)).status).toBe(403);
    expect((await send(raw, '/v1/public/messages/export', body)).status).toBe(404);
  });

  test('by a visitor is of that public thread alone', async () => {
    const open = await talk('unlisted');
    const closed = await talk('private');
    expect((await send(raw, '/v1/public/messages/export', open.place)).text).toContain('It is.');
    expect((await send(raw, '/v1/public/messages/export', closed.place)).status).toBe(404);
    const foreign = { ...open.place, messageIds: [closed.answer] };
    expect((await send(raw, '/v1/public/messages/export', foreign)).status).toBe(404);
    expect((await send(cast.bob.raw, '/v1/messages/export', closed.place)).status).toBe(404);
    for (const wrong of [{ format: 'pdf' }, { messageIds: 'all' }])
      expect((await send(raw, '/v1/public/messages/export', { ...open.place, ...wrong })).status).toBe(400);
  });
});

const listen = (path: string, headers?: Record<string, string>) => openEventStream(world.url + path, headers);

describe('following a thread', () => {
  const pathOf = (threadId: string) => `/v1/public/threads/${cast.workspaceId}/${threadId}/follow`;

  test('begins with a snapshot and tells of every message, without people', async () => {
    const { thread } = await talk('public');
    const stream = await listen(pathOf(thread.id));
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    const snapshot = await stream.next();
    expect(snapshot).toMatchObject({ event: 'snapshot', data: { thread: { name: thread.name } } });
    expect(snapshot?.data.messages?.map(({ content }) => content)).toEqual([
      'Is it *green*? <script>alert(1)</script>',
      'It is.',
    ]);
    await say(thread.id, 'And now?');
    const created = await stream.next();
    expect(created).toMatchObject({ event: 'message.created', data: { message: { content: 'And now?' } } });
    expect(JSON.stringify([snapshot, created])).not.toContain(cast.alice.user.id);
    expect((await stream.next())?.event).toBe('thread.updated');
    stream.close();
  });

  test('resumes where the reader was, with what was missed and nothing twice', async () => {
    const { thread } = await talk('public');
    const first = await listen(pathOf(thread.id));
    const { id = '' } = (await first.next()) ?? {};
    first.close();
    await say(thread.id, 'Missed');
    const again = await listen(pathOf(thread.id), { 'last-event-id': id });
    expect(await again.next()).toMatchObject({
      event: 'message.created',
      data: { message: { content: 'Missed' } },
    });
    expect((await again.next())?.event).toBe('thread.updated');
    again.close();
    for (const wrong of ['soon', '-1', '99999999999']) {
      const stream = await listen(pathOf(thread.id), { 'last-event-id': wrong });
      expect((await stream.next())?.event).toBe('snapshot');
      stream.close();
    }
  });

  test('after too much was missed begins anew', async () => {
    const { thread } = await talk('public');
    const first = await listen(pathOf(thread.id));
    const { id = '' } = (await first.next()) ?? {};
    first.close();
    for (let number = 0; number <= FOLLOW.snapshotMessages; number += 1)
      await answerIn(thread.id, `n${number}`);
    const again = await listen(pathOf(thread.id), { 'last-event-id': id });
    const snapshot = await again.next();
    expect(snapshot?.event).toBe('snapshot');
    expect(snapshot?.data.messages).toHaveLength(FOLLOW.snapshotMessages);
    again.close();
  });

  test('ends for the public as soon as the thread is closed', async () => {
    const { thread } = await talk('public');
    const stream = await listen(pathOf(thread.id));
    await stream.next();
    await cast.alice.api('thread.update', {
      params: { workspaceId: cast.workspaceId, id: thread.id },
      body: { visibility: 'private' },
    });
    expect(await stream.next()).toMatchObject({ event: 'end' });
    expect(await stream.next()).toBeUndefined();
    expect((await raw('GET', pathOf(thread.id))).status).toBe(404);
  });

  test('as a member needs the thread to be readable', async () => {
    const { thread } = await talk('private');
    const path = `/v1/threads/${cast.workspaceId}/${thread.id}/follow`;
    expect((await cast.bob.raw('GET', path)).status).toBe(404);
    const stream = await listen(path, { authorization: `Bearer ${cast.alice.token}` });
    expect((await stream.next())?.event).toBe('snapshot');
    await answerIn(thread.id, 'Later');
    expect(await stream.next()).toMatchObject({
      event: 'message.created',
      data: { message: { content: 'Later' } },
    });
    stream.close();
  });

  test('is limited to three streams of one address', async () => {
    const { thread } = await talk('public');
    const open = await Promise.all([1, 2, 3].map(() => listen(pathOf(thread.id))));
    for (const stream of open) expect((await stream.next())?.event).toBe('snapshot');
    const refused = await raw('GET', pathOf(thread.id));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    for (const stream of open) stream.close();
    await expect
      .poll(async () => {
        const stream = await listen(pathOf(thread.id));
        stream.close();
        return stream.response.status;
      })
      .toBe(200);
  });
});
