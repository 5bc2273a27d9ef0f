/** Who may follow feeds, with what credential, and who sees and changes those of others. */
import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FEEDS_MAX, type Feed } from '#shared/capture/feed.ts';
import { newId, type Id } from '#shared/ids.ts';
import { type Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { rssOf, sendsFeed } from '#tests/support/feeds.ts';
import { serveSite, type LocalSite } from '#tests/support/local-site.ts';
import { openWorld } from '#tests/support/world.ts';

let cast: Cast;
let site: LocalSite;
const pages: Record<string, RequestListener> = {};
const world = await openWorld({ env: { EGRESS: 'private' } });
beforeEach(async () => {
  for (const path of Object.keys(pages)) delete pages[path];
  cast = await createCast(world);
  site = await serveSite(pages);
});
afterEach(() => site.close());

async function follow(
  body: { url?: string; spaceId?: Id<'space'> } = {},
  by: Agent = cast.alice,
): Promise<Feed> {
  const { workspaceId } = cast;
  const given = { url: `${site.url}/feed`, ...body };
  return (await by.api('feed.create', { params: { workspaceId }, body: given })).result;
}
const place = (feed: Feed) => ({ workspaceId: cast.workspaceId, id: feed.id });
const read = async (feed: Feed, by: Agent = cast.alice) =>
  (await by.api('feed.get', { params: place(feed) })).result;

async function titles(by: Agent): Promise<(string | null)[]> {
  const { workspaceId } = cast;
  const { result } = await by.api('memory.list', { params: { workspaceId }, query: { perPage: 100 } });
  return result.map(({ title }) => title);
}

describe('who may', () => {
  it('follow: members, not who only reads, nor into a space that is not theirs to fill', async () => {
    pages['/feed'] = sendsFeed(rssOf(site.url, [{ id: 1 }]));
    site.asked.length = 0;
    await expect(follow({}, cast.rita)).rejects.toMatchObject({ status: 403 });
    await expect(follow({}, cast.eve)).rejects.toMatchObject({ status: 403 });
    await expect(follow({ spaceId: newId('space') })).rejects.toMatchObject({ status: 404 });
    const own = await createBuild(cast).space({ name: 'Bob’s', visibility: 'private' }, cast.bob);
    await expect(follow({ spaceId: own.id })).rejects.toMatchObject({ status: 404 });
    expect(site.asked).toEqual([]);
    await follow({ spaceId: own.id }, cast.bob);
    await expect(follow({}, cast.bob)).rejects.toMatchObject({ status: 409 });
  });

  it('follow no more than fifty in a workspace, also many at once, each for oneself', async () => {
    const { workspaceId, alice } = cast;
    const now = world.context.clock.now().toISOString();
    const many = Array.from({ length: FEEDS_MAX - 1 }, (_, n) => ({
      id: newId('feed'),
      workspaceId,
      ownerId: alice.user.id,
      spaceId: newId('space'),
      url: `https://shore.example/${n}`,
      title: `${n}`,
      state: 'paused' as const,
      created: now,
      updated: now,
    }));
    await world.context.db.insertInto('feed').values(many).execute();
    for (const path of ['/a', '/b', '/c']) pages[path] = sendsFeed(rssOf(site.url, [{ id: 1 }]));
    const tries = ['/a', '/b', '/c'].map((path) => follow({ url: `${site.url}${path}` }));
    const outcomes = (await Promise.allSettled(tries)).map(({ status }) => status);
    expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    await expect(follow({ url: `${site.url}/d` })).rejects.toMatchObject({
      status: 409,
      error: { detail: 'A person can follow 50 feeds in a workspace' },
    });
    const { url } = await follow({ url: `${site.url}/a` }, cast.bob);
    expect(url).toBe(`${site.url}/a`);
  });

  it('see and change: who follows it, owners and admins; only who follows it chooses its space', async () => {
    pages['/feed'] = sendsFeed(rssOf(site.url, [{ id: 1 }]));
    const feed = await follow({}, cast.bob);
    expect(await read(feed)).toMatchObject({ id: feed.id });
    await expect(read(feed, cast.rita)).rejects.toMatchObject({ status: 404 });
    const mine = await follow();
    for (const what of ['feed.get', 'feed.check', 'feed.remove'] as const)
      await expect(cast.bob.api(what, { params: place(mine) })).rejects.toMatchObject({ status: 404 });
    const shared = await createBuild(cast).space({ name: 'Ours' });
    await expect(
      cast.alice.api('feed.update', { params: place(feed), body: { spaceId: shared.id } }),
    ).rejects.toMatchObject({ status: 403 });
    expect(
      (await cast.bob.api('feed.update', { params: place(feed), body: { spaceId: shared.id } })).result
        .spaceId,
    ).toBe(shared.id);
    await cast.alice.api('feed.remove', { params: place(feed) });
    await expect(read(feed, cast.bob)).rejects.toMatchObject({ status: 404 });
    expect(await titles(cast.bob)).toEqual(['Entry 1']);
  });
});
