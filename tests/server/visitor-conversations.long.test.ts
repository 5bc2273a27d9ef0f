/** Further questions of visitors: understood from those before, and nothing without the key, the switch, the time or the room. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '#shared/constants.ts';
import { PUBLIC } from '#shared/spaces/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import { CONVERSATION_HOURS, CONVERSATION_MESSAGES_MAX } from '#shared/threads/visitor-conversation.ts';
import { createRaw } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';
import { whileAnswering } from '#tests/support/while-answering.ts';

const MUSSELS = 'Mussels close their shells at low tide, so that they keep their water.';
const SECRET = 'quagga';
const HOUR_MS = 3_600_000;

/** The people, with a workspace of this test alone. */
let cast: Cast;
let build: ReturnType<typeof createBuild>;
let space: { id: Id<'space'> };
let memoryId: Id<'memory'>;
let visitors = 0;

const world = await openWorld({ env: { TRUST_PROXY: 'loopback' } });
const raw = createRaw(world);
const people = await createCast(world);
beforeEach(async () => {
  const { result } = await people.alice.api('workspace.create', { body: { name: 'Shore' } });
  cast = { ...people, workspaceId: result.id, slug: result.slug };
  build = createBuild(cast);
  space = await build.space({ name: 'Shore life', visibility: 'public' });
  for (const [title, notes] of [
    ['Mussels', MUSSELS],
    ['Limpets', 'Limpets walk home after every tide.'],
  ] as const) {
    const memory = await build.memory({ title, notes });
    await build.link(space.id, memory.id);
    if (title === 'Mussels') memoryId = memory.id;
  }
});

const place = () => ({ params: { workspaceId: cast.workspaceId } });
const allow = (publicChat: boolean) =>
  cast.alice.api('workspace.update', { ...place(), body: { publicChat } });
const inSpace = () => ({ params: { workspaceId: cast.workspaceId, id: space.id } });

/** An address of its own, so that only what is looked at limits a visitor. */
function newVisitor(): Record<string, string> {
  visitors += 1;
  return { 'x-forwarded-for': `10.2.${Math.floor(visitors / 250)}.${visitors % 250}` };
}

interface Told {
  status: number;
  detail: string | undefined;
  text: string;
  visitorKey: string;
  thread: { id: Id<'thread'>; takesQuestions: boolean };
  messages: { role: string; content: string; createdAt: string }[];
}

async function post(path: string, body: object, headers = newVisitor()): Promise<Told> {
  const { status, json, text } = await raw('POST', path, { headers, body });
  const result: Pick<Told, 'thread' | 'messages' | 'visitorKey'> = JSON.parse(
    JSON.stringify(json?.result ?? {}),
  );
  return { status, detail: json?.error?.detail, text, ...result };
}

const begin = (content = 'When do mussels close their shells?') =>
  post('/v1/public/threads', { workspaceId: cast.workspaceId, spaceId: space.id, content });

const askOn = (
  { thread, visitorKey }: Pick<Told, 'visitorKey'> & { thread: { id: string } },
  content: unknown = 'And why?',
  {
    headers = newVisitor(),
    workspaceId = cast.workspaceId,
    ...more
  }: { headers?: Record<string, string>; workspaceId?: string; [field: string]: unknown } = {},
) => post(`/v1/public/messages/${workspaceId}/${thread.id}`, { visitorKey, content, ...more }, headers);

const countOf = async (threadId: string) =>
  (
    await sql<{ n: number }>`select count(*)::int as "n" from "message"
      where "workspaceId" = ${cast.workspaceId} and "threadId" = ${threadId}`.execute(world.context.db)
  ).rows[0]?.n;

/** How many wrote how much is as before. */
async function nothingCame(begun: Told, told: Told, status: number): Promise<void> {
  expect([told.status, await countOf(begun.thread.id)]).toEqual([status, 2]);
}

describe('a further question', () => {
  test('is understood from those before it and stands behind them, for its visitor alone', async () => {
    const begun = await begin();
    expect(begun.status).toBe(201);
    expect(begun.thread.takesQuestions).toBe(true);
    expect(begun.visitorKey.length).toBeGreaterThanOrEqual(43);
    const told = await askOn(begun);
    expect([told.status, told.text.includes(begun.visitorKey)]).toEqual([201, false]);
    expect(told.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(told.messages[2]?.content).toBe('And why?');
    expect(told.messages[3]?.content).toContain('keep their water');
    const times = told.messages.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted());
    expect(new Set(times).size).toBe(4);
    // By itself it says nothing.
    expect((await begin('And why?')).messages[1]?.content).toBe('I found nothing about this in this space.');
    const other = await askOn(begun, 'What about the limpets?');
    expect(other.messages.at(-1)?.content).toContain('Limpets walk home');
  });

  test('quotes nothing that the space does not publish, and keeps hostile words words', async () => {
    const kept = await build.memory({ title: 'Mussels too', notes: `Mussels say ${SECRET}.` });
    await build.link((await build.space({ name: 'Own', visibility: 'private' })).id, kept.id);
    const begun = await begin();
    for (const content of [
      `What do mussels say about ${SECRET}?`,
      `About [x](memory:${kept.id})\n\nAnd that one?`,
      '<script>alert(1)</script> mussels',
      "' & ! | ( ) : * <-> \\",
      '🌊',
      'x'.repeat(LIMITS.description),
    ]) {
      const { status, messages } = await askOn(begun, content);
      expect([content, status]).toEqual([content, 201]);
      expect(messages.at(-1)?.content).not.toContain(`say ${SECRET}`);
    }
  });

  test('is not stored when it is empty, too long, no text, or fills the trap', async () => {
    const begun = await begin();
    for (const content of ['', '  ', 'x'.repeat(LIMITS.description + 1), 5, null, ['a']])
      await nothingCame(begun, await askOn(begun, content), 400);
    await nothingCame(begun, await askOn(begun, 'Hello?', { website: 'https://spam.example' }), 400);
  });
});

describe('the conversation belongs to its key', () => {
  test('without it, with that of another visitor, or in another place the thread is not there', async () => {
    const [begun, other] = [await begin(), await begin()];
    for (const visitorKey of [
      'x',
      'x'.repeat(43),
      other.visitorKey,
      begun.visitorKey.toLowerCase(),
      "' or 1=1 --",
    ])
      await nothingCame(begun, await askOn({ ...begun, visitorKey }), 404);
    for (const visitorKey of ['', 'x'.repeat(101), null, 5, ['a']])
      await nothingCame(begun, await askOn(begun, 'And why?', { visitorKey }), 400);
    await nothingCame(begun, await askOn(begun, 'And why?', { workspaceId: cast.evesWorkspaceId }), 404);
    expect((await askOn({ ...begun, thread: { id: newId('thread') } })).status).toBe(404);
  });

  test('threads of members have none, also when they are public', async () => {
    const begun = await begin();
    const thread = await build.thread({ visibility: 'public' });
    expect((await askOn({ ...begun, thread })).status).toBe(404);
  });

  test('only its hash is stored, and no call returns it again', async () => {
    const begun = await begin();
    const { rows } = await sql<{ row: string }>`select v::text as "row" from "visitor_thread" v
      where "workspaceId" = ${cast.workspaceId}`.execute(world.context.db);
    expect(rows.map(({ row }) => row.includes(begun.visitorKey))).toEqual([false]);
    const got = await raw('GET', `/v1/public/threads/${cast.workspaceId}/${begun.thread.id}`);
    expect([got.status, /key/i.test(got.text)]).toEqual([200, false]);
  });
});

describe('it ends', () => {
  test('after its time', async () => {
    const begun = await begin();
    const { status } = await askOn(begun);
    world.clock.advance(CONVERSATION_HOURS * HOUR_MS);
    const late = await askOn(begun);
    expect([status, late.status, await countOf(begun.thread.id)]).toEqual([201, 409, 4]);
    expect(late.detail).toBe('This conversation has ended. Ask the space again to start a new one.');
  });

  test('with its messages, also when the last are asked at once', async () => {
    const begun = await begin();
    for (let n = 2; n < CONVERSATION_MESSAGES_MAX - 2; n += 2)
      expect((await askOn(begun, `Mussels ${n}?`)).status).toBe(201);
    const told = await Promise.all([askOn(begun), askOn(begun), askOn(begun)]);
    expect(told.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect(await countOf(begun.thread.id)).toBe(CONVERSATION_MESSAGES_MAX);
    expect((await askOn(begun)).detail).toMatch(/reached its 20 messages/);
  });

  test('for an address after twenty questions in an hour, whatever their threads', async () => {
    const [begun, headers] = [await begin(), newVisitor()];
    const wrong = { ...begun, visitorKey: 'guessed' };
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) statuses.push((await askOn(wrong, 'Why?', { headers })).status);
    expect([statuses.slice(0, 20).every((status) => status === 404), statuses[20]]).toEqual([true, 429]);
    await nothingCame(begun, await askOn(begun, 'Why?', { headers }), 429);
    expect((await askOn(begun)).status).toBe(201);
  });

  test('for the day when the workspace has answered its share', async () => {
    const begun = await begin();
    await sql`update "visitor_question_day" set "questions" = ${PUBLIC.questionsPerDay}
      where "workspaceId" = ${cast.workspaceId}`.execute(world.context.db);
    await nothingCame(begun, await askOn(begun), 429);
  });

  const ends: [string, number, (begun: Told) => Promise<unknown>][] = [
    ['the owner switches questions off', 403, () => allow(false)],
    [
      'the space is closed',
      404,
      () => cast.alice.api('space.update', { ...inSpace(), body: { visibility: 'private' } }),
    ],
    [
      'the space stops publishing what was quoted',
      404,
      () => cast.alice.api('space.update', { ...inSpace(), body: { publishText: false } }),
    ],
    [
      'the thread is closed',
      404,
      ({ thread: { id } }) =>
        cast.alice.api('thread.update', {
          params: { workspaceId: cast.workspaceId, id },
          body: { visibility: 'private' },
        }),
    ],
    [
      'the thread is deleted',
      404,
      ({ thread: { id } }) =>
        cast.alice.api('thread.remove', { params: { workspaceId: cast.workspaceId, id } }),
    ],
    [
      'a member freezes the thread',
      409,
      async ({ thread: { id } }) => {
        const params = { workspaceId: cast.workspaceId };
        const { result } = await cast.alice.api('message.list', { params: { ...params, threadId: id } });
        await cast.alice.api('thread.update', {
          params: { ...params, id },
          body: { publicUntil: result[0]?.id ?? null },
        });
      },
    ],
    [
      'a member publishes the thread',
      409,
      ({ thread: { id } }) =>
        cast.alice.api('thread.update', {
          params: { workspaceId: cast.workspaceId, id },
          body: { visibility: 'public' },
        }),
    ],
  ];

  test.each(ends)('when %s, at the next question', async (_name, status, end) => {
    const begun = await begin();
    await end(begun);
    await nothingCame(begun, await askOn(begun), status);
  });

  test.each(ends)(
    'when %s while a question is being answered: nothing is stored',
    async (_name, status, end) => {
      const begun = await begin();
      whileAnswering(() => end(begun));
      await nothingCame(begun, await askOn(begun), status);
    },
  );

  test('and goes on where the owner switches questions on again', async () => {
    const begun = await begin();
    await allow(false);
    const path = `/v1/public/threads/${cast.workspaceId}/${begun.thread.id}`;
    expect((await raw('GET', path)).text).toContain('"takesQuestions":false');
    await nothingCame(begun, await askOn(begun), 403);
    await allow(true);
    expect((await askOn(begun)).status).toBe(201);
  });
});

test('a thread that begins with titles alone closes with the texts that later answers quote', async () => {
  await cast.alice.api('space.update', { ...inSpace(), body: { publishText: false } });
  const begun = await begin('Are there mussels?');
  await cast.alice.api('space.update', { ...inSpace(), body: { publishText: true } });
  expect((await askOn(begun, 'When do mussels close?')).text).toContain('low tide');
  await cast.alice.api('space.update', { ...inSpace(), body: { publishText: false } });
  const path = `/v1/public/messages/${cast.workspaceId}/${begun.thread.id}`;
  expect((await raw('GET', path)).status).toBe(404);
});

test('a note that changes while a question is answered is quoted as it is then', async () => {
  const begun = await begin();
  whileAnswering(() =>
    cast.alice.api('memory.update', {
      params: { workspaceId: cast.workspaceId, id: memoryId },
      body: { notes: 'Mussels close because the gulls come.' },
    }),
  );
  const told = await askOn(begun);
  expect(told.messages.at(-1)?.content).toContain('because the gulls come');
  expect(await countOf(begun.thread.id)).toBe(4);
});
