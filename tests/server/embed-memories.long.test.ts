/** The vectors of memories: made once for each text and model, removed with it, whatever fails or dies meanwhile. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Id } from '#shared/ids.ts';
import { EMBEDDINGS } from '#shared/search/embedding-limits.ts';
import { TIMEOUTS } from '#server/limits.ts';
import { createLog } from '#server/log.ts';
import { createEmbeddingModel } from '#server/providers/embedding-model.ts';
import { parseConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { embedMemories } from '#server/memories/embed-memories.ts';
import { queueEmbedding, queueEmbeddings } from '#server/memories/embedding-queue.ts';
import { runMutation } from '#server/db/run-mutation.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { storeRead } from '#server/capture/capture-page.ts';
import { createEmbeddings } from '#server/search/query-vectors.ts';
import { createApi } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import {
  embeddingEnv,
  sendJson,
  sendVectors,
  startEmbeddingService,
  toyVector,
  type EmbeddingService,
} from '#tests/support/embedding-service.ts';
import { createWorld, type World } from '#tests/support/world.ts';
import { asPerson } from '#server/sync/readable.ts';

let service: EmbeddingService;
let world: World;
let cast: Cast;
let build: ReturnType<typeof createBuild>;
let host: Context;

beforeAll(async () => {
  service = await startEmbeddingService();
  // The server itself has no model, so that nothing is queued but what a test asks for.
  world = await createWorld();
  host = withModel('toy-1');
});
afterAll(async () => {
  await world.close();
  await service.close();
});
beforeEach(async () => {
  cast = await createCast(world);
  build = createBuild(cast);
});
afterEach(() => {
  service.behave();
  service.requests.length = 0;
});

const embed = (context: Context = host, jobId?: string) => embedMemories(context, cast.workspaceId, jobId);

/** The same server with another model. */
function withModel(model: string): Context {
  const { clock } = world;
  const config = parseConfig(embeddingEnv(service, model));
  const embeddings = createEmbeddings(createEmbeddingModel(config.embeddings), {
    clock,
    log: createLog('silent'),
  });
  return { ...world.context, embeddings };
}

/** Stores the text of the page behind a memory, as a fetch of it does. */
async function storePage(id: Id<'memory'>, text: string): Promise<void> {
  const nothing = {
    title: null,
    description: null,
    site: null,
    author: null,
    published: null,
    language: null,
  };
  const page = { ...nothing, text, canonicalUrl: null, image: null, favicon: null, obstacle: null };
  await writeInRealm(world.context, cast.workspaceId, systemActor, async (tx) => {
    await sql`insert into "memory_page" ("workspaceId", "memoryId", "queued")
      values (${cast.workspaceId}, ${id}, now()) on conflict do nothing`.execute(tx.trx);
    const row = await tx.get('memory', id);
    if (row === undefined) throw new Error('The memory is missing');
    await storeRead(tx, { ...row, metadata: {} }, { text: page, url: 'https://example.com', status: 200 });
  });
}

async function stored({ context } = world) {
  const { rows } = await sql<{ title: string; fields: string[]; fingerprint: string; current: boolean }>`
    select m."title", array_agg(v."field" order by v."position") as "fields", min(v."fingerprint") as "fingerprint",
      e."memoryId" is not null as "current"
    from "memory_vector" v join "memory" m on m."workspaceId" = v."workspaceId" and m."id" = v."memoryId"
    left join "memory_embedding" e on e."workspaceId" = v."workspaceId" and e."memoryId" = v."memoryId"
    where v."workspaceId" = ${cast.workspaceId} group by m."id", m."title", e."memoryId" order by 1`.execute(
    context.db,
  );
  return rows;
}

async function work() {
  const { rows } = await sql<{ dueAt: string | null; leaseJob: string | null; failures: number }>`
    select "dueAt", "leaseJob", "failures" from "embedding_work"
    where "workspaceId" = ${cast.workspaceId}`.execute(world.context.db);
  return rows[0];
}

async function waitingJobs(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as "count" from pgboss.job
    where "name" = 'memory.embed' and "data"->>'workspaceId' = ${cast.workspaceId}`.execute(world.context.db);
  return rows[0]?.count ?? 0;
}

/** A section of a note that is one passage of its own. */
const section = (name: string) =>
  `## ${name}\n\n${`The ${name} of the harbour is described here. `.repeat(12)}\n\n`;

describe('the vectors of a memory', () => {
  it('are made of its title and its passages, below their headings, and only once', async () => {
    await build.memory({
      title: 'Harbour',
      tags: ['sea'],
      description: 'A plan',
      notes: section('quay') + section('crane'),
    });
    await embed();
    expect(await stored()).toMatchObject([
      { title: 'Harbour', fields: ['title', 'description', 'notes', 'notes'], current: true },
    ]);
    expect(service.texts().slice(0, 3)).toEqual([
      'Harbour\nsea',
      'Harbour\nA plan',
      expect.stringMatching(/^Harbour\nquay\nThe quay of the harbour/),
    ]);
    service.requests.length = 0;
    await embed();
    expect(service.requests).toEqual([]);
    expect(await work()).toMatchObject({ leaseJob: null, dueAt: null, failures: 0 });
  });

  it('are made again for the passages that changed, and for no others', async () => {
    const { id } = await build.memory({ title: 'Harbour', notes: section('quay') + section('crane') });
    await embed();
    service.requests.length = 0;
    const params = { workspaceId: cast.workspaceId, id };
    await cast.alice.api('memory.update', {
      params,
      body: { notes: section('quay') + section('lighthouse') },
    });
    expect(await stored()).toMatchObject([{ current: false }]);
    await embed();
    expect(service.texts()).toEqual([expect.stringMatching(/^Harbour\nlighthouse\n/)]);
    expect(await stored()).toMatchObject([{ fields: ['title', 'notes', 'notes'], current: true }]);
    service.requests.length = 0;
    await cast.alice.api('memory.update', { params, body: { archived: true } });
    await embed();
    expect(service.requests).toEqual([]);
  });

  it('go with the memory, and come back with it', async () => {
    const { id } = await build.memory({ title: 'Harbour' });
    await embed();
    const params = { workspaceId: cast.workspaceId, id };
    await cast.alice.api('memory.remove', { params });
    expect(await stored()).toEqual([]);
    await embed();
    expect(await stored()).toEqual([]);
    await runMutation(world.context, {
      actor: asPerson(cast.alice.user.id),
      realmId: cast.workspaceId,
      name: 'memory.restore',
      args: { id, at: world.clock.now().toISOString() },
    });
    await embed();
    expect(await stored()).toMatchObject([{ title: 'Harbour', current: true }]);
  });

  it('are those of the page behind a link as well', async () => {
    const { id } = await build.memory({ title: 'Harbour' });
    await embed();
    await storePage(id, 'Ships leave at noon.');
    await embed();
    expect(await stored()).toMatchObject([{ fields: ['title', 'page'], current: true }]);
    await storePage(id, 'Ships leave at six.');
    service.requests.length = 0;
    await embed();
    expect(service.texts()).toEqual(['Harbour\nShips leave at six.']);
  });

  it('are replaced by those of another model, and none of the old ones stay', async () => {
    for (const title of ['Quay', 'Crane', 'Tower']) await build.memory({ title, notes: section(title) });
    await embed();
    const before = await stored();
    service.requests.length = 0;
    const other = withModel('toy-2');
    await queueEmbeddings(other);
    expect(await waitingJobs()).toBe(1);
    await embed(other);
    const after = await stored();
    expect(after.map(({ title, fields, current }) => ({ title, fields, current }))).toEqual(
      before.map(({ title, fields, current }) => ({ title, fields, current })),
    );
    expect(new Set(after.map(({ fingerprint }) => fingerprint))).toEqual(
      new Set([other.embeddings?.model.fingerprint]),
    );
    expect(service.requests.every(({ body }) => body.model === 'toy-2')).toBe(true);
  });

  it('are not stored for a text that changed while the model worked on it', async () => {
    const { id } = await build.memory({ title: 'Harbour', notes: 'Old words.' });
    let isFirst = true;
    service.behave(async (res, { body }) => {
      if (isFirst) {
        isFirst = false;
        const params = { workspaceId: cast.workspaceId, id };
        await cast.alice.api('memory.update', { params, body: { notes: 'New words.' } });
      }
      sendVectors(
        res,
        (body.input ?? []).map((text) => toyVector(text)),
      );
    });
    await embed();
    expect(service.texts()).toContain('Harbour\nNew words.');
    const { rows } = await sql<{ text: string }>`select "text" from "memory_vector"
      where "workspaceId" = ${cast.workspaceId} order by "position"`.execute(world.context.db);
    expect(rows.map(({ text }) => text)).toEqual(['Harbour', 'New words.']);
  });
});

describe('where the model fails', () => {
  it.each([
    ['is busy', 429],
    ['is down', 503],
    ['refuses the key', 401],
    ['accepts nothing', 400],
  ])('since it %s, the work waits longer each time and is done when it is well', async (_what, status) => {
    await build.memory({ title: 'Harbour' });
    service.behave((res) => sendJson(res, status, { error: { message: 'no' } }));
    await embed();
    const first = await work();
    expect(first).toMatchObject({ failures: 1, leaseJob: null });
    const waits = async () => Date.parse((await work())?.dueAt ?? '') - world.clock.now().getTime();
    expect(await waits()).toBe(EMBEDDINGS.retrySeconds.first * 1_000);
    await embed();
    expect(await waits()).toBe(EMBEDDINGS.retrySeconds.first * 2_000);
    expect(await stored()).toEqual([]);
    // Commits queue nothing more while it waits.
    const jobs = await waitingJobs();
    await queueEmbedding(host, cast.workspaceId);
    expect(await waitingJobs()).toBe(jobs);
    service.behave();
    await embed();
    expect(await stored()).toMatchObject([{ title: 'Harbour', current: true }]);
    expect(await work()).toMatchObject({ failures: 0, dueAt: null });
  });

  it('at one text alone, the others have their vectors', async () => {
    for (const title of ['Quay', 'Poison', 'Tower']) await build.memory({ title });
    service.behave((res, { body }) => {
      const input = body.input ?? [];
      if (input.some((text) => text.includes('Poison')))
        return sendJson(res, 400, { error: { message: 'too long' } });
      sendVectors(
        res,
        input.map((text) => toyVector(text)),
      );
    });
    await embed();
    expect((await stored()).map(({ title }) => title)).toEqual(['Quay', 'Tower']);
    service.requests.length = 0;
    await embed();
    expect(service.requests).toEqual([]);
  });

  it('by returning other dimensions than before, what is stored stays', async () => {
    await build.memory({ title: 'Quay' });
    await embed();
    await build.memory({ title: 'Tower' });
    service.behave((res, { body }) =>
      sendVectors(
        res,
        (body.input ?? []).map(() => [1, 2, 3]),
      ),
    );
    await embed();
    expect((await stored()).map(({ title }) => title)).toEqual(['Quay']);
    expect(await work()).toMatchObject({ failures: 1 });
  });

  it('in the middle, what was made before is whole and is not made again', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `Boat ${String(n).padStart(2, '0')}`);
    for (const title of names) await build.memory({ title });
    let calls = 0;
    service.behave((res, { body }) => {
      calls += 1;
      if (calls === 2) return sendJson(res, 500, {});
      sendVectors(
        res,
        (body.input ?? []).map((text) => toyVector(text)),
      );
    });
    await embed();
    expect(await stored()).toHaveLength(EMBEDDINGS.perRequest);
    const made = service.requests[0]?.body.input ?? [];
    service.requests.length = 0;
    service.behave();
    await embed();
    expect(await stored()).toHaveLength(names.length);
    expect(service.texts().filter((text) => made.includes(text))).toEqual([]);
    expect(new Set(service.texts()).size).toBe(service.texts().length);
  });
});

it('requests are counted, with the tokens that the service reports', async () => {
  await build.memory({ title: 'Harbour' });
  await embed();
  const params = { workspaceId: cast.workspaceId };
  const { result } = await cast.alice.api('workspace.usage', { params });
  expect(result.ai).toMatchObject({ calls: 0, byFeature: { chat: 0, embedding: 1 }, embeddingTokens: 7 });
});

describe('jobs', () => {
  it('work one at a time on a workspace, and one that died is continued by its next try at once', async () => {
    await build.memory({ title: 'Quay' });
    const begun = Promise.withResolvers<void>();
    // The server that dies: its request is never answered, and nothing runs after it.
    service.behave(() => begun.resolve());
    const dead = embed(host, 'job-1').catch(() => undefined);
    await begun.promise;
    await expect(embed(host, 'job-2')).rejects.toThrow('Another job');
    service.behave();
    await embed(host, 'job-1');
    expect(await stored()).toMatchObject([{ title: 'Quay', fields: ['title'], current: true }]);
    expect(await work()).toMatchObject({ leaseJob: null });
    void dead;
  });

  it('end when the workspace wants no model any more, and store nothing', async () => {
    await build.memory({ title: 'Quay' });
    service.behave(async (res, { body }) => {
      await cast.alice.api('answering_settings.replace', {
        params: { workspaceId: cast.workspaceId },
        body: { provider: 'none', url: null, model: null },
      });
      sendVectors(
        res,
        (body.input ?? []).map((text) => toyVector(text)),
      );
    });
    await expect(embed(host, 'job-1')).rejects.toThrow('not the work of this job any more');
    expect(await stored()).toEqual([]);
    service.requests.length = 0;
    await embed(host, 'job-1');
    expect(service.requests).toEqual([]);
    expect(await work()).toMatchObject({ leaseJob: null });
  });

  it('are taken over when nothing was heard of them for long', async () => {
    await build.memory({ title: 'Quay' });
    const begun = Promise.withResolvers<void>();
    service.behave(() => begun.resolve());
    void embed(host, 'job-1').catch(() => undefined);
    await begun.promise;
    service.behave();
    world.clock.advance(TIMEOUTS.embeddingLease);
    await embed(host, 'job-2');
    expect(await stored()).toHaveLength(1);
  });

  it('follow commits by themselves, and embed what was there before a model was configured', async () => {
    const own = await createWorld();
    cast = await createCast(own);
    await createBuild(cast).memory({ title: 'Before' });
    const server = await createWorld({
      env: embeddingEnv(service),
      jobs: true,
      database: own.database,
    });
    try {
      const titles = async () =>
        (await stored(own)).filter(({ current }) => current).map(({ title }) => title);
      await expect.poll(titles).toEqual(['Before']);
      const api = createApi(server, cast.alice.token);
      await api('memory.create', { body: { workspaceId: cast.workspaceId, title: 'After' } });
      await expect.poll(titles).toEqual(['After', 'Before']);
    } finally {
      await server.close();
      await own.close();
    }
  });
});
