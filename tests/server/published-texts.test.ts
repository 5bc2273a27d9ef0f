// The text of notes on the web: read where a space publishes it, and nowhere else, in every public call.
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { SYNC } from '#shared/sync/limits.ts';
import { createApi } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);
const build = createBuild(cast);
const visitor = createApi(world);

const NOTES = '# Mussels\n\nThey close at **low tide** and say zebrafish.';

async function spaceWith(
  notes: string,
  { publishText = true, url }: { publishText?: boolean; url?: string } = {},
) {
  const space = await build.space({ name: 'Shore', visibility: 'public' });
  if (!publishText)
    await cast.alice.api('space.update', {
      params: { workspaceId: cast.workspaceId, id: space.id },
      body: { publishText },
    });
  const memory = await build.memory({ title: 'Mussels', notes, ...(url === undefined ? {} : { url }) });
  await build.link(space.id, memory.id);
  const place = { workspaceId: cast.workspaceId, spaceId: space.id };
  return {
    space,
    memory,
    one: async () => (await visitor('public_memory.get', { params: { ...place, id: memory.id } })).result,
    listed: async () => (await visitor('public_memory.list', { params: place })).result[0],
    found: async (query: string, inSpace = false) => {
      const { result } = await visitor('public_memory.search', {
        body: { query, ...(inSpace ? { spaceId: space.id } : {}) },
      });
      return result.filter(({ id }) => id === memory.id);
    },
    change: (body: { publishText?: boolean; visibility?: 'private' | 'public' }) =>
      cast.alice.api('space.update', { params: { workspaceId: cast.workspaceId, id: space.id }, body }),
  };
}

describe('the text of a note', () => {
  test('is read, listed with its first words, and found', async () => {
    const { one, listed, found } = await spaceWith(NOTES);
    const words = { text: NOTES, excerpt: 'They close at low tide and say zebrafish.' };
    expect(await one()).toMatchObject(words);
    expect(await listed()).toMatchObject(words);
    expect(await found('zebrafish')).toMatchObject([words]);
    expect(await found('zebrafish', true)).toHaveLength(1);
  });

  test('stays private as soon as its space does not publish texts, in every call', async () => {
    const { one, listed, found, change } = await spaceWith(NOTES);
    await change({ publishText: false });
    for (const shown of [await one(), await listed()])
      expect(shown).toMatchObject({ text: null, excerpt: '' });
    expect(await found('zebrafish')).toEqual([]);
    expect(await found('zebrafish', true)).toEqual([]);
    expect(await found('mussels')).toMatchObject([{ text: null, excerpt: '' }]);
  });

  test('is read through the space that publishes it, and not through another one', async () => {
    const open = await spaceWith(NOTES);
    const closed = await build.space({ name: 'Titles only', visibility: 'public' });
    const place = { workspaceId: cast.workspaceId, spaceId: closed.id };
    await cast.alice.api('space.update', {
      params: { workspaceId: cast.workspaceId, id: closed.id },
      body: { publishText: false },
    });
    await build.link(closed.id, open.memory.id);
    const { result } = await visitor('public_memory.get', { params: { ...place, id: open.memory.id } });
    expect(result).toMatchObject({ title: 'Mussels', text: null, excerpt: '' });
    const search = await visitor('public_memory.search', {
      body: { query: 'zebrafish', spaceId: closed.id },
    });
    expect(search.result).toEqual([]);
    expect(await open.one()).toMatchObject({ text: NOTES });
  });

  test('of an unlisted space is read by address and not found without it', async () => {
    const space = await build.space({ name: 'Hideout', visibility: 'unlisted' });
    const memory = await build.memory({ title: 'Secret shore', notes: 'Only wigeons say quagga.' });
    await build.link(space.id, memory.id);
    const find = async (body: { query: string; spaceId?: typeof space.id }) =>
      (await visitor('public_memory.search', { body })).result.map(({ id }) => id);
    expect(await find({ query: 'quagga' })).toEqual([]);
    expect(await find({ query: 'quagga', spaceId: space.id })).toEqual([memory.id]);
  });

  test('above the size of replicas is left out of lists, which have its first words', async () => {
    const long = `Rock pools.\n\n${'word '.repeat(SYNC.inlineNotesBytes)}`;
    const { one, listed } = await spaceWith(long);
    expect(await listed()).toMatchObject({ text: null });
    expect((await listed())?.excerpt).toMatch(/^Rock pools\.\nword word/);
    expect((await one()).text?.trim()).toBe(long.trim());
  });

  test('moves the date that visitors see, and only while it is published', async () => {
    const { memory, one, change } = await spaceWith(NOTES);
    const write = async (notes: string) => {
      world.clock.advance(60_000);
      const { workspaceId } = cast;
      await cast.alice.api('memory.update', { params: { workspaceId, id: memory.id }, body: { notes } });
    };
    const before = (await one()).updated;
    await write('Published words');
    const published = (await one()).updated;
    expect(published > before).toBe(true);
    await change({ publishText: false });
    await write('Private words');
    expect((await one()).updated).toBe(published);
  });

  test('is copied with a copy of the space', async () => {
    const { space } = await spaceWith(NOTES);
    const workspaceId = (await cast.eve.api('workspace.create', { body: { name: 'Copies' } })).result.id;
    await cast.eve.api('space.clone', { body: { workspaceId, spaceId: space.id } });
    const { result } = await cast.eve.api('memory.list', { params: { workspaceId } });
    expect(result).toMatchObject([{ title: 'Mussels', origin: 'clone', notes: NOTES }]);
  });
});

describe('notes on a link', () => {
  test('are private annotations, whatever the space publishes', async () => {
    const { one, listed, found } = await spaceWith(NOTES, { url: 'https://shore.example/mussels' });
    for (const shown of [await one(), await listed()])
      expect(shown).toMatchObject({ text: null, excerpt: '' });
    expect(await found('zebrafish')).toEqual([]);
  });
});

describe('publishing texts', () => {
  test('is a choice of those who may publish the space', async () => {
    const { space } = await spaceWith(NOTES, { publishText: false });
    const path = `/v1/spaces/${cast.workspaceId}/${space.id}`;
    for (const person of [cast.bob, cast.rita, cast.eve])
      expect((await person.raw('PATCH', path, { body: { publishText: true } })).status).toBe(403);
    await cast.alice.api('workspace.update', {
      params: { workspaceId: cast.workspaceId },
      body: { allowPublicSharing: false },
    });
    const bobs = await build.space({ name: 'Bob’s', visibility: 'private' }, cast.bob);
    const bobsPath = `/v1/spaces/${cast.workspaceId}/${bobs.id}`;
    expect((await cast.bob.raw('PATCH', bobsPath, { body: { publishText: false } })).status).toBe(200);
    expect((await cast.bob.raw('PATCH', bobsPath, { body: { publishText: 'yes' } })).status).toBe(400);
    await cast.alice.api('workspace.update', {
      params: { workspaceId: cast.workspaceId },
      body: { allowPublicSharing: true },
    });
  });

  test('is what a new space does, and what one that is made without the field gets', async () => {
    const space = await build.space({ name: 'Fresh shore' });
    const { rows } = await sql<{ publishText: boolean }>`
      select "publishText" from "space" where "id" = ${space.id}`.execute(world.context.db);
    expect(rows).toEqual([{ publishText: true }]);
  });
});
