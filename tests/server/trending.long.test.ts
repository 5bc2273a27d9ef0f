/** Which public spaces trend: looks of a week, copies, age, and what keeps a space out. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Visibility } from '#shared/spaces/visibility.ts';
import { createApi, createRaw, type RawRequest } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const DAY = 86_400_000;
const CACHE = 11 * 60_000;

let world: World;
let cast: Cast;
let raw: RawRequest;

beforeEach(async () => {
  world = await createWorld();
  cast = await createCast(world);
  raw = createRaw(world);
});
afterEach(() => world.close());

/** A space with so many notes, which are complete as they are, or links, which wait for their text. */
async function space(name: string, given: { visibility?: Visibility; notes?: number; links?: number } = {}) {
  const { visibility = 'public', notes = 3, links = 0 } = given;
  const build = createBuild(cast);
  const made = await build.space({ name, visibility });
  for (let number = 0; number < notes; number += 1)
    await build.link(made.id, (await build.memory({ title: `${name} ${number}` })).id);
  for (let number = 0; number < links; number += 1) {
    const url = `https://example.com/${made.id}/${number}`;
    await build.link(made.id, (await build.memory({ title: `${name} ${number}`, url })).id);
  }
  world.clock.advance(1_000);
  return made;
}

async function look(id: string, visitors: readonly string[]): Promise<void> {
  for (const visitor of visitors)
    await raw('GET', `/v1/public/spaces/${cast.workspaceId}/${id}`, { headers: { 'user-agent': visitor } });
}

const listed = async () => (await createApi(world)('public_space.trending', {})).result;
const trending = async () => (await listed()).map(({ name }) => name);
const called = async () => Object.fromEntries((await listed()).map((row) => [row.name, row.trending]));

test('different visitors count, the same one counts once', async () => {
  const [crowd, fan] = [await space('Crowd'), await space('Fan')];
  await look(crowd.id, ['a', 'b']);
  await look(fan.id, ['c', 'c', 'c', 'c', 'c']);
  expect(await trending()).toEqual(['Crowd', 'Fan']);
});

test('a copy weighs as much as five visitors', async () => {
  const [looked, copied] = [await space('Looked'), await space('Copied')];
  await look(looked.id, ['a', 'b', 'c', 'd']);
  await cast.eve.api('space.clone', { body: { workspaceId: cast.evesWorkspaceId, spaceId: copied.id } });
  expect(await trending()).toEqual(['Copied', 'Looked']);
});

test('a question of a visitor weighs as much as three visitors', async () => {
  const [looked, asked] = [await space('Looked'), await space('Asked')];
  const { workspaceId } = cast;
  await cast.alice.api('workspace.update', { params: { workspaceId }, body: { publicChat: true } });
  await look(looked.id, ['a', 'b']);
  const body = { workspaceId, spaceId: asked.id, content: 'What is here?' };
  expect((await raw('POST', '/v1/public/threads', { body })).status).toBe(201);
  expect(await trending()).toEqual(['Asked', 'Looked']);
});

test('looks count for a week; without any the newest comes first', async () => {
  const old = await space('Old');
  await space('Newer');
  await look(old.id, ['a']);
  expect(await trending()).toEqual(['Old', 'Newer']);
  expect(await called()).toEqual({ Old: true, Newer: false });
  world.clock.advance(8 * DAY);
  expect(await trending()).toEqual(['Newer', 'Old']);
  expect(await called()).toEqual({ Old: false, Newer: false });
});

test('the same looks weigh more on a younger space', async () => {
  const old = await space('Elder');
  world.clock.advance(20 * DAY);
  const young = await space('Younger');
  await look(old.id, ['a', 'b']);
  await look(young.id, ['a', 'b']);
  expect(await trending()).toEqual(['Younger', 'Elder']);
});

test('only public spaces with three finished memories trend', async () => {
  await space('Two', { notes: 2 });
  await space('Unfinished', { notes: 2, links: 3 });
  await space('By link', { visibility: 'unlisted' });
  await space('Ours', { visibility: 'workspace' });
  await space('Enough');
  expect(await trending()).toEqual(['Enough']);
});

test('while none qualifies, the newest public ones that hold something stand in', async () => {
  await space('Older', { notes: 1 });
  await space('Newer', { notes: 2 });
  await space('Empty', { notes: 0 });
  await space('Ours', { visibility: 'workspace' });
  expect(await trending()).toEqual(['Newer', 'Older']);
  expect(await called()).toEqual({ Newer: false, Older: false });
  await space('Enough');
  expect(await trending()).toEqual(['Enough']);
});

test('three of a workspace trend at most', async () => {
  for (const name of ['One', 'Two', 'Three', 'Four']) await space(name);
  expect(await trending()).toHaveLength(3);
});

test('is counted again after ten minutes, and what is closed meanwhile leaves at once', async () => {
  const first = await space('First');
  expect(await trending()).toEqual(['First']);
  await space('Second');
  expect(await trending()).toEqual(['First']);
  world.clock.advance(CACHE);
  expect(await trending()).toEqual(['Second', 'First']);
  await cast.alice.api('space.update', {
    params: { workspaceId: cast.workspaceId, id: first.id },
    body: { visibility: 'private' },
  });
  expect(await trending()).toEqual(['Second']);
});

test('archived and deleted memories do not count among the three', async () => {
  const build = createBuild(cast);
  const params = { workspaceId: cast.workspaceId };
  for (const name of ['Whole', 'Archived', 'Deleted']) {
    const made = await space(name, { notes: 2 });
    const third = await build.memory({ title: `${name} third` });
    await build.link(made.id, third.id);
    if (name === 'Archived')
      await cast.alice.api('memory.update', {
        params: { ...params, id: third.id },
        body: { archived: true },
      });
    if (name === 'Deleted') await cast.alice.api('memory.remove', { params: { ...params, id: third.id } });
  }
  expect(await trending()).toEqual(['Whole']);
});
