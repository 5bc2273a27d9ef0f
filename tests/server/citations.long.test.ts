/** Sources of answers: what may be cited, what members read of it, and that no public form names a private one. */
import { describe, expect, test } from 'vitest';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { writeAnswer } from '#server/threads/answers.ts';
import type { Row } from '#shared/entities.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Visibility } from '#shared/spaces/visibility.ts';
import type { Citation } from '#shared/threads/citation.ts';
import { ANSWERS } from '#shared/threads/limits.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { openEventStream } from '#tests/support/event-stream.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { createPassersBy, passerBy } from '#tests/support/passers-by.ts';
import { openWorld } from '#tests/support/world.ts';
import { asPerson } from '#server/sync/readable.ts';

/** In titles, notes and quotes of what visitors must not see. */
const SECRET = 'xylophone';
const PRIVATE = 'private source';

await ensureBuilt();
const world = await openWorld({ web: true, env: { TRUST_PROXY: 'loopback' } });
const cast = await createCast(world);
const build = createBuild(cast);
const visitor = createPassersBy(world);

/** Writes an answer as the owner asked for it. */
async function answer(threadId: Id<'thread'>, citations: Citation[], by = cast.alice) {
  world.clock.advance(1_000);
  const { value } = await writeInRealm(world.context, cast.workspaceId, asPerson(by.user.id), (tx) =>
    writeAnswer(tx, { threadId, content: 'On the north wall.', citations }),
  );
  return value;
}

/** A memory in a space of its own. */
async function memoryIn(visibility: Visibility, title: string) {
  const space = await build.space({ name: `Space of ${title}`, visibility });
  const memory = await build.memory({ title, notes: `Notes with a ${SECRET}`, spaceId: space.id });
  return { space, memory };
}

const cite = ({ id }: { id: Id<'memory'> }): Citation => ({
  memoryId: id,
  quote: `a ${SECRET} of a passage`,
});

async function talk(citations: Citation[], visibility: Visibility = 'public') {
  const thread = await build.thread({ name: 'Which anemone?', visibility });
  const messageId = await answer(thread.id, citations);
  return { thread, messageId, place: { workspaceId: cast.workspaceId, threadId: thread.id } };
}

/** Every form in which visitors get a thread. */
async function publicForms(thread: Pick<Row<'thread'>, 'id'>): Promise<Record<string, string>> {
  const page = `/${cast.slug}/threads/p/${thread.id}`;
  const place = { workspaceId: cast.workspaceId, threadId: thread.id };
  const get = async (path: string) => (await visitor('GET', path)).text;
  const file = async (format: string) =>
    (await visitor('POST', '/v1/public/messages/export', { body: { ...place, format } })).text;
  const stream = await openEventStream(
    `${world.url}/v1/public/threads/${cast.workspaceId}/${thread.id}/follow`,
    passerBy(),
  );
  const followed = JSON.stringify(await stream.next());
  stream.close();
  return {
    call: (await visitor('GET', `/v1/public/messages/${cast.workspaceId}/${thread.id}`)).text,
    page: await get(page),
    markdown: await get(`${page}.md`),
    atom: await get(`${page}/feed.xml`),
    json: await get(`${page}/feed.json`),
    followed,
    'file, markdown': await file('markdown'),
    'file, html': await file('html'),
    'file, text': await file('text'),
    'file, json': await file('json'),
  };
}

/** Feeds carry the words of messages alone. */
const SHOWS_SOURCES = (form: string): boolean => form !== 'atom' && form !== 'json';

async function expectMasked(thread: Pick<Row<'thread'>, 'id'>, memory: Pick<Row<'memory'>, 'id'>) {
  for (const [form, text] of Object.entries(await publicForms(thread))) {
    expect([form, text.includes('On the north wall.')]).toEqual([form, true]);
    expect([form, text.includes(SECRET), text.includes(memory.id)]).toEqual([form, false, false]);
    if (SHOWS_SOURCES(form)) expect([form, text.includes(PRIVATE)]).toEqual([form, true]);
  }
}

async function expectNamed(thread: Pick<Row<'thread'>, 'id'>, title: string) {
  for (const [form, text] of Object.entries(await publicForms(thread))) {
    if (SHOWS_SOURCES(form)) expect([form, text.includes(title)]).toEqual([form, true]);
    // What was quoted may come from notes, which are the owner's alone.
    expect([form, text.includes(SECRET), text.includes(PRIVATE)]).toEqual([form, false, false]);
  }
}

const setSpace = (id: Id<'space'>, body: { visibility?: Visibility; publishText?: boolean }) =>
  cast.alice.api('space.update', { params: { workspaceId: cast.workspaceId, id }, body });

describe('visitors', () => {
  test.each(['public', 'unlisted'] as const)(
    'read the title of a source in a %s space, and no quote',
    async (visibility) => {
      const { space, memory } = await memoryIn(visibility, `Beadlet ${visibility}`);
      const { thread } = await talk([cite(memory)]);
      await expectNamed(thread, `Beadlet ${visibility}`);
      const { result } =
        (await visitor('GET', `/v1/public/messages/${cast.workspaceId}/${thread.id}`)).json ?? {};
      expect(result).toMatchObject([
        {
          citations: [
            { number: 1, memoryId: memory.id, title: `Beadlet ${visibility}`, spaceSlug: space.slug },
          ],
        },
      ]);
      const { page } = await publicForms(thread);
      expect(page).toContain(`href="/${cast.slug}/spaces/p/${space.slug}/${memory.id}"`);
      await setSpace(space.id, { publishText: false });
      const { page: withTitles } = await publicForms(thread);
      expect(withTitles).toContain(
        `href="/${cast.slug}/spaces/p/${space.slug}?memory=${memory.id}#${memory.id}"`,
      );
    },
  );

  test.each(['private', 'workspace', 'internal'] as const)(
    'read “private source” of one in a %s space',
    async (visibility) => {
      const { memory } = await memoryIn(visibility, `The ${SECRET}`);
      await expectMasked((await talk([cite(memory)])).thread, memory);
    },
  );

  test('read “private source” of one that stands in no space at all', async () => {
    const memory = await build.memory({ title: `The ${SECRET}` });
    await expectMasked((await talk([cite(memory)])).thread, memory);
  });

  test('keep the numbers of those between which a source is private', async () => {
    const shared = await memoryIn('public', 'Limpets');
    const own = await memoryIn('private', `The ${SECRET}`);
    const { thread } = await talk([cite(own.memory), cite(shared.memory), cite(own.memory)]);
    const { result } =
      (await visitor('GET', `/v1/public/messages/${cast.workspaceId}/${thread.id}`)).json ?? {};
    const masked = { memoryId: null, title: PRIVATE, spaceSlug: null, hasPage: false };
    expect(result).toMatchObject([
      {
        citations: [
          { number: 1, ...masked },
          { number: 2, title: 'Limpets' },
          { number: 3, ...masked },
        ],
      },
    ]);
  });

  test('lose a source with the next request when its space is tightened, also of pages that were kept', async () => {
    const { space, memory } = await memoryIn('public', `Whelk and ${SECRET}s`);
    const { thread } = await talk([{ memoryId: memory.id, quote: null }]);
    const before = await publicForms(thread);
    expect(before['page']).toContain(SECRET);
    expect((await publicForms(thread))['page']).toContain(SECRET);
    for (const visibility of ['workspace', 'private'] as const) {
      await setSpace(space.id, { visibility });
      await expectMasked(thread, memory);
    }
    await setSpace(space.id, { visibility: 'unlisted' });
    expect((await publicForms(thread))['page']).toContain(SECRET);
    await cast.alice.api('space.remove', { params: { workspaceId: cast.workspaceId, id: space.id } });
    await expectMasked(thread, memory);
  });

  test('lose a source that is archived, deleted, taken out of its space, or whose space was hidden', async () => {
    const { workspaceId } = cast;
    const changes = {
      archived: (id: Id<'memory'>) =>
        cast.alice.api('memory.update', { params: { workspaceId, id }, body: { archived: true } }),
      deleted: (id: Id<'memory'>) => cast.alice.api('memory.remove', { params: { workspaceId, id } }),
      unlinked: (memoryId: Id<'memory'>, spaceId: Id<'space'>) =>
        cast.alice.api('space_memory.remove', { params: { workspaceId, spaceId, id: memoryId } }),
      hidden: (_id: Id<'memory'>, resourceId: Id<'space'>) =>
        writeInRealm(world.context, workspaceId, systemActor, ({ trx, now }) =>
          trx
            .insertInto('hidden_resource')
            .values({ workspaceId, resourceId, since: now.toISOString() })
            .execute(),
        ),
    };
    for (const [name, change] of Object.entries(changes)) {
      const { space, memory } = await memoryIn('public', `${name} ${SECRET}`);
      const { thread } = await talk([{ memoryId: memory.id, quote: null }]);
      expect((await publicForms(thread))['markdown']).toContain(SECRET);
      await change(memory.id, space.id);
      await expectMasked(thread, memory);
    }
  });

  test('are told of a complete answer with masked sources while they follow', async () => {
    const { memory } = await memoryIn('private', `The ${SECRET}`);
    const thread = await build.thread({ name: 'Which anemone?', visibility: 'public' });
    const stream = await openEventStream(
      `${world.url}/v1/public/threads/${cast.workspaceId}/${thread.id}/follow`,
      passerBy(),
    );
    expect((await stream.next())?.event).toBe('snapshot');
    const id = await answer(thread.id, [cite(memory)]);
    const created = await stream.next();
    const completed = await stream.next();
    expect([created?.event, completed?.event]).toEqual(['message.created', 'message.completed']);
    expect(completed?.data).toEqual({
      id,
      citations: [{ number: 1, memoryId: null, title: PRIVATE, spaceSlug: null, hasPage: false }],
    });
    expect(JSON.stringify([created, completed])).not.toContain(SECRET);
    stream.close();
  });

  test('get a file without sources when they want none', async () => {
    const { memory } = await memoryIn('public', 'Blenny of the ledge');
    const { place } = await talk([cite(memory)]);
    for (const format of ['markdown', 'html', 'text', 'json']) {
      const body = { ...place, format, include: { citations: false } };
      const { text } = await visitor('POST', '/v1/public/messages/export', { body });
      expect([format, text.includes('On the north wall.'), text.includes('Blenny')]).toEqual([
        format,
        true,
        false,
      ]);
    }
  });

  test('get the title of a source as text, whatever it says', async () => {
    const { memory } = await memoryIn('public', '<script>alert(1)</script>](javascript:alert(1))');
    const forms = await publicForms((await talk([cite(memory)])).thread);
    for (const form of ['page', 'file, html'])
      expect([form, forms[form]?.includes('<script>alert')]).toEqual([form, false]);
    for (const form of ['markdown', 'file, markdown'])
      expect(forms[form]).toContain(String.raw`[\<script\>alert(1)\</script\>\](javascript:alert(1))](<http`);
  });
});

describe('members', () => {
  test('read the sources as they were stored, in calls, replicas and streams', async () => {
    const { memory } = await memoryIn('workspace', 'Dog whelk');
    const { messageId, place } = await talk([cite(memory)], 'workspace');
    const { result } = await cast.bob.api('message.get', { params: { ...place, id: messageId } });
    expect(result.citations).toEqual([cite(memory)]);
    const list = await cast.bob.api('message.list', { params: place, query: {} });
    expect(list.result[0]?.citations).toEqual([cite(memory)]);
    const path = `/v1/threads/${place.workspaceId}/${place.threadId}/follow`;
    const stream = await openEventStream(world.url + path, { authorization: `Bearer ${cast.bob.token}` });
    expect(JSON.stringify(await stream.next())).toContain(SECRET);
    stream.close();
  });

  test('take titles, links and quotes along in a file, of what they may read', async () => {
    const open = await memoryIn('workspace', 'Dog whelk');
    const own = await memoryIn('private', `The ${SECRET}`);
    const { place } = await talk(
      [{ memoryId: open.memory.id, quote: 'grey and slow' }, cite(own.memory)],
      'workspace',
    );
    const fileOf = async (by: Cast['alice'], format: string) =>
      (await by.raw('POST', '/v1/messages/export', { body: { ...place, format } })).text;
    const link = `http://localhost:4000/${cast.slug}?memory=${open.memory.id}`;
    for (const format of ['markdown', 'html', 'text', 'json']) {
      const bobs = await fileOf(cast.bob, format);
      for (const words of ['Dog whelk', 'grey and slow', link, 'a memory that is gone or not yours to read'])
        expect([format, words, bobs.includes(words)]).toEqual([format, words, true]);
      expect([format, bobs.includes(SECRET), bobs.includes(own.memory.id)]).toEqual([format, false, false]);
      expect(await fileOf(cast.alice, format)).toContain(SECRET);
    }
    const kept = { ...place, destination: 'memory' };
    const note = await cast.bob.raw('POST', '/v1/messages/export', { body: kept });
    const { id } = { id: String(Reflect.get(Object(note.json?.result), 'memoryId')) };
    const { text } = await cast.bob.raw('GET', `/v1/memories/${place.workspaceId}/${id}`);
    expect(text).toContain(link);
    expect(text).not.toContain(SECRET);
  });

  test('cannot write sources themselves', async () => {
    const { memory } = await memoryIn('workspace', 'Dog whelk');
    const { place } = await talk([], 'workspace');
    const body = { content: 'Look', role: 'assistant', citations: [cite(memory)] };
    const { json } = await cast.bob.raw('POST', `/v1/messages/${place.workspaceId}/${place.threadId}`, {
      body,
    });
    if (json?.success === true)
      expect(json.result).toMatchObject({ message: { role: 'user', citations: [] } });
    else expect(json).toMatchObject({ success: false });
  });
});

describe('an answer', () => {
  test('cites only live memories of its workspace that the person who asked may read', async () => {
    const own = await memoryIn('private', `The ${SECRET}`);
    const { thread } = await talk([], 'workspace');
    const elsewhere = await cast.eve.api('memory.create', {
      body: { workspaceId: cast.evesWorkspaceId, title: 'Of another workspace' },
    });
    const deleted = await build.memory({ title: 'Deleted' });
    await cast.alice.api('memory.remove', { params: { workspaceId: cast.workspaceId, id: deleted.id } });
    for (const memory of [elsewhere.result, deleted, { id: newId('memory') }])
      await expect(answer(thread.id, [cite(memory)])).rejects.toMatchObject({ code: 'not_found' });
    await expect(answer(thread.id, [cite(own.memory)], cast.bob)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(answer(newId('thread'), [])).rejects.toMatchObject({ code: 'not_found' });
    const { result } = await cast.alice.api('message.list', {
      params: { workspaceId: cast.workspaceId, threadId: thread.id },
      query: {},
    });
    expect(result).toHaveLength(1);
  });

  test('is refused with sources of a wrong shape', async () => {
    const { memory } = await memoryIn('workspace', 'Dog whelk');
    const { thread } = await talk([], 'workspace');
    const { memoryId } = cite(memory);
    for (const citations of [
      [{ memoryId, quote: 'x'.repeat(ANSWERS.quoteMax + 1) }],
      [{ memoryId, quote: 'a\u0000b' }],
      Array.from({ length: 51 }, () => ({ memoryId, quote: null })),
    ])
      await expect(answer(thread.id, citations)).rejects.toMatchObject({ code: 'bad_request' });
  });
});
