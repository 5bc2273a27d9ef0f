/** Titles, summaries, tags and names that a language model writes: only where it may, and never over a person's words. */
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { describeMemories } from '#server/descriptions/describe-memories.ts';
import { nameThread } from '#server/descriptions/name-thread.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { answerMessage } from '#server/threads/answer-message.ts';
import { DESCRIPTIONS } from '#shared/memories/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import { serviceEnv, startAnswerService } from '#tests/support/answer-service.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const service = await startAnswerService();
afterAll(() => service.close());
const world = await openWorld({ env: serviceEnv(service) });
let cast: Cast;
beforeEach(async () => {
  await sql`update "answering_setting" set "describes" = false`.execute(world.context.db);
  cast = await createCast(world);
  service.requests.length = 0;
  say({ title: 'Firing a kiln', summary: 'How hot the kiln burns.', tags: [] });
});

const LONG = 'The kiln burns at 1240 degrees, and cools for a day. '.repeat(10);

function say(value: unknown): void {
  service.behave((reply) => {
    reply.say(
      typeof value === 'string' ? value : `Here it is:\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\``,
    );
    reply.finish();
  });
}

async function allow(describes = true): Promise<void> {
  const params = { workspaceId: cast.workspaceId };
  await cast.alice.api('answering_settings.replace', { params, body: { provider: 'server', describes } });
}

/** Describes what is due after the time in which a note may still be written. */
async function run(): Promise<void> {
  world.clock.advance(DESCRIPTIONS.settledMs + 1_000);
  await describeMemories(world.context);
}

/** A new memory with a text and, unless given, without a title. */
const note = async (given: object = {}) =>
  (await cast.alice.api('memory.create', { body: { workspaceId: cast.workspaceId, notes: LONG, ...given } }))
    .result;

const read = async (id: Id<'memory'>) =>
  (await cast.alice.api('memory.get', { params: { workspaceId: cast.workspaceId, id } })).result;

const prompts = () =>
  service.requests.map(
    ({ body }) => JSON.parse(String(body.messages?.at(-1)?.content)) as Record<string, unknown>,
  );

describe('a new memory', () => {
  it('gets a title, a summary and tags that are in use, once, marked as automatic', async () => {
    await allow();
    const build = createBuild(cast);
    for (let n = 0; n < DESCRIPTIONS.tagsFew; n += 1)
      await build.memory({ title: `Tag ${n}`, tags: [`tag-${n}`] });
    say({
      title: ' Firing\na kiln ',
      summary: '<b>How</b> hot it burns.',
      tags: ['TAG-3', 'invented', 'tag-4', 7],
    });
    const { id, updated } = await note();
    await describeMemories(world.context);
    expect(service.requests).toEqual([]);
    await run();
    const row = await read(id);
    expect(row).toMatchObject({ title: 'Firing a kiln', summary: null, tags: ['tag-3', 'tag-4'], updated });
    expect(row.metadata).toEqual({
      automatic: { title: 'Firing a kiln', summary: '<b>How</b> hot it burns.', tags: ['tag-3', 'tag-4'] },
    });
    expect(prompts()).toHaveLength(1);
    await run();
    expect(prompts()).toHaveLength(1);
    const { result } = await cast.alice.api('memory.search', {
      body: { workspaceId: cast.workspaceId, query: 'Firing' },
    });
    expect(result.map((hit) => hit.id)).toEqual([id]);
  });

  it('keeps what a person wrote, also while the model writes', async () => {
    await allow();
    const build = createBuild(cast);
    const own = await build.memory({ title: 'Mine', notes: LONG, tags: ['clay'] });
    await run();
    expect(await read(own.id)).toMatchObject({ title: 'Mine', tags: ['clay'] });
    const late = await note();
    service.behave(async (reply) => {
      await cast.alice.api('memory.update', {
        params: { workspaceId: cast.workspaceId, id: late.id },
        body: { title: 'Typed meanwhile' },
      });
      reply.say('{"title": "Not this", "summary": "S", "tags": ["words"]}');
      reply.finish();
    });
    await run();
    expect(await read(late.id)).toMatchObject({ title: 'Typed meanwhile', tags: ['words'] });
  });

  it('gets single words as tags where hardly any are in use', async () => {
    await allow();
    say({ title: 'T', summary: 'S', tags: ['Kiln', 'a, b', 'x'.repeat(60), 'heat'] });
    const { id } = await note();
    await run();
    expect((await read(id)).tags).toEqual(['kiln', 'heat']);
  });

  it('loses its summary to a person who removes it, and gets no other one', async () => {
    await allow();
    const { id } = await note();
    await run();
    const at = world.clock.now().toISOString();
    const push = (name: string, args: object) =>
      cast.alice.raw('POST', `/v1/sync/${cast.workspaceId}/push`, {
        body: {
          pushVersion: 1,
          schemaVersion: '1',
          profileID: 'p',
          clientGroupID: newId('session'),
          mutations: [{ clientID: newId('session'), id: 1, timestamp: 1, name, args }],
        },
      });
    await push('memory.forget_summary', { id, at });
    await run();
    expect((await read(id)).metadata).toEqual({ automatic: { title: 'Firing a kiln' } });
    expect(prompts()).toHaveLength(1);
  });
});

describe('nothing is sent to a model', () => {
  it('unless owners or admins allow it, who alone may', async () => {
    const { id } = await note();
    await run();
    await allow();
    await allow(false);
    await run();
    expect(service.requests).toEqual([]);
    const path = `/v1/answering/${cast.workspaceId}/settings`;
    for (const { raw } of [cast.bob, cast.rita, cast.eve])
      expect((await raw('PUT', path, { body: { provider: 'server', describes: true } })).status).toBe(403);
    await run();
    expect(service.requests).toEqual([]);
    expect((await read(id)).title).toBeNull();
    await cast.alice.api('answering_settings.replace', {
      params: { workspaceId: cast.workspaceId },
      body: { provider: 'none', describes: true },
    });
    const { result } = await cast.alice.api('answering_settings.get', {
      params: { workspaceId: cast.workspaceId },
    });
    expect(result.describes).toBe(false);
  });

  it('of short, imported, deleted and old memories', async () => {
    await allow();
    const build = createBuild(cast);
    await build.memory({ notes: 'Short' });
    const [imported, deleted, old] = [await note(), await note(), await note()];
    await writeInRealm(world.context, cast.workspaceId, systemActor, async (tx) => {
      await tx.update('memory', imported.id, { origin: 'import' });
      await tx.update('memory', old.id, { created: '2020-01-01T00:00:00.000Z' });
    });
    await cast.alice.api('memory.remove', { params: { workspaceId: cast.workspaceId, id: deleted.id } });
    await run();
    expect(service.requests).toEqual([]);
  });

  it('with tags of closed spaces', async () => {
    await allow();
    const build = createBuild(cast);
    const closed = await build.space({ visibility: 'private' });
    await build.memory({ title: 'Secret', tags: ['takeover'], spaceId: closed.id });
    await build.memory({ title: 'Open', tags: ['clay'] });
    await note();
    await run();
    expect(prompts()).toMatchObject([{ tags: ['clay'] }]);
  });
});

describe('a model that fails', () => {
  it('is asked again later for what another try may give, and not for a text that it cannot describe', async () => {
    await allow();
    const [first, second] = [await note(), await note()];
    service.behave((reply) => reply.refuse(401, 'Wrong key'));
    await run();
    expect(service.requests).toHaveLength(1);
    expect((await read(first.id)).metadata).toEqual({});
    say('I will not, however: { this is no JSON');
    await run();
    for (const { id } of [first, second]) expect((await read(id)).metadata).toEqual({ automatic: {} });
    const asked = service.requests.length;
    await run();
    expect(service.requests).toHaveLength(asked);
  });

  it('cannot be made to write more than fits, or into other fields', async () => {
    await allow();
    say({
      title: 'x'.repeat(5_000),
      summary: 'y'.repeat(2_000),
      tags: 'all',
      visibility: 'public',
      notes: 'gone',
    });
    const { id } = await note();
    await run();
    const row = await read(id);
    expect([row.title?.length, row.tags, row.notes]).toEqual([DESCRIPTIONS.title, [], LONG]);
    expect(JSON.stringify(row.metadata).length).toBeLessThan(1_000);
  });
});

describe('a thread', () => {
  const question = 'How hot does the kiln burn when it is fired for the second time in a week?';

  async function ask(name?: string) {
    await createBuild(cast).memory({ title: 'Kiln', notes: 'The kiln burns at 1240 degrees.' });
    const { result } = await cast.alice.api('thread.create', {
      body: { workspaceId: cast.workspaceId, content: question, ...(name !== undefined && { name }) },
    });
    const { result: messages } = await cast.alice.api('message.list', {
      params: { workspaceId: cast.workspaceId, threadId: result.id },
    });
    const messageId = messages[0]?.id ?? newId('message');
    service.behave((reply) => {
      reply.say('At 1240 degrees [1].');
      reply.finish();
    });
    await answerMessage(world.context, { workspaceId: cast.workspaceId, messageId });
    say({ name: 'Heat of the kiln' });
    service.requests.length = 0;
    return { workspaceId: cast.workspaceId, threadId: result.id };
  }
  const nameOf = async (id: Id<'thread'>) =>
    (await cast.alice.api('thread.get', { params: { workspaceId: cast.workspaceId, id } })).result.name;
  const queued = async (threadId: string) =>
    (
      await sql`select 1 from pgboss.job where "name" = 'thread.name' and "data" ->> 'threadId' = ${threadId}`.execute(
        world.context.db,
      )
    ).rows.length;

  it('gets a name after its first answer, where the model may give it', async () => {
    const silent = await ask();
    expect(await queued(silent.threadId)).toBe(0);
    await nameThread(world.context, silent);
    expect(await nameOf(silent.threadId)).toBe(question);
    await allow();
    const thread = await ask();
    expect(await queued(thread.threadId)).toBe(1);
    await nameThread(world.context, thread);
    expect(await nameOf(thread.threadId)).toBe('Heat of the kiln');
    await nameThread(world.context, thread);
    // The answer may quote what later readers of the thread may not read.
    expect(prompts()).toEqual([{ question }]);
  });

  it('keeps the name that a person gave it, also meanwhile', async () => {
    await allow();
    const own = await ask('My own long name of this thread about kilns');
    await nameThread(world.context, own);
    expect(service.requests).toEqual([]);
    const thread = await ask();
    service.behave(async (reply) => {
      await cast.alice.api('thread.update', {
        params: { workspaceId: cast.workspaceId, id: thread.threadId },
        body: { name: 'Mine' },
      });
      reply.say('{"name": "Not this"}');
      reply.finish();
    });
    await nameThread(world.context, thread);
    expect(await nameOf(thread.threadId)).toBe('Mine');
    // A wrong key is no reason to try for ever; a busy service is one to try again.
    const other = await ask();
    service.behave((reply) => reply.refuse(401, 'No'));
    await nameThread(world.context, other);
    service.behave((reply) => reply.refuse(503, 'Busy', { 'retry-after': '0' }));
    await expect(nameThread(world.context, other)).rejects.toThrow(/did not answer/);
  });
});
