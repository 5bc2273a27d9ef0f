// Answers to messages: found in what their author may read, through HTTP with a real database and its queue.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHandlers } from '#server/job-handlers.ts';
import { TIMEOUTS } from '#server/limits.ts';
import { answerMessage, giveUpAnswer } from '#server/threads/answer-message.ts';
import { newId, type Id } from '#shared/ids.ts';
import { planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { withContext } from '#shared/threads/message-context.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { corpusNotes, THREAD_QUESTIONS } from '#tests/support/note-corpus.ts';
import { createWorld, type World } from '#tests/support/world.ts';
import { describeLong, itLong } from '#tests/support/long-test.ts';

let world: World;
let cast: Cast;
let build: ReturnType<typeof createBuild>;

async function open(): Promise<void> {
  world = await createWorld();
  cast = await createCast(world);
  build = createBuild(cast);
}

const close = () => world.close();

async function ask(
  threadId: Id<'thread'>,
  content: string,
  {
    agent = cast.alice,
    ...sources
  }: { agent?: Agent; memoryIds?: Id<'memory'>[]; spaceIds?: Id<'space'>[] } = {},
): Promise<Id<'message'>> {
  const { result } = await agent.api('message.create', {
    params: { workspaceId: cast.workspaceId, threadId },
    body: { content, ...sources },
  });
  return result.message.id;
}

async function messagesOf(threadId: Id<'thread'>, agent = cast.alice): Promise<Message[]> {
  const { result } = await agent.api('message.list', {
    params: { workspaceId: cast.workspaceId, threadId },
    query: { orderBy: 'createdAt', order: 'asc', perPage: 100 },
  });
  return result;
}

const answersIn = async (threadId: Id<'thread'>) =>
  (await messagesOf(threadId)).filter(({ role }) => role === 'assistant');

interface Payload {
  workspaceId: Id<'workspace'>;
  messageId: Id<'message'>;
}

/** What the queue holds for a message. */
async function queued(messageId: Id<'message'>): Promise<Payload[]> {
  const { rows } = await sql<{ data: Payload }>`
    select "data" from pgboss.job where "name" = 'message.answer' and "data" ->> 'messageId' = ${messageId}`.execute(
    world.context.db,
  );
  return rows.map(({ data }) => data);
}

/** Does what the queue asks for. */
async function answer(messageId: Id<'message'>): Promise<void> {
  const [payload] = await queued(messageId);
  if (payload === undefined) throw new Error('Nothing was queued');
  await answerMessage(world.context, payload);
}

async function asked(content: string, sources?: Parameters<typeof ask>[2]): Promise<Message | undefined> {
  const thread = await build.thread();
  await answer(await ask(thread.id, content, sources));
  return (await answersIn(thread.id))[0];
}

describe('thirty questions about the notes', () => {
  const files = new Map<string, string>();
  beforeAll(async () => {
    await open();
    for (const { file, title, notes, tags } of corpusNotes()) {
      const memory = await build.memory({ title, notes, tags });
      files.set(memory.id, file);
    }
  });
  afterAll(close);

  itLong('rest on the right note for at least 27, and put it first for at least 24', async () => {
    const missed: string[] = [];
    const later: string[] = [];
    for (const [question, file] of THREAD_QUESTIONS) {
      const reply = await asked(question);
      const cited = reply?.citations.map(({ memoryId }) => files.get(memoryId)) ?? [];
      if (!cited.includes(file)) missed.push(`${question} → ${cited.join(', ')}`);
      if (cited[0] !== file) later.push(`${question} → ${cited[0] ?? 'nothing'}`);
    }
    // A list that is too long is shown whole.
    expect(missed.length > 3 ? missed : []).toEqual([]);
    expect(later.length > 6 ? later : []).toEqual([]);
  });

  it('are read together with the question before them when they lean on it', async () => {
    const thread = await build.thread();
    await answer(await ask(thread.id, 'How do I sharpen the kitchen knives?'));
    world.clock.advance(1_000);
    await answer(await ask(thread.id, 'And how long?'));
    const [, last] = await answersIn(thread.id);
    expect(files.get(last?.citations[0]?.memoryId ?? '')).toBe('kitchen/knife-sharpening.md');
  });

  it('are answered with passages that stand in the note, numbered as the sources are', async () => {
    const reply = await asked('How much brown and green does a compost heap need?');
    expect(reply?.content).toContain('two parts of brown to one part of green');
    expect(reply?.content).toContain(String.raw`\[1\]`);
    const [{ quote, memoryId } = { quote: '', memoryId: '' }] = reply?.citations ?? [];
    const note = corpusNotes().find(({ file }) => file === files.get(memoryId));
    expect(note?.notes.replace(/\s+/g, ' ')).toContain(quote);
  });

  it('that nothing answers say so', async () => {
    const reply = await asked('Zyzzyva quokka xylophonist?');
    expect(reply?.content).toBe('I found nothing about this in your memories.');
    expect(reply?.citations).toEqual([]);
  });

  it('that only share a word with a note are not called answered', async () => {
    const reply = await asked('Which quarterly zeppelin invoices mention submarines and roses?');
    expect(reply?.content).toMatch(/^I found no clear answer/);
  });
});

describe('a message', () => {
  beforeAll(open);
  afterAll(close);

  it('gets one answer however often its job runs, also side by side', async () => {
    await build.memory({ title: 'Ferry', notes: 'The ferry leaves from Kerteminde at six.' });
    const thread = await build.thread();
    const id = await ask(thread.id, 'When does the ferry leave?');
    expect(await queued(id)).toHaveLength(1);
    await Promise.all([answer(id), answer(id), answer(id)]);
    await answer(id);
    const replies = await answersIn(thread.id);
    expect(replies).toHaveLength(1);
    expect(replies[0]).toMatchObject({ replyTo: id, createdBy: null });
    expect(replies[0]?.content).toContain('The ferry leaves from Kerteminde at six.');
  });

  it('that was given up says so, once, and not when there is an answer', async () => {
    const thread = await build.thread();
    const id = await ask(thread.id, 'When does the ferry leave?');
    const payload = { workspaceId: cast.workspaceId, messageId: id };
    await giveUpAnswer(world.context, payload);
    await giveUpAnswer(world.context, payload);
    await answer(id);
    const replies = await answersIn(thread.id);
    expect(replies.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^This message could not be/),
    ]);
  });

  it('whose jobs all ended without an answer is found, and gets one', async () => {
    const thread = await build.thread();
    const id = await ask(thread.id, 'When does the ferry leave?');
    const look = () => createJobHandlers(world.context)['message.answer_due'].run({});
    const end = () =>
      sql`update pgboss.job set "state" = 'failed' where "data" ->> 'messageId' = ${id}`.execute(
        world.context.db,
      );
    await look();
    expect(await queued(id)).toHaveLength(1);
    await end();
    await look();
    await look();
    expect(await queued(id)).toHaveLength(2);
    await answer(id);
    await end();
    await look();
    expect(await queued(id)).toHaveLength(2);
    expect(await answersIn(thread.id)).toHaveLength(1);
  });

  it('whose memories cannot be read in time waits for the next try of its job', async () => {
    const memory = await build.memory({ title: 'Ferry', notes: 'The ferry leaves at six. '.repeat(3_500) });
    const thread = await build.thread();
    const id = await ask(thread.id, 'When does the ferry leave?', { memoryIds: [memory.id] });
    const { passages } = TIMEOUTS;
    Object.assign(TIMEOUTS, { passages: 1 });
    try {
      await expect(answer(id)).rejects.toThrow('too busy');
    } finally {
      Object.assign(TIMEOUTS, { passages });
    }
    expect(await answersIn(thread.id)).toEqual([]);
    await answer(id);
    expect((await answersIn(thread.id))[0]?.content).toContain('The ferry leaves at six.');
  });

  it('is answered from the index although it takes longer than a search may', async () => {
    // Found by a word that is used alike, which the database does not know.
    await build.memory({ title: 'Harbour', notes: 'The physician comes on Tuesdays.' });
    const thread = await build.thread();
    const id = await ask(thread.id, 'When is the doctor there?');
    const request = {
      workspaceId: cast.workspaceId,
      userId: cast.alice.user.id,
      plan: planSearch(parseSearchQuery('doctor')),
      conditions: {},
      page: 1,
      perPage: 10,
    };
    const answered = await world.context.db.transaction().execute(async (trx) => {
      // Read by the index before it follows the feed.
      await sql`lock table "sync_audience_member" in access exclusive mode`.execute(trx);
      const work = answer(id);
      expect(await world.context.search.find(request)).toBeUndefined();
      return { work };
    });
    await answered.work;
    expect((await answersIn(thread.id))[0]?.content).toContain('The physician comes on Tuesdays.');
  });

  it('that names a time is answered from that time first, and with a list where it asks for no more', async () => {
    const at = (day: string) => ({ created: `${day}T12:00:00.000Z` });
    await build.memory({
      title: 'Soup',
      notes: 'The soup was too thick for the guests.',
      ...at('2024-05-09'),
    });
    await build.memory({
      title: 'Soup',
      notes: 'The soup was too thin for the guests.',
      ...at('2024-03-03'),
    });
    await build.memory({ title: 'Snow', notes: 'It snowed all day.', ...at('2024-03-04') });
    const soup = await asked('How was the soup for the guests in March 2024?');
    expect(soup?.content).toMatch(/^(?:(?!thick)[^])*too thin/);
    const march = await asked('What did I save in March 2024?');
    expect(march?.content.split('\n\n')).toEqual([
      'From your memories, 1 March 2024 to 31 March 2024, newest first:',
      String.raw`> Snow \[1\]`,
      String.raw`> Soup \[2\]`,
    ]);
    // A time that only a memory of that name tells.
    await build.memory({ title: 'Moving house', notes: 'Eleven boxes.', ...at('2024-05-02') });
    const before = await asked('How was the soup for the guests before the move?');
    expect(before?.content).toMatch(/^(?:(?!thick)[^])*too thin/);
    expect((await asked('What did I save after the move?'))?.content).toMatch(
      /^From your memories, since 3 May 2024/,
    );
    const space = await build.space();
    const tide = await build.memory({ title: 'Tide', notes: 'High at six.', ...at('2023-01-01') });
    const beside = { spaceIds: [space.id], memoryIds: [tide.id] };
    expect((await asked('What did I save in March 2024?', beside))?.content).not.toContain('March 2024');
    expect((await asked('What did I save in April 2024?'))?.content).toBe(
      'I found nothing in your memories, 1 April 2024 to 30 April 2024.',
    );
  });

  it('tells no time of a memory that other readers of the thread may not read', async () => {
    const closed = await build.space({ visibility: 'private' });
    const created = '2024-04-20T12:00:00.000Z';
    await build.memory({ title: 'Merger', notes: 'Signed.', spaceId: closed.id, created });
    const question = 'What did I save after the merger?';
    expect((await asked(question))?.content).toContain('21 April 2024');
    const thread = await build.thread({ visibility: 'workspace' });
    await answer(await ask(thread.id, question));
    expect((await answersIn(thread.id))[0]?.content).not.toContain('2024');
  });

  it('is answered from the named memories or spaces alone', async () => {
    const right = await build.memory({ title: 'Boats', notes: 'Boats rest in the harbour.' });
    await build.memory({ title: 'Boats too', notes: 'Boats are painted in spring, boats all over.' });
    const named = await asked('Where are the boats?', { memoryIds: [right.id] });
    expect(named?.citations.map(({ memoryId }) => memoryId)).toEqual([right.id]);
    const space = await build.space();
    await build.link(space.id, right.id);
    const inSpace = await asked('Where are the boats?', { spaceIds: [space.id] });
    expect(inSpace?.citations.map(({ memoryId }) => memoryId)).toEqual([right.id]);
  });

  it('is answered from the named memories and spaces together, also when asked for again', async () => {
    const named = await build.memory({ title: 'Herons', notes: 'Herons stand in the reeds.' });
    const filed = await build.memory({ title: 'Heron nests', notes: 'Herons nest in tall trees.' });
    await build.memory({ title: 'Heron soup', notes: 'Herons, herons, herons everywhere.' });
    const space = await build.space();
    await build.link(space.id, filed.id);
    const items = [
      { kind: 'memory', id: named.id, title: named.title ?? '' },
      { kind: 'space', id: space.id, title: space.name },
    ] as const;
    const thread = await build.thread();
    // The first line is enough: what is asked for again has nothing else.
    const id = await ask(thread.id, withContext(items, 'What do herons do?'));
    await answer(id);
    const cited = async () =>
      (await answersIn(thread.id))[0]?.citations.map(({ memoryId }) => memoryId).toSorted();
    expect(await cited()).toEqual([named.id, filed.id].toSorted());
    const [first] = await answersIn(thread.id);
    if (!first) throw new Error('There is no answer to replace');
    await answerMessage(world.context, {
      workspaceId: cast.workspaceId,
      messageId: id,
      replaces: first.id,
    });
    expect(await cited()).toEqual([named.id, filed.id].toSorted());
  });

  it('of a person who was removed, or in a thread that was deleted, gets none', async () => {
    const thread = await build.thread();
    const id = await ask(thread.id, 'When does the ferry leave?');
    await cast.alice.api('thread.remove', { params: { workspaceId: cast.workspaceId, id: thread.id } });
    await answer(id);
    const { rows } = await sql`select 1 from "message" where "replyTo" = ${id}`.execute(world.context.db);
    expect(rows).toEqual([]);
  });
});

describe('an answer', () => {
  beforeAll(open);
  afterAll(close);
  const SECRET = 'The safe opens with QUOKKA.';

  async function secretOf(agent: Agent) {
    const space = await build.space({ visibility: 'private' }, agent);
    return build.memory({ title: 'Safe', notes: SECRET, spaceId: space.id }, agent);
  }

  it('never quotes what its asker may not read', async () => {
    await secretOf(cast.bob);
    const reply = await asked('How does the safe open?');
    expect(JSON.stringify(reply)).not.toContain('QUOKKA');
    expect(reply?.citations).toEqual([]);
  });

  it('says nothing of memories and spaces that its asker names and may not read', async () => {
    const secret = await secretOf(cast.bob);
    const own = await build.memory({ title: 'Safe place', notes: 'The safe stands in the cellar.' });
    const hidden = await build.space({ visibility: 'private' }, cast.bob);
    await build.link(hidden.id, own.id, cast.bob);
    const gone = await build.space();
    await build.link(gone.id, own.id);
    await cast.alice.api('space.remove', { params: { workspaceId: cast.workspaceId, id: gone.id } });
    const unknown = { memoryIds: [newId('memory')], spaceIds: [newId('space')] };
    const foreign = await cast.eve.api('memory.create', {
      body: { workspaceId: cast.evesWorkspaceId, title: 'Foreign', notes: 'The safe opens with QUOKKA.' },
    });
    for (const sources of [
      { memoryIds: [secret.id] },
      { spaceIds: [hidden.id] },
      { spaceIds: [gone.id] },
      { memoryIds: [foreign.result.id] },
      unknown,
    ]) {
      const thread = await build.thread();
      // At the door of the API they are not found.
      await expect(ask(thread.id, 'How does the safe open?', sources)).rejects.toMatchObject({
        status: 404,
      });
      // A device may have sent the message before it knew, or may lie.
      const items = [
        ...(sources.memoryIds ?? []).map((id) => ({ kind: 'memory', id, title: 'Safe' }) as const),
        ...(sources.spaceIds ?? []).map((id) => ({ kind: 'space', id, title: 'Safe' }) as const),
      ];
      await answer(await ask(thread.id, withContext(items, 'How does the safe open?')));
      const [reply] = await answersIn(thread.id);
      expect(reply?.citations).toEqual([]);
      expect(JSON.stringify(reply)).not.toMatch(/QUOKKA|cellar/);
    }
  });

  it('and its question show visitors no title of what the question names', async () => {
    const secret = await secretOf(cast.alice);
    const thread = await build.thread({ visibility: 'public' });
    const items = [{ kind: 'memory', id: secret.id, title: 'Safe of the family' }] as const;
    await answer(await ask(thread.id, withContext(items, 'How does it open?')));
    const { result } = await cast.alice.api('public_message.list', {
      params: { workspaceId: cast.workspaceId, threadId: thread.id },
      query: {},
    });
    expect(JSON.stringify(result)).not.toMatch(/Safe of the family|QUOKKA|memory:/);
    expect(result.map(({ content }) => content)).toContain('How does it open?');
  });

  it('quotes private memories in a private thread, and not where others read', async () => {
    await secretOf(cast.alice);
    expect((await asked('How does the safe open?'))?.content).toContain('QUOKKA');
    for (const visibility of ['workspace', 'unlisted', 'public'] as const) {
      const thread = await build.thread({ visibility });
      await answer(await ask(thread.id, 'How does the safe open?'));
      const [reply] = await answersIn(thread.id);
      expect([visibility, JSON.stringify(reply).includes('QUOKKA')]).toEqual([visibility, false]);
    }
  });

  it('in a public thread quotes only what public spaces show', async () => {
    const space = await build.space({ visibility: 'public' });
    const memory = await build.memory({
      title: 'Lighthouse',
      description: 'The lighthouse was built in 1871.',
      // Notes on a link are private annotations.
      url: 'https://lighthouse.example/history',
      notes: 'The lighthouse keeper drinks.',
    });
    await build.link(space.id, memory.id);
    const note = await build.memory({
      title: 'Lamp',
      notes: 'The lighthouse lamp turns every nine seconds.',
    });
    await build.link(space.id, note.id);
    const thread = await build.thread({ visibility: 'public' });
    await answer(await ask(thread.id, 'When was the lighthouse built, and does its keeper drink?'));
    const [reply] = await answersIn(thread.id);
    expect(reply?.content).toContain('built in 1871');
    expect(JSON.stringify(reply)).not.toContain('drinks');
    await answer(await ask(thread.id, 'How often does the lighthouse lamp turn?'));
    expect(JSON.stringify(await answersIn(thread.id))).toContain('nine seconds');
  });

  it('that was found before the thread was opened to others is looked for again', async () => {
    await secretOf(cast.alice);
    const thread = await build.thread();
    const id = await ask(thread.id, 'How does the safe open?');
    const { context } = world;
    let opened = false;
    // The thread changes between the search and the write.
    const slow = {
      ...context,
      search: {
        ...context.search,
        find: async (request: Parameters<typeof context.search.find>[0]) => {
          if (!opened) {
            opened = true;
            await cast.alice.api('thread.update', {
              params: { workspaceId: cast.workspaceId, id: thread.id },
              body: { visibility: 'workspace' },
            });
          }
          return context.search.find(request);
        },
      },
    };
    const payload = { workspaceId: cast.workspaceId, messageId: id };
    await expect(answerMessage(slow, payload)).rejects.toThrow('other readers');
    await answerMessage(slow, payload);
    const [reply] = await answersIn(thread.id);
    expect(JSON.stringify(reply)).not.toContain('QUOKKA');
  });

  it('does not name a memory that is deleted meanwhile', async () => {
    const memory = await build.memory({ title: 'Kiln', notes: 'The kiln burns at 1240 degrees.' });
    const thread = await build.thread();
    const id = await ask(thread.id, 'How hot does the kiln burn?');
    const { context } = world;
    const slow = {
      ...context,
      search: {
        ...context.search,
        find: async (request: Parameters<typeof context.search.find>[0]) => {
          const found = await context.search.find(request);
          await cast.alice.api('memory.remove', { params: { workspaceId: cast.workspaceId, id: memory.id } });
          return found;
        },
      },
    };
    await answerMessage(slow, { workspaceId: cast.workspaceId, messageId: id });
    expect(JSON.stringify(await answersIn(thread.id))).not.toContain('1240');
  });
});

describeLong('with a queue at work', () => {
  it('twenty messages get their answers by themselves', async () => {
    world = await createWorld({ jobs: true });
    try {
      cast = await createCast(world);
      build = createBuild(cast);
      await build.memory({ title: 'Ferry', notes: 'The ferry leaves from Kerteminde at six.' });
      const thread = await build.thread();
      for (let count = 0; count < 20; count += 1) await ask(thread.id, `Ferry number ${count}?`);
      await expect.poll(() => answersIn(thread.id).then(({ length }) => length)).toBe(20);
    } finally {
      await world.close();
    }
  });
});
