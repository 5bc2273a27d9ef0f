/** What answers of a language model cost a workspace: counted by day, and ended by the limit of a month. */
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { answerMessage } from '#server/threads/answer-message.ts';
import { forgetModelUsage } from '#server/threads/service.ts';
import type { Id } from '#shared/ids.ts';
import { usage as usageSchema } from '#shared/workspaces/usage.ts';
import { createRaw } from '#tests/support/agent.ts';
import { serviceEnv, startAnswerService } from '#tests/support/answer-service.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';

const USED = { prompt_tokens: 120, completion_tokens: 7 };
const DAY_MS = 86_400_000;

let cast: Cast;

const service = await startAnswerService();
afterAll(() => service.close());
const world = await openWorld({ env: { ...serviceEnv(service), ANSWERS_PER_MONTH: '3' } });
beforeEach(async () => {
  world.clock.set(new Date('2026-07-30T12:00:00.000Z'));
  cast = await createCast(world);
  await createBuild(cast).memory({ title: 'Kiln', notes: 'The kiln burns at 1240 degrees.' });
  service.requests.length = 0;
  service.behave((reply) => {
    reply.say('At 1240 degrees [1].');
    reply.finish(USED);
  });
});

async function ask(threadId?: Id<'thread'>) {
  const id = threadId ?? (await createBuild(cast).thread({ visibility: 'private' })).id;
  const { result } = await cast.alice.api('message.create', {
    params: { workspaceId: cast.workspaceId, threadId: id },
    body: { content: 'How hot does the kiln burn?' },
  });
  return { threadId: id, messageId: result.message.id };
}

const answer = (messageId: Id<'message'>, { context } = world) =>
  answerMessage(context, { workspaceId: cast.workspaceId, messageId });

async function textOf({ threadId, messageId }: Awaited<ReturnType<typeof ask>>): Promise<string> {
  const { result } = await cast.alice.api('message.list', {
    params: { workspaceId: cast.workspaceId, threadId },
    query: { orderBy: 'createdAt', order: 'asc' },
  });
  return result.find(({ replyTo }) => replyTo === messageId)?.content ?? '';
}

async function asked(): Promise<string> {
  const question = await ask();
  await answer(question.messageId);
  return textOf(question);
}

/** The numbers are kept for five minutes. */
async function usage({ token } = cast.alice) {
  world.clock.advance(6 * 60_000);
  const { json } = await createRaw(world, token)('GET', `/v1/workspaces/usage/${cast.workspaceId}`);
  return usageSchema.parse(json?.result);
}

it('notifies the owners at 80 % and at the end of the limit, once each, also when the first try fails', async () => {
  const wide = await createWorld({ env: { ...serviceEnv(service), ANSWERS_PER_MONTH: '5' } });
  cast = await createCast(wide);
  await createBuild(cast).memory({ title: 'Kiln', notes: 'The kiln burns at 1240 degrees.' });
  const notices = async () => {
    const { result } = await cast.alice.api('notification.list', { query: { category: 'billing' } });
    return result.map(({ triggerId, title, metadata }) => [triggerId, title, metadata['link']]);
  };
  const askTimes = async (times: number) => {
    for (let time = 0; time < times; time += 1) await answer((await ask()).messageId, wide);
  };
  const link = `/${cast.slug}/settings/usage`;
  const near = ['limit.near', expect.stringMatching(/^Acme.* nears its limit of answers$/), link];
  await askTimes(3);
  expect(await notices()).toEqual([]);
  const { messageId } = await ask();
  await sql`alter table "notification" add constraint "full" check (false) not valid`.execute(
    wide.context.db,
  );
  await expect(answer(messageId, wide)).rejects.toThrow();
  await sql`alter table "notification" drop constraint "full"`.execute(wide.context.db);
  await answer(messageId, wide);
  expect(await notices()).toEqual([near]);
  await askTimes(2);
  const reached = ['limit.reached', expect.stringMatching(/^Acme.* has reached its limit of answers$/), link];
  const both = await notices();
  expect(both).toHaveLength(2);
  expect(both).toEqual(expect.arrayContaining([near, reached]));
  await wide.close();
});

describe('answers of a language model', () => {
  it('are counted by day with the tokens that the service reports', async () => {
    expect((await usage()).ai).toMatchObject({ calls: 0, tokensIn: 0, tokensOut: 0, byDay: [] });
    await asked();
    await asked();
    world.clock.advance(DAY_MS);
    await asked();
    const { ai, limits } = await usage();
    expect(ai).toEqual({
      calls: 3,
      tokensIn: 360,
      tokensOut: 21,
      estimated: 0,
      byFeature: { chat: 3, tags: 0, summary: 0, embedding: 0 },
      embeddingTokens: 0,
      byDay: [
        { date: '2026-07-30', calls: 2, tokensIn: 240, tokensOut: 14 },
        { date: '2026-07-31', calls: 1, tokensIn: 120, tokensOut: 7 },
      ],
    });
    expect(limits['aiCalls']).toBe(3);
    expect((await usage(cast.bob)).ai).toBeNull();
  });

  it.each([
    ['none', (): undefined => undefined],
    ['a negative one', () => ({ prompt_tokens: -5, completion_tokens: 7 })],
    ['an absurd one', () => ({ prompt_tokens: 1e15, completion_tokens: 7 })],
  ])('are estimated, and called that, where the service reports %s', async (_what, report) => {
    service.behave((reply) => {
      reply.say('At 1240 degrees [1].');
      reply.finish(report());
    });
    await asked();
    const { ai } = await usage();
    expect(ai).toMatchObject({ calls: 1, estimated: 1, tokensOut: 'At 1240 degrees [1].'.length / 4 });
    expect(ai?.tokensIn).toBeGreaterThan(100);
    expect(ai?.tokensIn).toBeLessThan(2_000);
  });

  it('that break off after their first word are counted, and those that are refused are not', async () => {
    service.behave((reply) => {
      reply.say('At 12');
      reply.res.end();
    });
    expect(await asked()).toContain('did not answer');
    expect((await usage()).ai).toMatchObject({ calls: 1, estimated: 1 });
    service.behave((reply) => reply.refuse(401, 'No'));
    expect(await asked()).toContain('did not answer');
    expect((await usage()).ai).toMatchObject({ calls: 1, estimated: 1 });
  });

  it('end at the limit of the month, and passages take their place with the reason', async () => {
    for (let each = 0; each < 3; each += 1) expect(await asked()).toBe('At 1240 degrees \\[1\\].');
    const passages = await asked();
    expect(passages).toContain('has used all 3 answers by a language model of this month');
    expect(passages).toContain('from 1 August (UTC). This answer is made of passages.');
    expect(passages).toContain('The kiln burns at 1240 degrees.');
    expect(service.requests).toHaveLength(3);
    // Other workspaces have their own month.
    cast = await createCast(world);
    await createBuild(cast).memory({ title: 'Kiln', notes: 'The kiln burns at 1240 degrees.' });
    expect(await asked()).toBe('At 1240 degrees \\[1\\].');
  });

  it('that are asked for at once on two servers cannot pass the limit together', async () => {
    const second = await createWorld({
      database: world.database,
      env: { ...serviceEnv(service), ANSWERS_PER_MONTH: '3' },
    });
    second.clock.set(world.clock.now());
    const questions = await Promise.all(Array.from({ length: 6 }, () => ask()));
    await Promise.all(
      questions.map(({ messageId }, index) => answer(messageId, index % 2 === 0 ? world : second)),
    );
    const texts = await Promise.all(questions.map(textOf));
    expect(texts.filter((text) => text.includes('has used all'))).toHaveLength(3);
    expect(service.requests).toHaveLength(3);
    expect((await usage()).ai?.calls).toBe(3);
    await second.close();
  });

  it('begin again with the first second of the next month in UTC', async () => {
    for (let each = 0; each < 3; each += 1) await asked();
    world.clock.set(new Date('2026-07-31T23:59:59.999Z'));
    expect(await asked()).toContain('has used all');
    world.clock.set(new Date('2026-08-01T00:00:00.000Z'));
    expect(await asked()).toBe('At 1240 degrees \\[1\\].');
    expect((await usage()).ai).toMatchObject({ calls: 1, byDay: [{ calls: 3 }, { date: '2026-08-01' }] });
  });

  it('are forgotten after more than a year', async () => {
    await asked();
    await forgetModelUsage(world.context.db, new Date(world.clock.now().getTime() + 399 * DAY_MS));
    expect((await usage()).ai?.calls).toBe(1);
    await forgetModelUsage(world.context.db, new Date(world.clock.now().getTime() + 401 * DAY_MS));
    expect((await usage()).ai?.calls).toBe(0);
  });
});
