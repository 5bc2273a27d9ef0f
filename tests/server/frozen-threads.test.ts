/** A frozen public view over HTTP: every form ends with the last public message, whatever arrives later and however. */
import { describe, expect, test } from 'vitest';
import { writeInRealm } from '#server/db/transaction.ts';
import { writeAnswer } from '#server/threads/answers.ts';
import { newId, type Id } from '#shared/ids.ts';
import { SYNC } from '#shared/sync/limits.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { openEventStream } from '#tests/support/event-stream.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { createPassersBy, passerBy } from '#tests/support/passers-by.ts';
import { openWorld } from '#tests/support/world.ts';
import { asPerson } from '#server/sync/readable.ts';

const LATER = 'xylophone';

await ensureBuilt();
const world = await openWorld({ web: true, env: { TRUST_PROXY: 'loopback' } });
const cast = await createCast(world);
const visitor = createPassersBy(world);

async function say(threadId: Id<'thread'>, content: string, by = cast.alice): Promise<Id<'message'>> {
  world.clock.advance(1_000);
  const params = { workspaceId: cast.workspaceId, threadId };
  return (await by.api('message.create', { params, body: { content } })).result.message.id;
}

const update = (id: Id<'thread'>, publicUntil: Id<'message'> | null, by = cast.alice) =>
  by.api('thread.update', { params: { workspaceId: cast.workspaceId, id }, body: { publicUntil } });

/** A public thread that was frozen after its second message. */
async function frozenTalk() {
  const thread = await createBuild(cast).thread({ name: 'Which anemone?', visibility: 'public' });
  await say(thread.id, 'First words');
  const last = await say(thread.id, 'Last words');
  const { result } = await update(thread.id, last);
  expect(result.publicUntil).toBe(last);
  return { id: thread.id, last };
}

const followPath = (id: string) => `/v1/public/threads/${cast.workspaceId}/${id}/follow`;

async function publicForms(id: Id<'thread'>): Promise<Record<string, string>> {
  const page = `/${cast.slug}/threads/p/${id}`;
  const get = async (path: string) => (await visitor('GET', path)).text;
  const body = { workspaceId: cast.workspaceId, threadId: id };
  const stream = await openEventStream(world.url + followPath(id), passerBy());
  const followed = JSON.stringify(await stream.next());
  stream.close();
  return {
    call: (await visitor('GET', `/v1/public/messages/${cast.workspaceId}/${id}`)).text,
    page: await get(page),
    markdown: await get(`${page}.md`),
    atom: await get(`${page}/feed.xml`),
    json: await get(`${page}/feed.json`),
    file: (await visitor('POST', '/v1/public/messages/export', { body })).text,
    followed,
  };
}

async function expectShown(id: Id<'thread'>, isLaterShown: boolean) {
  for (const [form, text] of Object.entries(await publicForms(id)))
    expect([form, text.includes('Last words'), text.includes(LATER)]).toEqual([form, true, isLaterShown]);
}

const publicThread = async (id: string) =>
  (await visitor('GET', `/v1/public/threads/${cast.workspaceId}/${id}`)).json?.result;

describe('a thread as other people see it', () => {
  const viewAs = async (id: Id<'thread'>, viewer: 'member' | 'guest' | 'visitor') => {
    const params = { workspaceId: cast.workspaceId, id };
    return (await cast.alice.api('thread.view_as', { params, query: { viewer } })).result;
  };

  test('ends with the freeze for visitors and is whole for members; guests of a public one are visitors', async () => {
    const { id } = await frozenTalk();
    await say(id, LATER);
    const visitors = await viewAs(id, 'visitor');
    expect(visitors.messages.map(({ content }) => content)).toEqual(['First words', 'Last words']);
    expect(visitors).toMatchObject({ reads: true, total: 2, thread: { name: 'Which anemone?' } });
    const members = await viewAs(id, 'member');
    expect(members.messages.map(({ content }) => content)).toContain(LATER);
    expect(await viewAs(id, 'guest')).toEqual({ ...visitors, viewer: 'guest' });
  });

  test('follows the visibility, and is for those who may change it in a session of their own', async () => {
    const { id } = await createBuild(cast).thread({ name: 'For guests', visibility: 'private_and_guests' });
    await say(id, 'Between us');
    expect(await viewAs(id, 'guest')).toMatchObject({ reads: true, total: 1 });
    for (const viewer of ['member', 'visitor'] as const)
      expect(await viewAs(id, viewer)).toMatchObject({ reads: false, messages: [], total: 0 });
    const shared = await createBuild(cast).thread({ name: 'For members', visibility: 'workspace' });
    const path = (thread: string) => `/v1/threads/${cast.workspaceId}/${thread}/view_as`;
    expect((await cast.bob.raw('GET', path(shared.id))).status, 'of another member').toBe(403);
    expect((await cast.bob.raw('GET', path(id))).status, 'not readable').toBe(404);
    expect((await cast.eve.raw('GET', path(shared.id))).status, 'a stranger').toBe(403);
    expect((await visitor('GET', path(shared.id))).status).toBe(401);
    for (const viewer of ['owner', '', 'member,guest', '%00']) {
      const { status } = await cast.alice.raw('GET', `${path(shared.id)}?viewer=${viewer}`);
      expect([viewer, status]).toEqual([viewer, 400]);
    }
  });
});

describe('a frozen thread', () => {
  test('shows nothing that is written later in any form, until that is taken back', async () => {
    const { id } = await frozenTalk();
    const before = await publicThread(id);
    expect(before).toMatchObject({ frozen: true, messageCount: 2 });
    await say(id, `The ${LATER}`);
    await writeInRealm(world.context, cast.workspaceId, asPerson(cast.alice.user.id), (tx) =>
      writeAnswer(tx, { threadId: id, content: `An answer with a ${LATER}` }),
    );
    await expectShown(id, false);
    // Not even that something was written.
    expect(await publicThread(id)).toEqual(before);
    await update(id, null);
    await expectShown(id, true);
    expect(await publicThread(id)).toMatchObject({ frozen: false, messageCount: 4 });
  });

  test('is whole for members', async () => {
    const { id } = await frozenTalk();
    await say(id, `The ${LATER}`);
    const place = { workspaceId: cast.workspaceId, threadId: id };
    expect((await cast.bob.api('message.list', { params: place, query: {} })).result).toHaveLength(3);
    const file = await cast.bob.raw('POST', '/v1/messages/export', { body: place });
    expect(file.text).toContain(LATER);
  });

  test('stays so for what was written offline before and arrives now', async () => {
    const { id, last } = await frozenTalk();
    const at = new Date(world.clock.now().getTime() - 3_600_000).toISOString();
    const args = { id: newId('message'), threadId: id, content: `The ${LATER}`, at };
    const pushed = await cast.bob.raw('POST', `/v1/sync/${cast.workspaceId}/push`, {
      body: {
        pushVersion: 1,
        schemaVersion: SYNC.schemaVersion,
        profileID: 'p',
        clientGroupID: 'frozen',
        mutations: [
          {
            clientID: 'frozen-1',
            id: 1,
            name: 'message.create',
            args,
            timestamp: 1,
          },
        ],
      },
    });
    expect(pushed.status).toBe(200);
    const place = { workspaceId: cast.workspaceId, threadId: id };
    const { result } = await cast.alice.api('message.list', { params: place, query: { order: 'asc' } });
    expect(result.map(({ id: messageId }) => messageId).slice(1)).toEqual([last, args.id]);
    await expectShown(id, false);
  });

  test('lets visitors rate and take along only what they see', async () => {
    const { id } = await frozenTalk();
    const { value: messageId } = await writeInRealm(
      world.context,
      cast.workspaceId,
      asPerson(cast.alice.user.id),
      (tx) => writeAnswer(tx, { threadId: id, content: LATER }),
    );
    const place = { workspaceId: cast.workspaceId, threadId: id };
    const rate = { ...place, messageId, value: 1 };
    expect((await visitor('POST', '/v1/public/messages/rate', { body: rate })).status).toBe(404);
    const one = { ...place, messageIds: [messageId] };
    expect((await visitor('POST', '/v1/public/messages/export', { body: one })).status).toBe(404);
    await update(id, null);
    expect((await visitor('POST', '/v1/public/messages/rate', { body: rate })).status).toBe(200);
  });

  test('tells followers when it is frozen and opened again, and of nothing that is written in between', async () => {
    const thread = await createBuild(cast).thread({ name: 'Which anemone?', visibility: 'public' });
    const last = await say(thread.id, 'Last words');
    const open = () => openEventStream(world.url + followPath(thread.id), passerBy());
    const [staying, leaving] = await Promise.all([open(), open()]);
    const snapshotOf = async (stream: typeof staying) => {
      let told = await stream.next();
      while (told !== undefined && told.event !== 'snapshot') told = await stream.next();
      return told?.data.messages?.map(({ content }) => content);
    };
    for (const stream of [staying, leaving]) expect(await snapshotOf(stream)).toEqual(['Last words']);
    await update(thread.id, last);
    for (const stream of [staying, leaving]) expect(await snapshotOf(stream)).toEqual(['Last words']);
    await say(thread.id, `The ${LATER}`);
    // Told or not by now, nothing of it stands before the end.
    const { workspaceId } = cast;
    const close = (visibility: 'private' | 'public') =>
      cast.alice.api('thread.update', { params: { workspaceId, id: thread.id }, body: { visibility } });
    await close('private');
    for (const stream of [staying, leaving]) expect((await stream.next())?.event).toBe('end');
    await close('public');
    const back = await open();
    expect(await snapshotOf(back)).toEqual(['Last words']);
    await update(thread.id, null);
    expect(await snapshotOf(back)).toEqual(['Last words', `The ${LATER}`]);
    back.close();
  });

  test('tells a follower who comes back after it was opened again what was written behind its end', async () => {
    const { id } = await frozenTalk();
    const back = (at?: string) =>
      openEventStream(world.url + followPath(id), {
        ...passerBy(),
        ...(at === undefined ? {} : { 'last-event-id': at }),
      });
    const first = async (stream: Awaited<ReturnType<typeof back>>) => {
      const told = await stream.next();
      stream.close();
      return { ...told, messages: told?.data.messages?.map(({ content }) => content) };
    };
    await say(id, `The ${LATER}`);
    const frozen = await first(await back());
    expect(frozen.messages).toEqual(['First words', 'Last words']);
    // Nothing changed for this reader: there is nothing to repeat.
    expect(await first(await back(frozen.id))).toMatchObject({ event: 'thread.updated' });
    await update(id, null);
    const open = await first(await back(frozen.id));
    expect(open.messages).toEqual(['First words', 'Last words', `The ${LATER}`]);
    // And who was there meanwhile is not told again, but of what came since.
    const later = await say(id, 'Even later');
    const missed = await (await back(open.id)).next();
    expect(missed).toMatchObject({ event: 'message.created', data: { message: { content: 'Even later' } } });
    await update(id, later);
    const again = await first(await back(open.id));
    expect(again.messages).toEqual(['First words', 'Last words', `The ${LATER}`, 'Even later']);
    for (const wrong of [
      '',
      '.',
      'x',
      '1.2.3',
      `99999999999999999999.${later}`,
      `-1.${later}`,
      `1e1.${later}`,
    ])
      expect([wrong, (await first(await back(wrong))).event]).toEqual([wrong, 'snapshot']);
  });

  test('tells followers of a new end and a new name, and of nothing behind', async () => {
    const { id } = await frozenTalk();
    const next = await say(id, 'A little more');
    await say(id, `The ${LATER}`);
    const stream = await openEventStream(world.url + followPath(id), passerBy());
    expect((await stream.next())?.data.messages).toHaveLength(2);
    await say(id, `Another ${LATER}`);
    await cast.alice.api('thread.update', {
      params: { workspaceId: cast.workspaceId, id },
      body: { name: 'Which anemone was it?' },
    });
    const told = await stream.next();
    expect(told).toMatchObject({
      event: 'thread.updated',
      data: { thread: { name: 'Which anemone was it?' } },
    });
    await update(id, next);
    const moved = await stream.next();
    stream.close();
    expect(moved?.event).toBe('snapshot');
    expect(moved?.data.messages?.map(({ content }) => content)).toEqual([
      'First words',
      'Last words',
      'A little more',
    ]);
  });

  test('moves no date and no place in a list with what is written behind its end', async () => {
    const { id } = await frozenTalk();
    const other = await createBuild(cast).thread({ name: 'Written later', visibility: 'public' });
    await say(other.id, 'Words');
    const dates = async () => {
      const { text } = await visitor('GET', '/sitemap.xml');
      return Object.fromEntries(
        [id, other.id].map((thread) => [
          thread,
          new RegExp(`/threads/p/${thread}</loc><lastmod>([^<]+)</lastmod>`).exec(text)?.[1],
        ]),
      );
    };
    const order = async () => {
      const { result } = await cast.eve.api('public_thread.list', {
        params: { workspaceId: cast.workspaceId },
        query: { orderBy: 'updated', order: 'desc', perPage: 100 },
      });
      return result.map((row) => row.id).filter((listed) => listed === id || listed === other.id);
    };
    const tagOf = async (path: string) => (await visitor('GET', path)).headers.get('etag');
    const forms = ['', '.md', '/feed.xml', '/feed.json'].map(
      (form) => `/${cast.slug}/threads/p/${id}${form}`,
    );
    const before = { dates: await dates(), order: await order(), tags: await Promise.all(forms.map(tagOf)) };
    expect(before.order).toEqual([other.id, id]);
    expect(Object.values(before.dates).every(Boolean)).toBe(true);
    expect(before.tags.every(Boolean)).toBe(true);
    await say(id, `The ${LATER}`);
    expect({ dates: await dates(), order: await order(), tags: await Promise.all(forms.map(tagOf)) }).toEqual(
      before,
    );
    await update(id, null);
    expect(await order()).toEqual([id, other.id]);
    expect((await dates())[id]).not.toBe(before.dates[id]);
  });

  test('is frozen with a message of its own only, by those who may', async () => {
    const { id, last } = await frozenTalk();
    const other = await frozenTalk();
    const send = (by: Cast['alice'], publicUntil: unknown) =>
      by.raw('PATCH', `/v1/threads/${cast.workspaceId}/${id}`, { body: { publicUntil } });
    expect((await send(cast.alice, other.last)).status).toBe(404);
    expect((await send(cast.alice, newId('message'))).status).toBe(404);
    for (const wrong of ['soon', 7, {}]) expect((await send(cast.alice, wrong)).status).toBe(400);
    expect((await send(cast.bob, null)).status).toBe(403);
    expect((await send(cast.rita, null)).status).toBe(403);
    expect((await send(cast.eve, null)).status).toBe(403);
    const place = { workspaceId: cast.workspaceId, id };
    expect((await cast.alice.api('thread.get', { params: place })).result.publicUntil).toBe(last);
  });

  test('cannot be opened again by a member who may not publish', async () => {
    const { workspaceId } = cast;
    const thread = await createBuild(cast).thread({ name: 'Bob’s', visibility: 'public' }, cast.bob);
    const last = await say(thread.id, 'Last words', cast.bob);
    const allow = (allowPublicSharing: boolean) =>
      cast.alice.api('workspace.update', { params: { workspaceId }, body: { allowPublicSharing } });
    await allow(false);
    await update(thread.id, last, cast.bob);
    await expect(update(thread.id, null, cast.bob)).rejects.toMatchObject({ status: 403 });
    await allow(true);
    expect((await update(thread.id, null, cast.bob)).result.publicUntil).toBeNull();
  });
});
