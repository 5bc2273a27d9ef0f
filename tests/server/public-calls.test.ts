// What people without an account can learn over /v1/public: exactly the allow-list of live public things, and
// nothing about the rest, not even by searching.
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Head } from '#shared/entities.ts';
import { newId } from '#shared/ids.ts';
import { publicMemory } from '#shared/memories/public-memory.ts';
import { VISIBILITIES } from '#shared/spaces/visibility.ts';
import { systemActor } from '#server/db/server-tx.ts';
import { writeInRealm } from '#server/db/transaction.ts';
import { createApi, createRaw } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);
const build = createBuild(cast);
const visitor = createApi(world);
const raw = createRaw(world);

async function publicSpace(name: string, visibility: 'public' | 'unlisted' = 'public') {
  const space = await build.space({ name, visibility });
  const memory = await build.memory({
    title: `Open ${name}`,
    notes: 'zebrafish is only said in the notes',
    url: `https://example.com/${space.id}`,
    tags: ['shown'],
  });
  await build.link(space.id, memory.id);
  return { space, memory };
}

const inSpace = (spaceId: string) => `/v1/public/memories/${cast.workspaceId}/${spaceId}`;

describe('a public space', () => {
  test('shows the allow-list of itself and of its memories, and no field more', async () => {
    const { space, memory } = await publicSpace('garden');
    const shown = await raw('GET', `/v1/public/spaces/slug/${cast.slug}/${space.slug}`);
    expect(Object.keys(shown.json?.result ?? {}).sort()).toEqual(
      [
        ...'author color created description id memoryCount name publicChat publishText slug updated'.split(
          ' ',
        ),
        ...'visibility workspace workspaceId'.split(' '),
      ].sort(),
    );
    const listed = await raw('GET', inSpace(space.id));
    expect(Object.keys(Object.values(listed.json?.result ?? {})[0] ?? {}).sort()).toEqual(
      [
        ...'contentStatus created description filename id screenshot summary tags title'.split(' '),
        ...'type updated url text excerpt'.split(' '),
      ].sort(),
    );
    expect(listed.text).not.toContain('zebrafish');
    expect(listed.text).not.toContain(cast.alice.user.id);
    expect((await raw('GET', `${inSpace(space.id)}/${memory.id}`)).text).not.toContain('zebrafish');
  });

  test('tells nothing of its private notes, not even when they were written', async () => {
    const { space, memory } = await publicSpace('quiet');
    const { workspaceId } = cast;
    const later = await build.memory({ title: 'Later' });
    await build.link(space.id, later.id);
    const write = (body: { title?: string; notes?: string }) => {
      world.clock.advance(60_000);
      return cast.alice.api('memory.update', { params: { workspaceId, id: memory.id }, body });
    };
    const orders = ['orderBy=updated&order=desc', 'orderBy=updated&order=asc', 'orderBy=title'];
    const paths = [
      ...orders.map((order) => `${inSpace(space.id)}?${order}`),
      `${inSpace(space.id)}/${memory.id}`,
    ];
    const shown = () => Promise.all(paths.map(async (path) => (await raw('GET', path)).text));
    const before = await shown();
    const { result: stored } = await write({ notes: 'a secret of today' });
    expect(await shown()).toEqual(before);
    const { result: renamed } = await write({ title: 'Open quiet, again' });
    expect(renamed.updated > stored.updated).toBe(true);
    const { result } = await visitor('public_memory.get', {
      params: { workspaceId, spaceId: space.id, id: memory.id },
    });
    expect(result.updated).toBe(renamed.updated);
    const [newestFirst] = await shown();
    expect(newestFirst).not.toBe(before[0]);
  });

  test('has a date that every field moves which is shown, and no other', async () => {
    const { memory } = await publicSpace('dated');
    const values: Partial<Head<'memory'>> = {
      type: 'file',
      title: 'Dated anew',
      description: 'New',
      summary: 'New',
      url: 'https://example.com/new',
      notes: 'New',
      tags: ['new'],
      screenshot: 'new.png',
      filename: 'new.txt',
      contentStatus: 'failed',
      metadata: { language: 'en' },
      archived: true,
      bodyBytes: 3,
    };
    const dateAfter = async (fields: Partial<Head<'memory'>>): Promise<string | null> => {
      world.clock.advance(1_000);
      const updated = world.clock.now().toISOString();
      await writeInRealm(world.context, cast.workspaceId, systemActor, (tx) =>
        tx.update('memory', memory.id, { ...fields, updated }),
      );
      const { rows } = await sql<{ date: string | null }>`select "publicUpdated" as "date" from "memory"
        where "id" = ${memory.id}`.execute(world.context.db);
      return rows[0]?.date ?? null;
    };
    const moved = new Set<string>();
    for (const [field, value] of Object.entries(values)) {
      const before = await dateAfter({});
      const after = await dateAfter({ [field]: value });
      if (after !== before) moved.add(field);
      expect(await dateAfter({ [field]: value })).toBe(after);
    }
    // An id and a time of birth never change, the date itself is what moves, and the texts are those of notes.
    const own = ['id', 'created', 'updated', 'text', 'excerpt'];
    expect(moved).toEqual(new Set(Object.keys(publicMemory.shape).filter((name) => !own.includes(name))));
  });

  test('is found by what it shows, never by what its notes say', async () => {
    const { memory } = await publicSpace('observatory');
    const find = async (query: string) =>
      (await visitor('public_memory.search', { body: { query } })).result.map(({ id }) => id);
    expect(await find('observatory')).toContain(memory.id);
    expect(await find('zebrafish')).toEqual([]);
    expect(await find('observatory -zebrafish')).toContain(memory.id);
    expect((await visitor('public_space.search', { body: { query: 'observ' } })).result).toHaveLength(1);
  });

  test.each(VISIBILITIES.filter((value) => value !== 'public' && value !== 'unlisted'))(
    'with visibility %s answers exactly as one that does not exist',
    async (visibility) => {
      const space = await build.space({ name: `closed ${visibility}`, visibility });
      const closed = await raw('GET', `/v1/public/spaces/${cast.workspaceId}/${space.id}`);
      const unknown = await raw('GET', `/v1/public/spaces/${cast.workspaceId}/${newId('space')}`);
      expect([closed.status, closed.text]).toEqual([unknown.status, unknown.text]);
    },
  );
});

describe('trending', () => {
  test('lists public spaces with three memories, visited ones first, and at most three of a workspace', async () => {
    const spaces = [];
    for (const name of ['one', 'two', 'three', 'four']) {
      const { space } = await publicSpace(`trend ${name}`);
      for (const title of ['a', 'b', 'c']) await build.link(space.id, (await build.memory({ title })).id);
      spaces.push(space);
    }
    const visited = spaces[1];
    await raw('GET', `/v1/public/spaces/${cast.workspaceId}/${visited?.id}`);
    world.clock.advance(11 * 60_000);
    const { result } = await visitor('public_space.trending', {});
    expect(result.map(({ id }) => id)).toHaveLength(3);
    expect(result[0]?.id).toBe(visited?.id);
  });
});

describe('reports', () => {
  test('answer the same for things that do not exist', async () => {
    const body = { workspaceId: cast.workspaceId, id: newId('space'), reason: 'spam' as const };
    expect(await visitor('public_space.report', { body })).toMatchObject({ result: null });
  });
});

describe('a public thread', () => {
  test('shows its messages without people, oldest first', async () => {
    const thread = await build.thread({ name: 'Open talk', visibility: 'public' });
    const { workspaceId } = cast;
    for (const content of ['first', 'second']) {
      await cast.alice.api('message.create', {
        params: { workspaceId, threadId: thread.id },
        body: { content },
      });
      world.clock.advance(1_000);
    }
    const shown = await raw('GET', `/v1/public/messages/${workspaceId}/${thread.id}`);
    expect(shown.json?.result).toMatchObject([{ content: 'first' }, { content: 'second' }]);
    expect(shown.text).not.toContain(cast.alice.user.id);
    expect((await raw('GET', `/v1/public/threads/${workspaceId}/${thread.id}`)).json?.result).toMatchObject({
      messageCount: 2,
    });
    const closed = await build.thread({ name: 'Private talk' });
    expect((await raw('GET', `/v1/public/messages/${workspaceId}/${closed.id}`)).status).toBe(404);
  });
});

describe('a copy', () => {
  test('brings what is public into one’s own workspace, and nothing of the notes', async () => {
    const { space } = await publicSpace('to copy');
    const { result } = await cast.eve.api('space.clone', {
      body: { workspaceId: cast.evesWorkspaceId, spaceId: space.id },
    });
    expect(result).toMatchObject({ name: 'to copy', visibility: 'workspace', ownerId: cast.eve.user.id });
    const memories = await cast.eve.api('memory.list', { params: { workspaceId: cast.evesWorkspaceId } });
    expect(memories.result).toMatchObject([
      { title: 'Open to copy', origin: 'clone', notes: null, tags: ['shown'] },
    ]);
  });

  test('shows the pages that the workspace has instead of bringing them again; only what has no address comes twice', async () => {
    const shared = await build.space({ name: 'twice', visibility: 'public' });
    for (const given of [
      { title: 'Limpets', url: 'https://tides.example/limpets', tags: ['shore'] },
      { title: 'Whelks', url: 'https://tides.example/whelks' },
      { title: 'A thought without an address' },
    ])
      await build.link(shared.id, (await build.memory(given)).id);
    const workspaceId = (await cast.eve.api('workspace.create', { body: { name: 'Twice' } })).result.id;
    const eves = createBuild({ ...cast, alice: cast.eve, workspaceId });
    const own = { url: 'https://tides.example/limpets?utm_source=x', notes: 'Mine', tags: ['eve'] };
    const had = await eves.memory({ title: 'My limpets', ...own });
    // What a private space holds is not shown to the workspace by a copy.
    const secret = await eves.space({ name: 'Secret', visibility: 'private' });
    const hidden = await eves.memory({
      title: 'Mine alone',
      url: 'https://tides.example/whelks',
      spaceId: secret.id,
    });
    const clone = async () =>
      (await cast.eve.api('space.clone', { body: { workspaceId, spaceId: shared.id } })).result;
    const list = async () =>
      (await cast.eve.api('memory.list', { params: { workspaceId }, query: { perPage: 100 } })).result;

    const first = await clone();
    expect(first).toMatchObject({ copied: 2, linked: 1 });
    const second = await clone();
    expect(second).toMatchObject({ copied: 1, linked: 2 });
    expect(second.id).not.toBe(first.id);

    const memories = await list();
    const titled = (title: string) => memories.filter((memory) => memory.title === title);
    expect(memories).toHaveLength(5);
    expect(titled('A thought without an address')).toHaveLength(2);
    for (const once of ['Mine alone', 'My limpets', 'Whelks']) expect(titled(once)).toHaveLength(1);
    expect(memories.find(({ id }) => id === had.id)).toMatchObject({
      title: 'My limpets',
      notes: 'Mine',
      tags: ['eve', 'shore'],
    });
    const { rows } = await sql<{ spaceId: string; memoryId: string }>`
      select "spaceId", "memoryId" from "space_memory" where "workspaceId" = ${workspaceId}`.execute(
      world.context.db,
    );
    const shownIn = (id: string) => rows.filter((row) => row.memoryId === id).map(({ spaceId }) => spaceId);
    expect(new Set(shownIn(had.id))).toEqual(new Set([first.id, second.id]));
    expect(shownIn(hidden.id)).toEqual([secret.id]);
    expect(rows.filter(({ spaceId }) => spaceId === second.id)).toHaveLength(3);
  });

  test('of a private space is not found, and a read-only member may not make one', async () => {
    const closed = await build.space({ visibility: 'private' });
    const eves = { workspaceId: cast.evesWorkspaceId, spaceId: closed.id };
    expect((await cast.eve.raw('POST', '/v1/spaces/clone', { body: eves })).status).toBe(404);
    const { space } = await publicSpace('for rita');
    const ritas = { workspaceId: cast.workspaceId, spaceId: space.id };
    expect((await cast.rita.raw('POST', '/v1/spaces/clone', { body: ritas })).status).toBe(403);
  });
});
