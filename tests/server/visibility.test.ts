/** What each visibility says of itself, whom the public finds, and that filing only widens; who reads what is in sharing-matrix.test.ts. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { anonymousReads, VISIBILITIES, VISIBILITY } from '#shared/spaces/visibility.ts';
import { createRaw, type Agent, type RawRequest } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const world = await openWorld();
const cast = await createCast(world);
const build = createBuild(cast);
const visitor = createRaw(world);

const statusOf = async (raw: RawRequest, path: string) => (await raw('GET', path)).status;

/** Ids of everything that the feed offers to a person. */
async function feedOf({ user }: Agent): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct entry."entityId" as "id" from "sync_entry" entry
    join "sync_audience_member" reader
      on reader."realmId" = entry."realmId" and reader."audienceId" = entry."audienceId"
    where entry."realmId" = ${cast.workspaceId} and reader."userId" = ${user.id} and entry."live"`.execute(
    world.context.db,
  );
  return new Set(rows.map(({ id }) => id));
}

const viewPath = (spaceId: string) => `/v1/spaces/${cast.workspaceId}/${spaceId}/view_as`;

/** The titles that a viewer of the space sees; undefined for one who does not read it. */
async function titlesFor(viewer: string, spaceId: string): Promise<string[] | undefined> {
  const { json } = await cast.alice.raw('GET', `${viewPath(spaceId)}?viewer=${viewer}`);
  const { reads, memories } = Object(json?.result);
  return reads ? memories.map(({ title }: { title: string }) => title) : undefined;
}

test('a note without a title is named by its text, to visitors only where the space publishes texts', async () => {
  const { id } = await build.space({ name: 'Untitled notes', visibility: 'public' });
  await build.link(id, (await build.memory({ title: null, notes: '## The *kiln*\n\nIs hot.' })).id);
  const publish = (publishText: boolean) =>
    cast.alice.api('space.update', { params: { workspaceId: cast.workspaceId, id }, body: { publishText } });
  await publish(true);
  expect([await titlesFor('member', id), await titlesFor('visitor', id)]).toEqual([
    ['The kiln'],
    ['The kiln'],
  ]);
  await publish(false);
  expect([await titlesFor('member', id), await titlesFor('visitor', id)]).toEqual([
    ['The kiln'],
    ['Untitled'],
  ]);
});

describe.each(VISIBILITIES)('%s', (visibility) => {
  const isForAll = anonymousReads(visibility);

  test('is viewed as a member, a guest and a visitor as they read it', async () => {
    const space = await build.space({ name: `View of ${visibility}`, visibility });
    await build.link(space.id, (await build.memory({ title: 'Seen by some' })).id);
    const path = viewPath(space.id);
    const titles = (viewer: string) => titlesFor(viewer, space.id);
    const seen = ['Seen by some'];
    const { guests, workspaceReads } = VISIBILITY[visibility];
    expect(await titles('member')).toEqual(workspaceReads ? seen : undefined);
    expect(await titles('guest')).toEqual(guests || isForAll ? seen : undefined);
    expect(await titles('visitor')).toEqual(isForAll ? seen : undefined);
    expect((await cast.alice.raw('GET', `${path}?viewer=owner`)).status).toBe(400);
  });

  test('is stored and shown to its owner as it was chosen', async () => {
    const space = await build.space({ name: `Space ${visibility}`, visibility });
    const thread = await build.thread({ name: `Thread ${visibility}`, visibility });
    expect([space.visibility, thread.visibility]).toEqual([visibility, visibility]);
    const { result } = await cast.alice.api('visibility.list', {});
    expect(result).toContainEqual({
      id: visibility,
      label: VISIBILITY[visibility].label,
      description: VISIBILITY[visibility].description,
      login: !isForAll,
      indexable: visibility === 'public',
      guests: VISIBILITY[visibility].guests,
    });
  });

  test('hides nothing that others read already: filing widens only', async () => {
    const space = await build.space({ name: `Drawer ${visibility}`, visibility });
    const memory = await build.memory({ title: `Common of ${visibility}` });
    await build.link(space.id, memory.id);
    const path = `/v1/memories/${cast.workspaceId}/${memory.id}`;
    for (const member of [cast.bob, cast.rita]) expect(await statusOf(member.raw, path)).toBe(200);
  });

  test(`is ${visibility === 'public' ? '' : 'not '}found by the public`, async () => {
    const name = `Findable${visibility.replaceAll('_', '')}`;
    const space = await build.space({ name, visibility });
    await build.link(space.id, (await build.memory({ title: name })).id);
    const isFound = visibility === 'public';
    for (const path of ['/v1/public/spaces/search', '/v1/public/memories/search']) {
      const { json } = await visitor('POST', path, { body: { query: name } });
      expect([path, JSON.stringify(json?.result).includes(name)]).toEqual([path, isFound]);
    }
    for (const path of ['/v1/public/spaces/newest?perPage=100', `/v1/public/spaces/${cast.workspaceId}`]) {
      const { text } = await visitor('GET', path);
      expect([path, text.includes(name)]).toEqual([path, isFound]);
    }
  });
});

test('a narrowed space takes what was captured inside it out of the feeds of others', async () => {
  const space = await build.space({ name: 'Closing', visibility: 'workspace' });
  const inside = await build.memory({ title: 'Inside', spaceId: space.id });
  expect([...(await feedOf(cast.bob))]).toEqual(expect.arrayContaining([space.id, inside.id]));
  for (const visibility of ['custom', 'private_and_guests', 'private'] as const) {
    await cast.alice.api('space.update', {
      params: { workspaceId: cast.workspaceId, id: space.id },
      body: { visibility },
    });
    const feed = await feedOf(cast.bob);
    expect([visibility, feed.has(space.id), feed.has(inside.id)]).toEqual([visibility, false, false]);
  }
});
