/** Answers made on a device: the same as the server's, from the replica of one person and nothing else. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { newId, type Id } from '#shared/ids.ts';
import { citationsIn } from '#shared/threads/answer-sources.ts';
import { extractAnswer, writeExtractiveAnswer } from '#shared/threads/extractive-answer.ts';
import { sourcesOf, withContext, type ContextItem } from '#shared/threads/message-context.ts';
import { BodyCache } from '#client/replica/body-cache.ts';
import { MemorySearch } from '#client/replica/memory-search.ts';
import { Replica } from '#client/replica/replica.ts';
import { ReplicaView } from '#client/replica/view.ts';
import { packedStore } from '#client/replica/worker/kv-store.ts';
import { answerOnDevice, type DeviceAnswer } from '#client/threads/device-answer.ts';
import { answerMessage } from '#server/threads/answer-message.ts';
import type { AnswerRequest } from '#server/threads/answer-message.ts';
import { readWordVectors } from '#server/search/word-vectors.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { enginePort, until } from '#tests/support/engine-port.ts';
import { corpusNotes, QUESTIONS, THREAD_QUESTIONS } from '#tests/support/note-corpus.ts';
import { searchInProcess } from '#tests/support/search-in-process.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const wordVectors = readWordVectors();

/** A page of Alice without a browser: her replica of the real server, its search and its long texts. */
function openPage(world: World, { alice, workspaceId }: Cast) {
  const replica = new Replica({
    port: enginePort({ fetch, kvStore: packedStore }),
    session: { userId: alice.user.id, token: alice.token, apiBase: world.url, memoryOnly: true },
    now: () => world.clock.now().getTime(),
  });
  const bodies = new BodyCache(undefined);
  const search = new MemorySearch({
    replica,
    bodies,
    isStored: false,
    start: searchInProcess,
  });
  replica.openWorkspace(workspaceId);
  return { replica, bodies, search };
}

let world: World;
let cast: Cast;
let build: ReturnType<typeof createBuild>;
let page: ReturnType<typeof openPage>;

const view = () => new ReplicaView(page.replica.mirrors);

/** What is asked here reaches the server by the replica alone. */
async function ask(threadId: Id<'thread'>, content: string, about: readonly ContextItem[] = []) {
  const id = newId('message');
  await page.replica.mutate('message.create', {
    id,
    threadId,
    content: withContext(about, content),
    ...sourcesOf(about),
  });
  const message = await until(() => view().get('message', id));
  const device = await answerOnDevice(message, {
    view,
    search: (query, request) => page.search.search(query, request),
    findTexts: (hashes) => page.bodies.findAll(hashes),
    write: async (question, sources) => {
      const found = extractAnswer(question, sources, { wordVectors });
      return { content: writeExtractiveAnswer(found, 'person'), citations: citationsIn(found) };
    },
  });
  if (device === undefined) throw new Error('The workspace is open');
  return { id, threadId, device };
}

async function begin(): Promise<Id<'thread'>> {
  const id = newId('thread');
  await page.replica.mutate('thread.create', { id, name: 'A thread' });
  return id;
}

/** The server's answer to a message that it has got from the device. */
async function fromServer(messageId: Id<'message'>): Promise<DeviceAnswer> {
  const payload = await until(async () => {
    const { rows } = await sql<{ data: AnswerRequest }>`
      select "data" from pgboss.job where "name" = 'message.answer' and "data" ->> 'messageId' = ${messageId}`.execute(
      world.context.db,
    );
    return rows[0]?.data;
  });
  await answerMessage(world.context, payload);
  const { rows } = await sql<DeviceAnswer>`
    select "content", "citations" from "message" where "replyTo" = ${messageId}`.execute(world.context.db);
  expect(rows).toHaveLength(1);
  return rows[0] ?? { content: '', citations: [] };
}

async function isSame(asked: Awaited<ReturnType<typeof ask>>): Promise<void> {
  expect(asked.device).toEqual(await fromServer(asked.id));
}

/** Without this the database may search instead, which ranks more coarsely. */
const indexed = () =>
  until(() =>
    world.context.search.find({
      workspaceId: cast.workspaceId,
      userId: cast.alice.user.id,
      conditions: {},
      page: 1,
      perPage: 1,
      plan: planSearch(parseSearchQuery('warm')),
    }),
  );

/** Until the device finds a memory by words that no other one has, and the server's index is whole again. */
async function findable(id: string, words: string): Promise<void> {
  await until(
    async () =>
      (await page.search.search(words, { widest: 'all' }))?.hits.some((hit) => hit.id === id) === true ||
      undefined,
  );
  await indexed();
}

beforeAll(async () => {
  world = await createWorld();
  cast = await createCast(world);
  build = createBuild(cast);
  for (const { title, notes, tags } of corpusNotes()) await build.memory({ title, notes, tags });
  page = openPage(world, cast);
  await until(() => page.replica.firstSync().state === 'ready');
  await until(() => page.search.isComplete);
  await indexed();
});
afterAll(async () => {
  await page.search.close({ discard: true });
  await page.replica.wipe();
  await world.close();
});

describe('an answer of the device equals that of the server', () => {
  it.each([
    ...[...THREAD_QUESTIONS, ...QUESTIONS].map(([question]) => question),
    'Zyzzyva quokka xylophonist?',
    'Which quarterly zeppelin invoices mention submarines and roses?',
    '???',
    'tag:sql -"running total" is:archived',
  ])('to “%s”', async (question) => {
    await isSame(await ask(await begin(), question));
  });

  it('to questions that lean on those before them', async () => {
    const thread = await begin();
    for (const question of [
      'How do I sharpen the kitchen knives?',
      'And how long?',
      'What about the angle?',
    ]) {
      world.clock.advance(1_000);
      await isSame(await ask(thread, question));
    }
  });

  it('to a question about memories and spaces that it names, and about spaces that are not there', async () => {
    const [first, other] = [
      await build.memory({ title: 'Ferry', notes: 'The ferry leaves from Kerteminde at six.' }),
      await build.memory({ title: 'Ferries', notes: 'No ferry leaves on Sundays.' }),
    ];
    const space = await build.space({ name: 'Ships' });
    await build.link(space.id, other.id);
    await until(() => view().spacesOf(other.id).length > 0);
    await findable(other.id, 'ferry sundays');
    const memory = { kind: 'memory', id: first.id, title: 'Ferry' } as const;
    const ships = { kind: 'space', id: space.id, title: 'Ships' } as const;
    const unknown = { kind: 'space', id: newId('space'), title: 'Gone' } as const;
    const cited = async (about: readonly ContextItem[]) => {
      const asked = await ask(await begin(), 'When does the ferry leave?', about);
      await isSame(asked);
      return new Set(asked.device.citations.map(({ memoryId }) => memoryId));
    };
    expect(await cited([memory])).toEqual(new Set([first.id]));
    expect(await cited([ships])).toEqual(new Set([other.id]));
    expect(await cited([memory, ships])).toEqual(new Set([first.id, other.id]));
    expect(await cited([unknown])).toEqual(new Set());
  });

  it('from the text of a long note once that is here, and from its beginning before', async () => {
    const end = 'The narwhal sleeps under the lighthouse of Skagen.';
    const notes = `Of narwhals and whales.\n\n${'Filler stands here.\n\n'.repeat(400)}${end}`;
    const { id } = await build.memory({ title: 'Narwhals', notes });
    await until(() => view().get('memory', id)?.bodyHash);
    await findable(id, 'narwhals');
    const early = await ask(await begin(), 'Where do the narwhals sleep?');
    expect(early.device.content).not.toContain('lighthouse of Skagen');
    await page.bodies.keep(notes);
    await findable(id, 'lighthouse skagen');
    const late = await ask(await begin(), 'Where do the narwhals sleep?');
    expect(late.device.content).toContain('lighthouse of Skagen');
    await isSame(late);
  });

  it('and quotes nothing that only another member reads', async () => {
    const own = await build.space({ name: 'Own', visibility: 'private' });
    const kept = await build.memory({ title: 'Kept', notes: 'The wombat hides in Alice’s drawer.' });
    await build.link(own.id, kept.id);
    await cast.bob.api('space.create', {
      body: { workspaceId: cast.workspaceId, name: 'Bob’s', visibility: 'private' },
    });
    const { result: spaces } = await cast.bob.api('space.list', {
      params: { workspaceId: cast.workspaceId },
    });
    const bobs = spaces.find(({ name }) => name === 'Bob’s');
    if (!bobs) throw new Error('Not made');
    await cast.bob.api('memory.create', {
      body: {
        workspaceId: cast.workspaceId,
        spaceId: bobs.id,
        title: 'Secret',
        notes: 'The wombat hides in Bob’s garage.',
      },
    });
    await findable(kept.id, 'wombat drawer');
    const asked = await ask(await begin(), 'Where does the wombat hide?');
    expect(asked.device.content).toContain('drawer');
    expect(asked.device.content).not.toContain('garage');
    await isSame(asked);
  });
});
