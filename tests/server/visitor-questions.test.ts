/** Questions of visitors about a public space: what answers quote, who may ask, how often, and what happens when it closes. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { forgetVisitorThreads } from '#server/threads/service.ts';
import { LIMITS } from '#shared/constants.ts';
import { PUBLIC } from '#shared/spaces/limits.ts';
import { ANSWERS } from '#shared/threads/limits.ts';
import type { Id } from '#shared/ids.ts';
import type { Visibility } from '#shared/spaces/visibility.ts';
import { createRaw } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { openWorld } from '#tests/support/world.ts';
import { whileAnswering } from '#tests/support/while-answering.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
const NOTES = 'Mussels close their shells at low tide, so that they keep their water.';
const SECRET = 'quagga';

let cast: Cast;
let build: ReturnType<typeof createBuild>;
let visitors = 0;
await ensureBuilt();
const world = await openWorld({ web: true, env: { TRUST_PROXY: 'loopback' } });
const raw = createRaw(world);
beforeEach(async () => {
  cast = await createCast(world);
  build = createBuild(cast);
});

const allow = (publicChat: boolean) =>
  cast.alice.api('workspace.update', { params: { workspaceId: cast.workspaceId }, body: { publicChat } });

const setSpace = (id: Id<'space'>, body: { visibility?: Visibility; publishText?: boolean }) =>
  cast.alice.api('space.update', { params: { workspaceId: cast.workspaceId, id }, body });

interface Given {
  notes?: string;
  title?: string;
  url?: string;
  description?: string;
  visibility?: Visibility;
  publishText?: boolean;
}

async function shared({ visibility = 'public', publishText = true, ...fields }: Given = {}) {
  const space = await build.space({ name: 'Shore life', visibility });
  if (!publishText) await setSpace(space.id, { publishText });
  const memory = await build.memory({ title: 'Mussels', notes: NOTES, ...fields });
  await build.link(space.id, memory.id);
  return { space, memory };
}

/** Each visitor has an address of its own, so that only what is looked at limits them. */
function newVisitor(): Record<string, string> {
  visitors += 1;
  const address = `10.1.${Math.floor(visitors / 250)}.${visitors % 250}`;
  return { 'x-forwarded-for': address, 'user-agent': BROWSER };
}

interface Told {
  status: number;
  detail: string | undefined;
  thread: { id: Id<'thread'>; visibility: string; author: string | null; askedIn: object | null };
  messages: { role: string; content: string; citations: object[] }[];
  text: string;
}

async function ask(
  space: { id: string },
  content: unknown = 'When do mussels close?',
  { headers = newVisitor(), ...more }: { headers?: Record<string, string>; website?: string } = {},
): Promise<Told> {
  const body = { workspaceId: cast.workspaceId, spaceId: space.id, content, ...more };
  const { status, json, text } = await raw('POST', '/v1/public/threads', { headers, body });
  const result: Pick<Told, 'thread' | 'messages'> = JSON.parse(JSON.stringify(json?.result ?? {}));
  return { status, detail: json?.error?.detail, text, ...result };
}

const answerOf = ({ messages }: Told) => messages.find(({ role }) => role === 'assistant');
const threads = async () =>
  (
    await sql<{
      n: number;
    }>`select count(*)::int as "n" from "visitor_thread" where "workspaceId" = ${cast.workspaceId}`.execute(
      world.context.db,
    )
  ).rows[0]?.n;
const page = (path: string) =>
  fetch(world.url + path, { headers: { 'user-agent': BROWSER }, redirect: 'manual' });
const threadPath = (id: string) => `/${cast.slug}/threads/p/${id}`;

describe('an answer', () => {
  test('quotes what the space publishes, with a link to the page of its source, and names no person', async () => {
    const { space, memory } = await shared();
    const told = await ask(space);
    expect(told).toMatchObject({
      status: 201,
      thread: { visibility: 'unlisted', author: null, askedIn: { slug: space.slug, name: 'Shore life' } },
      messages: [{ role: 'user', content: 'When do mussels close?', citations: [] }, { role: 'assistant' }],
    });
    expect(answerOf(told)?.content).toContain('close their shells at low tide');
    expect(answerOf(told)?.citations).toMatchObject([
      { memoryId: memory.id, title: 'Mussels', spaceSlug: space.slug, hasPage: true },
    ]);
    const shown = await (await page(threadPath(told.thread.id))).text();
    expect(shown).toContain(`href="/${cast.slug}/spaces/p/${space.slug}/${memory.id}"`);
    expect(shown).toContain('noindex');
    expect(shown).toContain('Visitor');
    for (const word of [cast.alice.user.id, cast.alice.user.email])
      expect([told.text.includes(word), shown.includes(word)]).toEqual([false, false]);
  });

  test('says so where the space has nothing about it', async () => {
    const { space } = await shared();
    const told = await ask(space, 'Which violin did Paganini own?');
    expect(answerOf(told)).toMatchObject({
      content: 'I found nothing about this in this space.',
      citations: [],
    });
    for (const content of [
      '???',
      '🌊',
      "' & ! | ( ) : * <-> \\",
      'the of and',
      '"open quote',
      '-mussels is:archived',
    ]) {
      const { status } = await ask(space, content);
      expect([content, status]).toEqual([content, 201]);
    }
  });

  test('understands times, by what the space shows alone', async () => {
    const { space } = await shared();
    const add = async (given: { title: string; notes?: string; created: string }) =>
      (await cast.alice.api('memory.create', { body: { workspaceId: cast.workspaceId, ...given } })).result;
    const { clock } = world.context;
    const day = (days: number) => new Date(clock.now().getTime() - days * 86_400_000).toISOString();
    const old = await add({ title: 'The wreck on the reef', created: day(400) });
    const older = await add({ title: 'Mussels of the pier', notes: 'Mussels are few.', created: day(500) });
    await add({ title: 'Not shown', created: day(400) });
    for (const { id } of [old, older]) await build.link(space.id, id);
    const year = day(400).slice(0, 4);
    const listed = answerOf(await ask(space, `What was added in ${year}?`));
    expect(listed?.content).toContain('The wreck on the reef');
    expect(listed?.content).not.toContain('Not shown');
    expect(listed?.content).not.toContain('tide');
    const before = answerOf(await ask(space, 'What about mussels before the wreck on the reef?'));
    expect(before?.citations[0]).toMatchObject({ memoryId: older.id });
  });

  test.each([
    [
      'the text of notes in a space that shows titles only',
      { publishText: false, notes: `Mussels say ${SECRET}.` },
    ],
    ['annotations on a link', { url: 'https://sea.example/m', notes: `Mussels say ${SECRET}.` }],
  ] as const)('never quotes %s, nor is it found by it', async (_name, given) => {
    const { space } = await shared({ ...given, description: 'Mussels live on the pier.' });
    const told = await ask(space, 'What do mussels say?');
    expect([told.status, told.text.includes(SECRET)]).toEqual([201, false]);
    expect(answerOf(told)?.content).toContain('Mussels live on the pier.');
    const probed = await ask(space, SECRET);
    expect(answerOf(probed)).toMatchObject({
      content: 'I found nothing about this in this space.',
      citations: [],
    });
  });

  test('never quotes other spaces, other workspaces, or what is archived, deleted or was taken out', async () => {
    const { space } = await shared({ title: 'Limpets', notes: 'Limpets hold on.' });
    const say = `Mussels say ${SECRET}.`;
    for (const visibility of ['public', 'unlisted', 'private', 'workspace'] as const)
      await shared({ visibility, notes: say, title: 'Mussels elsewhere' });
    await build.memory({ title: 'Mussels nowhere', notes: say });
    const [archived, deleted, taken] = await Promise.all(
      ['a', 'd', 't'].map((name) => build.memory({ title: `Mussels ${name}`, notes: say })),
    );
    const params = { workspaceId: cast.workspaceId };
    for (const one of [archived, deleted, taken]) if (one) await build.link(space.id, one.id);
    if (!archived || !deleted || !taken) throw new Error('Not made');
    await cast.alice.api('memory.update', {
      params: { ...params, id: archived.id },
      body: { archived: true },
    });
    await cast.alice.api('memory.remove', { params: { ...params, id: deleted.id } });
    await cast.alice.api('space_memory.remove', { params: { ...params, spaceId: space.id, id: taken.id } });
    const told = await ask(space, 'What do mussels say?');
    expect([told.status, told.text.includes(SECRET)]).toEqual([201, false]);
    expect(answerOf(told)?.citations).toEqual([]);
  });

  test('does not quote through this space what only another one publishes', async () => {
    const { space, memory } = await shared({
      publishText: false,
      notes: `Mussels say ${SECRET}.`,
      description: 'Mussels!',
    });
    const open = await build.space({ name: 'Open', visibility: 'public' });
    await build.link(open.id, memory.id);
    expect((await ask(space, 'What do mussels say?')).text).not.toContain(SECRET);
    expect((await ask(open, 'What do mussels say?')).text).toContain(SECRET);
  });

  test('keeps hostile words words', async () => {
    const hostile = '<img src=x onerror=alert(1)> mussels [x](javascript:alert(1)) <script>alert(1)</script>';
    const { space } = await shared({ notes: `${hostile} close at low tide.` });
    const told = await ask(space, `${hostile} close?`);
    expect(told.status).toBe(201);
    const shown = await (await page(threadPath(told.thread.id))).text();
    const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(shown) ?? [];
    expect(main).toContain('mussels');
    expect(main.match(/<(?:script|img)\b|<[^>]*\son\w+=|href="javascript/gi)).toBeNull();
  });
});

describe('a question is refused', () => {
  test('where visitors may not ask, and nothing is stored', async () => {
    const { space } = await shared();
    await allow(false);
    const told = await ask(space);
    expect([told.status, told.detail]).toEqual([403, 'This space does not take questions from visitors.']);
    expect(await threads()).toBe(0);
    expect(await (await page(`/${cast.slug}/spaces/p/${space.slug}`)).text()).not.toContain('Ask this space');
  });

  test('about what is not public: spaces of members, of others, and ids of nothing', async () => {
    const hidden = await build.space({ name: 'Hidden', visibility: 'workspace' });
    expect([(await ask(hidden)).status, await threads()]).toEqual([404, 0]);
    const { space } = await shared();
    const body = { workspaceId: cast.evesWorkspaceId, spaceId: space.id, content: 'Mussels?' };
    expect((await raw('POST', '/v1/public/threads', { headers: newVisitor(), body })).status).toBe(404);
    expect((await ask({ id: 'spc_1' })).status).toBe(400);
  });

  test('when it is empty, too long, no text, or a trap for machines is filled', async () => {
    const { space } = await shared();
    for (const content of ['', '  ', 'x'.repeat(LIMITS.description + 1), 5, null, ['a'], { a: 1 }])
      expect([content, (await ask(space, content)).status]).toEqual([content, 400]);
    expect((await ask(space, 'Hello?', { website: 'https://spam.example' })).status).toBe(400);
    expect((await ask(space, 'm '.repeat(LIMITS.description / 2 - 1))).status).toBe(201);
    expect(await threads()).toBe(1);
  });

  test('after five in an hour from one address, in words that say when to come back', async () => {
    const { space } = await shared();
    const headers = newVisitor();
    const told = await Promise.all(Array.from({ length: 7 }, () => ask(space, 'Mussels?', { headers })));
    const refused = told.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(2);
    expect(told.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(5);
    expect((await ask(space, 'Mussels?', { headers })).detail).toMatch(/try again in \d+ minutes/i);
    expect((await ask(space)).status).toBe(201);
  });

  test('when the workspace has answered its share of the day, also when the last are asked at once', async () => {
    const { space } = await shared();
    const day = world.clock.now().toISOString().slice(0, 10);
    await sql`insert into "visitor_question_day" ("workspaceId", "day", "questions")
      values (${cast.workspaceId}, ${day}::date, ${PUBLIC.questionsPerDay - 1})`.execute(world.context.db);
    const told = await Promise.all(Array.from({ length: ANSWERS.visitorsAtOnce }, () => ask(space)));
    expect(told.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 429, 429]);
    const refused = told.find(({ status }) => status === 429);
    expect(refused?.detail).toBe('This workspace has answered all questions for today. Try again tomorrow.');
    expect(await threads()).toBe(1);
  });

  test('while too many are being answered, and no seat is lost by it', async () => {
    const { space } = await shared();
    const told = await Promise.all(Array.from({ length: 3 * ANSWERS.visitorsAtOnce }, () => ask(space)));
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set([201, 429]));
    for (let n = 0; n < ANSWERS.visitorsAtOnce + 1; n += 1) expect((await ask(space)).status).toBe(201);
  });
});

describe('what changes while a question is being answered', () => {
  test.each([
    ['the switch', 403, () => allow(false)],
    ['the space', 404, ({ id }: { id: Id<'space'> }) => setSpace(id, { visibility: 'private' })],
  ] as const)('%s: nothing is stored', async (_name, status, change) => {
    const { space } = await shared();
    whileAnswering(() => change(space));
    expect((await ask(space)).status).toBe(status);
    expect(await threads()).toBe(0);
  });

  test('the texts: the answer is looked for again in what is published now', async () => {
    const { space } = await shared({
      notes: `Mussels close, says ${SECRET}.`,
      description: 'Mussels close at low tide.',
    });
    whileAnswering(() => setSpace(space.id, { publishText: false }));
    const told = await ask(space);
    expect([told.status, told.text.includes(SECRET)]).toEqual([201, false]);
    expect(answerOf(told)?.content).toContain('Mussels close at low tide');
    expect(await threads()).toBe(1);
  });

  test('the note that is quoted: the answer quotes what it says now', async () => {
    const { space, memory } = await shared({ notes: `Mussels close, says ${SECRET}.` });
    whileAnswering(() =>
      cast.alice.api('memory.update', {
        params: { workspaceId: cast.workspaceId, id: memory.id },
        body: { notes: 'Mussels close at low tide.' },
      }),
    );
    const told = await ask(space);
    expect([told.status, told.text.includes(SECRET)]).toEqual([201, false]);
  });
});

describe('the thread of a visitor', () => {
  const closings: [string, (space: { id: Id<'space'> }) => Promise<unknown>][] = [
    ['is closed', ({ id }) => setSpace(id, { visibility: 'workspace' })],
    ['stops publishing texts', ({ id }) => setSpace(id, { publishText: false })],
    [
      'is deleted',
      ({ id }) => cast.alice.api('space.remove', { params: { workspaceId: cast.workspaceId, id } }),
    ],
  ];

  test.each(closings)('is gone from the web at the next request when its space %s', async (_name, close) => {
    const { space } = await shared();
    const { thread } = await ask(space);
    const path = threadPath(thread.id);
    const api = `/v1/public/messages/${cast.workspaceId}/${thread.id}`;
    const states = async () => [
      (await page(path)).status,
      (await page(`${path}.md`)).status,
      (await raw('GET', api)).status,
    ];
    expect(await states()).toEqual([200, 200, 200]);
    await close(space);
    expect(await states()).toEqual([404, 404, 404]);
  });

  test('belongs to the owner, is listed for members, and nowhere on the web', async () => {
    const { space } = await shared();
    const { thread } = await ask(space);
    const params = { workspaceId: cast.workspaceId };
    const { result } = await cast.bob.api('thread.get', { params: { ...params, id: thread.id } });
    expect(result).toMatchObject({ createdBy: null, ownerId: cast.alice.user.id, visibility: 'unlisted' });
    expect(await (await page('/sitemap.xml')).text()).not.toContain(thread.id);
    const listed = await raw('GET', `/v1/public/threads/${cast.workspaceId}`);
    expect(listed.text).not.toContain(thread.id);
  });

  test('counts as messages of the workspace', async () => {
    const { space } = await shared();
    await ask(space);
    const { result } = await cast.alice.api('workspace.usage', {
      params: { workspaceId: cast.workspaceId },
    });
    expect(result.messages).toMatchObject({ total: 2, byRole: { user: 1, assistant: 1 } });
  });

  test('is deleted after 30 days unless a member did something with it', async () => {
    const { space } = await shared();
    const [left, kept, continued] = [await ask(space), await ask(space), await ask(space)];
    const params = { workspaceId: cast.workspaceId };
    await cast.alice.api('thread.update', {
      params: { ...params, id: kept.thread.id },
      body: { name: 'Kept' },
    });
    await cast.alice.api('message.create', {
      params: { ...params, threadId: continued.thread.id },
      body: { content: 'Thank you' },
    });
    const deleted = async (now: Date) => {
      await forgetVisitorThreads(world.context, now);
      const { rows } = await sql<{ id: string }>`select "id" from "thread"
        where "workspaceId" = ${cast.workspaceId} and "deletedAt" is not null`.execute(world.context.db);
      return rows.map(({ id }) => id);
    };
    const day = 86_400_000;
    expect(await deleted(new Date(world.clock.now().getTime() + 29 * day))).toEqual([]);
    expect(await deleted(new Date(world.clock.now().getTime() + 31 * day))).toEqual([left.thread.id]);
    expect((await page(threadPath(left.thread.id))).status).toBe(404);
    expect((await page(threadPath(kept.thread.id))).status).toBe(200);
  });
});
