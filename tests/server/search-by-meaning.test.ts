/** Search by meaning through HTTP: what it finds beside words, what it must never show, and a model that fails. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EMBEDDINGS } from '#shared/search/embedding-limits.ts';
import type { Id } from '#shared/ids.ts';
import { TIMEOUTS } from '#server/limits.ts';
import { embedMemories } from '#server/memories/embed-memories.ts';
import { answerMessage } from '#server/threads/answer-message.ts';
import { createApi, type Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import {
  embeddingEnv,
  sendJson,
  sendVectors,
  startEmbeddingService,
  type EmbeddingService,
} from '#tests/support/embedding-service.ts';
import { createGuest } from '#tests/support/invites.ts';
import { withPatience } from '#tests/support/patience.ts';
import { openWorld } from '#tests/support/world.ts';

let cast: Cast;
let build: ReturnType<typeof createBuild>;

const service = await startEmbeddingService();
afterAll(() => service.close());
const world = await openWorld({ env: embeddingEnv(service) });
beforeEach(async () => {
  cast = await createCast(world);
  build = createBuild(cast);
});
afterEach(() => {
  service.behave();
  service.requests.length = 0;
  // What was broken in one test rests no longer in the next.
  world.clock.advance(EMBEDDINGS.restMs.max);
});

/**
 * On a busy machine a model may be late and a worker not ready, which is what the server does without. Tests of what is
 * found wait for both.
 */
function waitForMeaning(): void {
  const { search, embeddings } = world.context;
  if (embeddings === undefined) throw new Error('There is no model');
  const { near } = search;
  const { queryVector } = embeddings;
  vi.spyOn(search, 'near').mockImplementation(async (request) => {
    for (;;) {
      const found = await near(request);
      if (found !== undefined) return found;
      await nextTurn();
    }
  });
  vi.spyOn(embeddings, 'queryVector').mockImplementation(async (...given) => {
    for (;;) {
      const vector = await queryVector(...given);
      if (vector !== undefined) return vector;
      world.clock.advance(EMBEDDINGS.restMs.max);
      await nextTurn();
    }
  });
}

const embed = () => embedMemories(world.context, cast.workspaceId);

async function search(query: string, more: object = {}, by: Agent = cast.alice) {
  return by.api('memory.search', { body: { workspaceId: cast.workspaceId, query, ...more } });
}

async function titles(query: string, more: object = {}, by: Agent = cast.alice): Promise<(string | null)[]> {
  return (await search(query, more, by)).result.map(({ title }) => title);
}

async function library(): Promise<void> {
  await build.memory({ title: 'Sunday', notes: 'We took the ferry to the island.' });
  await build.memory({ title: 'Garage', notes: 'The automobile needs new tyres.', tags: ['repairs'] });
  await build.memory({ title: 'Appointment', notes: 'The physician wants to see the knee again.' });
  await embed();
}

describe('a search', () => {
  beforeEach(waitForMeaning);

  it('finds what means the same, shows the passage, and says how it searched', async () => {
    await library();
    const { result, meta } = await search('vehicle tyres');
    expect(result.map(({ title }) => title)).toEqual(['Garage']);
    expect(meta).toMatchObject({ mode: 'hybrid', total: 1 });
    const only = await search('doctor');
    expect(only.result).toMatchObject([
      {
        title: 'Appointment',
        snippets: [{ field: 'notes', text: 'The physician wants to see the knee again.' }],
      },
    ]);
    expect(only.meta).toMatchObject({ mode: 'hybrid', total: 1, match: 'all' });
    expect(await titles('doctor', { mode: 'text' })).toEqual([]);
    expect(await titles('doctor', { mode: 'semantic' })).toEqual(['Appointment']);
    expect((await search('doctor', { mode: 'semantic' })).meta).toMatchObject({ mode: 'semantic', total: 1 });
  });

  it('puts first what both find, and each memory once over all pages', async () => {
    for (let n = 0; n < 7; n += 1) await build.memory({ title: `Boat ${n}`, notes: `Boat number ${n}.` });
    for (let n = 0; n < 7; n += 1) await build.memory({ title: `Ship ${n}`, notes: `Ship number ${n}.` });
    await embed();
    const seen: (string | null)[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const { result, meta } = await search('boat', { page, perPage: 5 });
      expect(meta.total).toBe(14);
      seen.push(...result.map(({ title }) => title));
    }
    expect(new Set(seen).size).toBe(14);
    expect(seen).toHaveLength(14);
    expect(seen.slice(0, 5).every((title) => title?.startsWith('Boat'))).toBe(true);
  });

  it('does the same where the database searches', async () => {
    await library();
    await build.memory({ title: 'Vehicle papers', notes: 'In the drawer.' });
    await embed();
    vi.spyOn(world.context.search, 'find').mockResolvedValue(undefined);
    expect(await titles('vehicle')).toEqual(['Vehicle papers', 'Garage']);
    expect((await search('vehicle')).meta).toMatchObject({ mode: 'hybrid', total: 2 });
  });

  it('finds nothing where nothing is near', async () => {
    await library();
    expect(await titles('xylophone quokka')).toEqual([]);
  });

  it('meets its filters', async () => {
    await library();
    expect(await titles('vehicle tag:repairs')).toEqual(['Garage']);
    expect(await titles('vehicle', { tags: ['other'] })).toEqual([]);
    expect(await titles('vehicle -tag:repairs')).toEqual([]);
    expect(await titles('vehicle type:link')).toEqual([]);
    expect(await titles('vehicle before:2000')).toEqual([]);
    expect(await titles('vehicle is:archived')).toEqual([]);
    expect(await titles('vehicle after:2000')).toEqual(['Garage']);
  });

  it('with quoted or excluded words goes by words alone, and asks no model', async () => {
    await library();
    service.requests.length = 0;
    expect((await search('"vehicle"')).meta).toMatchObject({ mode: 'text', total: 0 });
    expect((await search('vehicle -tyres')).meta).toMatchObject({ mode: 'text', total: 0 });
    expect((await search('title:vehicle')).meta).toMatchObject({ mode: 'text', total: 0 });
    expect((await search('', { tags: ['repairs'] })).meta).toMatchObject({ mode: 'text', total: 1 });
    expect(service.requests).toEqual([]);
  });

  it('asks for the vector of a query once', async () => {
    await library();
    service.requests.length = 0;
    await Promise.all([titles('doctor visit'), titles('doctor visit')]);
    await titles('doctor visit', { types: ['note'] });
    expect(service.texts()).toEqual(['doctor visit']);
  });

  it('follows edits and deletions at once', async () => {
    await library();
    const { result } = await search('vehicle');
    const id = result[0]?.id;
    if (id === undefined) throw new Error('Nothing was found');
    const params = { workspaceId: cast.workspaceId, id };
    await cast.alice.api('memory.update', { params, body: { notes: 'The physician lives next door.' } });
    expect(await titles('vehicle')).toEqual([]);
    await embed();
    expect(new Set(await titles('doctor'))).toEqual(new Set(['Appointment', 'Garage']));
    await cast.alice.api('memory.remove', { params });
    expect(await titles('doctor')).toEqual(['Appointment']);
    const { rows } = await sql`select 1 from "memory_vector" where "memoryId" = ${id}`.execute(
      world.context.db,
    );
    expect(rows).toEqual([]);
  });
});

describe('no one finds by meaning what they cannot read', () => {
  let openId: Id<'memory'>;
  let spaceId: Id<'space'>;
  let guest: Agent;

  beforeEach(async () => {
    waitForMeaning();
    const space = await build.space({ name: 'Closed', visibility: 'private' });
    const shared = await build.space({ name: 'Shared', visibility: 'private_and_guests' });
    spaceId = space.id;
    await build.memory({ title: 'Payroll', notes: 'Confidential budget of the year.', spaceId });
    openId = (await build.memory({ title: 'Lunch', notes: 'Expense report of the lunch.' })).id;
    await build.memory({ title: 'Fair', notes: 'Finance of the summer fair.', spaceId: shared.id });
    guest = await createGuest(world);
    await cast.alice.raw('PATCH', `/v1/spaces/${cast.workspaceId}/${shared.id}`, {
      body: { grants: [{ email: guest.user.email, level: 'read' }] },
    });
    await embed();
  });

  it('neither members, nor guests, nor strangers, nor limited keys', async () => {
    for (const mode of ['hybrid', 'semantic'] as const) {
      expect(new Set(await titles('money', { mode }))).toEqual(new Set(['Payroll', 'Lunch', 'Fair']));
      for (const member of [cast.bob, cast.rita]) {
        const { result, meta } = await search('money', { mode }, member);
        expect(result.map(({ id }) => id)).toEqual([openId]);
        expect(meta.total).toBe(1);
        expect((await search('secret', { mode }, member)).meta.total).toBe(0);
        expect((await search('money', { mode, spaceIds: [spaceId] }, member)).meta.total).toBe(0);
        expect((await search('money space:closed', { mode }, member)).meta.total).toBe(0);
      }
      expect(await titles('money', { mode }, guest)).toEqual(['Fair']);
      expect((await search('secret', { mode }, guest)).meta.total).toBe(0);
      const body = { workspaceId: cast.workspaceId, query: 'money', mode };
      expect((await cast.eve.raw('POST', '/v1/memories/search', { body })).status).toBe(403);
      const own = { ...body, workspaceId: cast.evesWorkspaceId };
      expect((await cast.eve.api('memory.search', { body: own })).meta.total).toBe(0);
    }
  });

  it('and what is shared is found from then on, and what is closed no more', async () => {
    const params = { workspaceId: cast.workspaceId, id: spaceId };
    await cast.alice.api('space.update', { params, body: { visibility: 'workspace' } });
    expect(await titles('secret', {}, cast.bob)).toEqual(['Payroll']);
    await cast.alice.api('space.update', { params, body: { visibility: 'private' } });
    expect(await titles('secret', {}, cast.bob)).toEqual([]);
  });

  it('and a key that is limited to a space finds in it alone', async () => {
    const { workspaceId } = cast;
    const { result } = await cast.alice.api('api_key.create', {
      body: { workspaceId, name: 'Key', scopes: ['search:read', 'memories:read'], spaceIds: [spaceId] },
    });
    const found = await createApi(world, result.secret)('memory.search', {
      body: { workspaceId, query: 'money' },
    });
    expect(found.result.map(({ title }) => title)).toEqual(['Payroll']);
    expect(found.meta).toMatchObject({ mode: 'hybrid', total: 1 });
  });
});

describe('where the model fails, words find as before', () => {
  const sound = async () => {
    expect(await titles('tyres')).toEqual(['Garage']);
    const { meta } = await search('tyres of the bicycle', {});
    expect(meta).toMatchObject({ mode: 'text' });
  };

  it.each<[string, Parameters<EmbeddingService['behave']>[0]]>([
    ['refuses', (res) => sendJson(res, 401, { error: { message: 'no' } })],
    ['is asked too often', (res) => sendJson(res, 429, { error: { message: 'no' } })],
    ['is down', (res) => sendJson(res, 500, { error: { message: 'no' } })],
    ['breaks off', (res) => void res.destroy()],
    ['sends nonsense', (res) => void res.end('<html>')],
    ['sends too much', (res) => void res.end('1'.repeat(4_000_000))],
    ['sends other dimensions than before', (res) => sendVectors(res, [[1, 2, 3]])],
    ['sends no numbers', (res) => sendVectors(res, [['a', 'b']])],
  ])('since it %s', async (_what, behaviour) => {
    await library();
    service.behave(behaviour);
    const { result, meta } = await search('tyres by night');
    expect(result.map(({ title }) => title)).toEqual(['Garage']);
    expect(meta.total).toBe(1);
  });

  describe('while it is silent', () => {
    withPatience(1);

    it('is waited for once, and left alone for a while', async () => {
      await library();
      service.requests.length = 0;
      service.behave(() => undefined);
      const begun = performance.now();
      await sound();
      expect(service.requests).toHaveLength(1);
      expect(performance.now() - begun).toBeGreaterThan(TIMEOUTS.queryEmbedding - 1);
      service.behave();
      world.clock.advance(EMBEDDINGS.restMs.first);
      waitForMeaning();
      expect((await search('vehicle')).meta).toMatchObject({ mode: 'hybrid', total: 1 });
    });
  });
});

describe('an answer in a thread', () => {
  beforeEach(waitForMeaning);

  it('rests on passages that mean what was asked', async () => {
    await build.memory({ title: 'Workshop', notes: 'The furnace runs at 1240 degrees.' });
    await build.memory({ title: 'Garden', notes: 'The roses bloom in June.' });
    await embed();
    const thread = await build.thread({ visibility: 'private' });
    const params = { workspaceId: cast.workspaceId, threadId: thread.id };
    const ask = async (content: string) => {
      const { result } = await cast.alice.api('message.create', { params, body: { content } });
      await answerMessage(world.context, { workspaceId: cast.workspaceId, messageId: result.message.id });
      const all = await cast.alice.api('message.list', {
        params,
        query: { orderBy: 'createdAt', order: 'desc' },
      });
      return all.result.find(({ replyTo }) => replyTo === result.message.id);
    };
    const reply = await ask('What temperature has my oven?');
    expect(reply?.citations).toMatchObject([{ quote: 'The furnace runs at 1240 degrees.' }]);
    expect((await ask('Zyzzyva quokka xylophonist?'))?.content).toBe(
      'I found nothing about this in your memories.',
    );
  });

  it('quotes nothing that the readers of the thread cannot read', async () => {
    const closed = await build.space({ visibility: 'private' });
    await build.memory({ title: 'Workshop', notes: 'The furnace runs at 1240 degrees.', spaceId: closed.id });
    await embed();
    const thread = await build.thread({ visibility: 'workspace' });
    const params = { workspaceId: cast.workspaceId, threadId: thread.id };
    const body = { content: 'What temperature has my oven?' };
    const { result } = await cast.alice.api('message.create', { params, body });
    await answerMessage(world.context, { workspaceId: cast.workspaceId, messageId: result.message.id });
    const all = await cast.alice.api('message.list', { params, query: {} });
    expect(JSON.stringify(all.result)).not.toContain('1240');
  });
});

describe('a workspace that wants no language model', () => {
  beforeEach(waitForMeaning);

  const choose = (provider: 'none' | 'server') =>
    cast.alice.api('answering_settings.replace', {
      params: { workspaceId: cast.workspaceId },
      body: { provider, url: null, model: null },
    });
  const vectors = async () =>
    (
      await sql`select 1 from "memory_vector" where "workspaceId" = ${cast.workspaceId}`.execute(
        world.context.db,
      )
    ).rows.length;

  it('is searched by words, its texts go nowhere, and its vectors are gone', async () => {
    await library();
    expect(await vectors()).toBeGreaterThan(0);
    const { result } = await choose('none');
    expect(result.embedding).toEqual({ name: 'toy-1', host: new URL(service.url).host });
    expect(await vectors()).toBe(0);
    service.requests.length = 0;
    await embed();
    expect((await search('vehicle')).meta).toMatchObject({ mode: 'text', total: 0 });
    expect((await search('vehicle', { mode: 'semantic' })).meta).toMatchObject({ mode: 'text', total: 0 });
    expect(service.requests).toEqual([]);
    await choose('server');
    await embed();
    expect((await search('vehicle')).meta).toMatchObject({ mode: 'hybrid', total: 1 });
  });
});
