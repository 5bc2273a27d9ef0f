/** Spaces, their links to memories, and threads with messages through HTTP. */
import { describe, expect, it } from 'vitest';
import { newId } from '#shared/ids.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);
const build = createBuild(cast);

describe('a space', () => {
  it('gets a numbered address when its own is taken, also by one that the person cannot see', async () => {
    const secret = await build.space({ name: 'Plans', visibility: 'private' });
    const mine = await build.space({ name: 'Plans' }, cast.bob);
    expect([secret.slug, mine.slug]).toEqual(['plans', 'plans-2']);
    // Both have the hue of their name.
    expect(mine).toMatchObject({ color: 'lake', visibility: 'workspace', origin: 'api' });
    expect(secret.color).toBe('lake');
  });

  it('is found by its address and, when renamed, by the earlier one', async () => {
    const { alice, bob, eve, workspaceId } = cast;
    const { id } = await build.space({ name: 'Old name' });
    const path = (slug: string) => `/v1/spaces/slug/${cast.slug}/${slug}`;
    await alice.api('space.update', { params: { workspaceId, id }, body: { slug: 'new-name' } });
    expect((await bob.raw('GET', path('old-name'))).json?.result).toMatchObject({ id, slug: 'new-name' });
    expect((await bob.raw('GET', path('no-name'))).status).toBe(404);
    expect((await eve.raw('GET', path('new-name'))).status).toBe(403);
    const other = await build.space({ name: 'Other' });
    const taken = await alice.raw('PATCH', `/v1/spaces/${workspaceId}/${other.id}`, {
      body: { slug: 'old-name' },
    });
    expect(taken.status).toBe(409);
  });

  it.each([
    ['a reserved address', { name: 'x', slug: 'new' }],
    ['an unknown colour', { name: 'x', color: 'mauve' }],
    ['an unknown visibility', { name: 'x', visibility: 'friends' }],
    ['no name', {}],
    ['a name of blanks', { name: '   ' }],
  ])('with %s is refused', async (_what, fields) => {
    const body = { workspaceId: cast.workspaceId, ...fields };
    expect((await cast.alice.raw('POST', '/v1/spaces', { body })).status).toBe(400);
  });

  it('is found by words of its name and description, names first, with marks', async () => {
    const { bob, workspaceId } = cast;
    await build.space({ name: 'Crème brûlée', description: 'Sweet things' });
    await build.space({ name: 'Kitchen', description: 'From soup to creme' });
    const { result } = await bob.api('space.search', { body: { workspaceId, query: 'creme' } });
    expect(result.map(({ name }) => name)).toEqual(['Crème brûlée', 'Kitchen']);
    expect(result[0]?.snippets[0]).toEqual({ field: 'name', text: 'Crème brûlée', ranges: [[0, 5]] });
    expect((await bob.raw('POST', '/v1/spaces/search', { body: { workspaceId, query: ' ' } })).status).toBe(
      400,
    );
  });
});

describe('a link', () => {
  it('files a memory once and takes it out again', async () => {
    const { alice, workspaceId } = cast;
    const [space, memory] = [await build.space(), await build.memory()];
    const first = await build.link(space.id, memory.id);
    expect(await build.link(space.id, memory.id)).toEqual(first);
    const path = `/v1/space_memories/${workspaceId}/${space.id}/${memory.id}`;
    expect((await alice.raw('DELETE', path)).status).toBe(200);
    expect((await alice.raw('DELETE', path)).status).toBe(404);
    const left = await alice.api('space_memory.list', {
      params: { workspaceId },
      query: { memoryId: memory.id },
    });
    expect(left.result).toEqual([]);
  });

  it('never joins what is not in the same workspace or not readable', async () => {
    const { alice, bob, eve, workspaceId, evesWorkspaceId } = cast;
    const [space, memory] = [await build.space(), await build.memory()];
    const foreign = await eve.api('memory.create', {
      body: { workspaceId: evesWorkspaceId, title: 'Eve’s' },
    });
    const file = async (who: typeof bob, spaceId: string, memoryId: string) =>
      (await who.raw('POST', '/v1/space_memories', { body: { workspaceId, spaceId, memoryId } })).status;
    expect(await file(alice, space.id, foreign.result.id)).toBe(404);
    expect(await file(alice, build.nowhere().space, memory.id)).toBe(404);
    const secret = await build.space({ visibility: 'private', name: 'Own' });
    expect(await file(bob, secret.id, memory.id)).toBe(404);
    expect(await file(cast.rita, space.id, memory.id)).toBe(403);
    expect(await file(alice, memory.id, space.id)).toBe(400);
  });
});

describe('a thread', () => {
  it('begins with a first message, is private, and takes further ones in order', async () => {
    const { alice, bob, workspaceId } = cast;
    const content = 'Where did I put the tide tables?\nI need them on Friday.';
    const { result } = await alice.api('thread.create', { body: { workspaceId, content } });
    expect(result).toMatchObject({ name: 'Where did I put the tide tables?', visibility: 'private' });
    const params = { workspaceId, threadId: result.id };
    world.clock.advance(1_000);
    const sent = await alice.api('message.create', { params, body: { content: ' And the pilot book? ' } });
    expect(sent.result).toMatchObject({
      message: { role: 'user', content: 'And the pilot book?' },
      reply: null,
    });
    const { result: messages, meta } = await alice.api('message.list', { params, query: { order: 'asc' } });
    expect(messages.map((message) => message.content)).toEqual([content, 'And the pilot book?']);
    expect(meta.orderBy).toBe('createdAt');
    const { id } = sent.result.message;
    expect((await alice.api('message.get', { params: { ...params, id } })).result).toEqual(
      sent.result.message,
    );
    for (const path of ['', `/${id}`]) {
      expect((await bob.raw('GET', `/v1/messages/${workspaceId}/${result.id}${path}`)).status).toBe(404);
    }
  });

  it('takes what to answer from only as far as its author reads it', async () => {
    const { alice, bob, workspaceId } = cast;
    const open = await build.memory({ title: 'Tide tables' });
    const closet = await build.space({ name: 'Closet', visibility: 'private' });
    const hidden = await build.memory({ title: 'Hidden', spaceId: closet.id });
    const deleted = await build.memory({ title: 'Deleted' });
    await alice.api('memory.remove', { params: { workspaceId, id: deleted.id } });
    const thread = await build.thread({ name: 'Sources', visibility: 'workspace' });
    const params = { workspaceId, threadId: thread.id };
    const path = `/v1/messages/${workspaceId}/${thread.id}`;
    const ask = (body: object) => bob.raw('POST', path, { body: { content: 'When?', ...body } });
    for (const body of [
      { memoryIds: [open.id, hidden.id] },
      { memoryIds: [deleted.id] },
      { memoryIds: [newId('memory')] },
      { memoryIds: [open.id], spaceIds: [closet.id] },
      { spaceIds: [newId('space')] },
    ])
      expect((await ask(body)).status).toBe(404);
    expect((await ask({ memoryIds: ["' or true --"] })).status).toBe(400);
    expect((await bob.api('message.list', { params })).result).toEqual([]);
    expect((await ask({ memoryIds: [open.id, open.id], spaceIds: [] })).status).toBe(201);
    const own = await alice.api('message.create', {
      params,
      body: {
        content: 'And mine?',
        memoryIds: [hidden.id],
        spaceIds: [closet.id],
      },
    });
    expect(own.result.message.content).toBe('And mine?');
  });

  it('is found by its name and by words of its messages, readable ones only', async () => {
    const { alice, bob, workspaceId } = cast;
    const open = await build.thread({ name: 'Lighthouse trip', visibility: 'workspace' });
    const params = { workspaceId, threadId: open.id };
    await alice.api('message.create', {
      params,
      body: { content: 'The ferry leaves at Kerteminde harbour.' },
    });
    await build.thread({ name: 'Secret lighthouse' });
    const find = async (who: typeof bob, query: string) =>
      (await who.api('thread.search', { body: { workspaceId, query } })).result;
    expect((await find(bob, 'lighthouse')).map(({ name }) => name)).toEqual(['Lighthouse trip']);
    expect((await find(alice, 'lightho')).length).toBe(2);
    const [hit] = await find(bob, '"ferry leaves" kertem');
    expect(hit?.snippets.find(({ field }) => field === 'message')?.ranges.length).toBe(3);
    expect(await find(bob, 'submarine')).toEqual([]);
  });
});

it('a space or thread that is replaced has the defaults of fields that are left out', async () => {
  const { alice, workspaceId } = cast;
  const space = await build.space({ name: 'Shared', description: 'Better' });
  const thread = await build.thread({ name: 'Talk', visibility: 'workspace' });
  const put = (path: string, body: unknown) => alice.raw('PUT', path, { body });
  const whole = { name: 'Whole', slug: 'whole', color: 'lake' };
  const { json: replacedSpace } = await put(`/v1/spaces/${workspaceId}/${space.id}`, whole);
  expect(replacedSpace?.result).toMatchObject({ name: 'Whole', description: null });
  const { json: replacedThread } = await put(`/v1/threads/${workspaceId}/${thread.id}`, { name: 'Whole' });
  expect(replacedThread?.result).toMatchObject({ name: 'Whole', visibility: 'private' });
});
