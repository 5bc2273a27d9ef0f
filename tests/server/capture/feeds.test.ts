/** Feeds against a real site: what is saved and in whose name, what a site may send, and what people may do. */
import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkFeed } from '#server/capture/feeds/feed-check.ts';
import { createJobHandlers } from '#server/job-handlers.ts';
import type { Feed } from '#shared/capture/feed.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Agent } from '#tests/support/agent.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { manyItems, rssOf, sendsFeed, type FeedItem } from '#tests/support/feeds.ts';
import { page, serveSite, type LocalSite } from '#tests/support/local-site.ts';
import { openWorld } from '#tests/support/world.ts';
import { FEED_LIMITS } from '#server/capture/feeds/feed-limits.ts';
import { itLong } from '#tests/support/long-test.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

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

const rss = (items: readonly FeedItem[]) => rssOf(site.url, items);

async function follow(
  body: { url?: string; spaceId?: Id<'space'> } = {},
  by: Agent = cast.alice,
): Promise<Feed> {
  const { workspaceId } = cast;
  const given = { url: `${site.url}/feed`, ...body };
  return (await by.api('feed.create', { params: { workspaceId }, body: given })).result;
}
const place = (feed: Feed) => ({ workspaceId: cast.workspaceId, id: feed.id });
const check = async (feed: Feed, by: Agent = cast.alice) =>
  (await by.api('feed.check', { params: place(feed) })).result;
const read = async (feed: Feed, by: Agent = cast.alice) =>
  (await by.api('feed.get', { params: place(feed) })).result;

async function saved(by: Agent = cast.alice) {
  const { workspaceId } = cast;
  const query = { perPage: 100, orderBy: 'created' as const };
  const { result } = await by.api('memory.list', { params: { workspaceId }, query });
  return result;
}
const titles = async (by?: Agent) => (await saved(by)).map(({ title }) => title ?? '').toSorted(inOrder);
const inOrder = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });
/** What the queue does when the time has come. */
async function work(): Promise<void> {
  const handlers = createJobHandlers(world.context);
  await handlers['feed.due'].run({});
  const feeds = await world.context.db.selectFrom('feed').select(['workspaceId', 'id']).execute();
  for (const { workspaceId, id } of feeds) await handlers['feed.check'].run({ workspaceId, feedId: id });
}

describe('following', () => {
  it('saves the newest entries at once in a private space of the feed’s name, then each new one once', async () => {
    pages['/feed'] = sendsFeed(rss(manyItems(1, 30)));
    const feed = await follow();
    expect(feed).toMatchObject({
      title: 'Ferries',
      state: 'active',
      problem: null,
      ownerId: cast.alice.user.id,
    });
    const first = await saved();
    expect(first).toHaveLength(FEED_LIMITS.firstEntries);
    expect(first.map(({ url }) => url)).toContain(`${site.url}/30`);
    expect(
      first.every(
        ({ origin, spaceId, type }) => origin === 'rss' && spaceId === feed.spaceId && type === 'link',
      ),
    ).toBe(true);
    const params = { workspaceId: cast.workspaceId, id: feed.spaceId };
    expect((await cast.alice.api('space.get', { params })).result).toMatchObject({
      name: 'Ferries',
      visibility: 'private',
    });
    expect(await saved(cast.bob)).toEqual([]);

    pages['/feed'] = sendsFeed(rss(manyItems(1, 33)));
    await check(feed);
    await check(feed);
    expect(await titles()).toEqual(Array.from({ length: 13 }, (_, at) => `Entry ${at + 21}`));
  });

  it('finds the feed that a page names, and reads Atom, RDF and JSON feeds', async () => {
    pages['/'] = page('<link rel="alternate" type="application/atom+xml" href="/atom"><p>Hello');
    pages['/atom'] = page(
      `<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">An &lt;i&gt;Atom&lt;/i&gt;</title><entry><id>tag:1</id><title>One</title><link href="/one"/><summary type="html">&lt;p&gt;Said &lt;b&gt;so&lt;/b&gt;&lt;/p&gt;</summary></entry></feed>`,
      { 'content-type': 'application/atom+xml' },
    );
    pages['/rdf'] = page(
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>R</title></channel><item rdf:about="${site.url}/two"><title>Two</title><link>${site.url}/two</link></item></rdf:RDF>`,
      { 'content-type': 'text/xml' },
    );
    pages['/json'] = page(
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'J',
        items: [
          { id: '3', title: 'Three', content_html: '<p>Only <em>here</em></p><script>alert(1)</script>' },
        ],
      }),
      { 'content-type': 'application/json' },
    );
    const atom = await follow({ url: `${site.url}/` });
    expect(atom).toMatchObject({ url: `${site.url}/atom`, title: 'An Atom' });
    await follow({ url: `${site.url}/rdf` });
    await follow({ url: `${site.url}/json` });
    const found = await saved();
    expect(await titles()).toEqual(['One', 'Three', 'Two']);
    expect(found.find(({ title }) => title === 'One')).toMatchObject({
      url: `${site.url}/one`,
      description: 'Said so',
    });
    const own = found.find(({ title }) => title === 'Three');
    expect(own).toMatchObject({ type: 'note', url: null, notes: 'Only _here_' });
  });

  it('keeps an entry that the person has deleted away, and one that was saved before in one piece', async () => {
    pages['/feed'] = sendsFeed(rss([{ id: 1 }]));
    const { result: before } = await cast.alice.api('memory.create', {
      body: { workspaceId: cast.workspaceId, url: `${site.url}/1`, title: 'Mine', origin: 'web' },
    });
    const space = await createBuild(cast).space({ name: 'Ours' });
    const feed = await follow({ spaceId: space.id });
    expect((await saved()).map(({ id, title }) => [id, title])).toEqual([[before.id, 'Mine']]);
    await cast.alice.api('memory.remove', { params: { workspaceId: cast.workspaceId, id: before.id } });
    await check(feed);
    expect(await saved()).toEqual([]);
  });

  it('asks only for what has changed, and saves nothing twice when two checks run at once', async () => {
    let asked: string | undefined;
    pages['/feed'] = (request, response) => {
      asked = request.headers['if-none-match'];
      if (asked === '"v1"') response.writeHead(304).end();
      else
        response
          .writeHead(200, { 'content-type': 'application/rss+xml', etag: '"v1"' })
          .end(rss([{ id: 1 }]));
    };
    const feed = await follow();
    expect(await check(feed)).toMatchObject({ problem: null });
    expect(asked).toBe('"v1"');
    pages['/feed'] = sendsFeed(rss(manyItems(1, 5)));
    await Promise.all([check(feed), check(feed), check(feed)]);
    expect(await titles()).toEqual(['Entry 1', 'Entry 2', 'Entry 3', 'Entry 4', 'Entry 5']);
  });

  it('leaves what is above the limit of a check for the next one, the oldest first', async () => {
    pages['/feed'] = sendsFeed(rss([{ id: 1 }]));
    const feed = await follow();
    pages['/feed'] = sendsFeed(rss(manyItems(1, FEED_LIMITS.perCheck + 11)), {});
    await check(feed);
    expect(
      await world.context.db
        .selectFrom('memory')
        .select('title')
        .where('workspaceId', '=', cast.workspaceId)
        .where('title', '=', `Entry ${FEED_LIMITS.perCheck + 11}`)
        .execute(),
    ).toEqual([]);
    await check(feed);
    const { total } = (
      await cast.alice.api('memory.list', {
        params: { workspaceId: cast.workspaceId },
        query: { perPage: 1 },
      })
    ).meta;
    expect(total).toBe(FEED_LIMITS.perCheck + 11);
  });
});

describe('a check when its time has come', () => {
  it('comes after an hour, later and later while the site fails, and pauses in the end with a notice', async () => {
    pages['/feed'] = sendsFeed(rss([{ id: 1 }]));
    const feed = await follow();
    const began = world.clock.now().getTime();
    const due = async () => Date.parse((await read(feed)).nextAt ?? '') - began;
    expect(await due()).toBe(HOUR_MS);
    pages['/feed'] = sendsFeed(rss(manyItems(1, 2)));
    world.clock.advance(HOUR_MS);
    await work();
    expect(await titles()).toEqual(['Entry 1', 'Entry 2']);
    pages['/feed'] = page('', {}, 500);
    for (let day = 0; day <= FEED_LIMITS.pausedAfterDays; day += 1) {
      world.clock.advance(DAY_MS);
      await work();
    }
    expect(await read(feed)).toMatchObject({
      state: 'paused',
      problem: 'The site answered with an error (500).',
      nextAt: null,
    });
    const { result: notices } = await cast.alice.api('notification.list', {});
    expect(notices.filter(({ triggerId }) => triggerId === 'feed.paused')).toHaveLength(1);
    pages['/feed'] = sendsFeed(rss(manyItems(1, 3)));
    await cast.alice.api('feed.update', { params: place(feed), body: { state: 'active' } });
    await work();
    expect(await titles()).toEqual(['Entry 1', 'Entry 2', 'Entry 3']);
  });

  it('is queued by one of many nodes, and not at all while the feed is paused', async () => {
    pages['/feed'] = sendsFeed(rss([{ id: 1 }]));
    const feed = await follow();
    world.clock.advance(HOUR_MS);
    const handlers = createJobHandlers(world.context);
    await Promise.all([
      handlers['feed.due'].run({}),
      handlers['feed.due'].run({}),
      handlers['feed.due'].run({}),
    ]);
    expect(Date.parse((await read(feed)).nextAt ?? '')).toBeGreaterThan(world.clock.now().getTime());
    await cast.alice.api('feed.update', { params: place(feed), body: { state: 'paused' } });
    site.asked.length = 0;
    await handlers['feed.check'].run({ workspaceId: cast.workspaceId, feedId: feed.id });
    await expect(check(feed)).rejects.toMatchObject({ status: 409 });
    expect(site.asked).toEqual([]);
  });

  it.each([
    [
      'the person was removed',
      () =>
        cast.alice.api('workspace_member.remove', {
          params: { workspaceId: cast.workspaceId, id: cast.bob.user.id },
        }),
    ],
    [
      'the person may only read now',
      () =>
        cast.alice.api('workspace_member.update', {
          params: { workspaceId: cast.workspaceId, id: cast.bob.user.id },
          body: { position: 'read-only' },
        }),
    ],
  ])('adds nothing when %s', async (_case, happens) => {
    pages['/feed'] = sendsFeed(rss([{ id: 1 }]));
    const feed = await follow({}, cast.bob);
    const before = await world.context.db
      .selectFrom('memory')
      .select('id')
      .where('workspaceId', '=', cast.workspaceId)
      .execute();
    await happens();
    pages['/feed'] = sendsFeed(rss(manyItems(1, 3)));
    world.clock.advance(HOUR_MS);
    await work();
    expect(await read(feed)).toMatchObject({
      state: 'paused',
      problem: 'Nothing can be added to its space any more.',
    });
    const after = await world.context.db
      .selectFrom('memory')
      .select('id')
      .where('workspaceId', '=', cast.workspaceId)
      .execute();
    expect(after).toEqual(before);
  });

  it('is tried again, and pauses nothing, when the database is lost meanwhile', async () => {
    pages['/feed'] = sendsFeed(rss([{ id: 1 }]));
    const feed = await follow();
    pages['/feed'] = sendsFeed(rss(manyItems(1, 2)));
    const lost = () => Promise.reject(new AppError('unavailable', 'The database is not there'));
    const address = { workspaceId: cast.workspaceId, feedId: feed.id };
    await expect(
      checkFeed({ ...world.context, precondition: { take: () => lost } }, address),
    ).rejects.toMatchObject({ code: 'unavailable' });
    expect(await read(feed)).toMatchObject({ state: 'active', problem: null });
    await checkFeed(world.context, address);
    expect(await titles()).toEqual(['Entry 1', 'Entry 2']);
  });

  it('adds nothing to a deleted space and says so', async () => {
    pages['/feed'] = sendsFeed(rss([{ id: 1 }]));
    const feed = await follow();
    await cast.alice.api('space.remove', { params: { workspaceId: cast.workspaceId, id: feed.spaceId } });
    pages['/feed'] = sendsFeed(rss(manyItems(1, 3)));
    world.clock.advance(HOUR_MS);
    await work();
    expect(await read(feed)).toMatchObject({ state: 'paused' });
  });
});

describe('what a site may send', () => {
  it.each([
    ['a page without a feed', page('<p>Hello')],
    ['a page that names a page', page('<link rel="alternate" type="application/rss+xml" href="/feed">')],
    ['a picture', page(Buffer.from([1, 2, 3]), { 'content-type': 'image/png' })],
    ['nothing', page('')],
    ['broken XML', sendsFeed('<rss><channel><item><title>x')],
    ['an error', page('', {}, 503)],
  ])('is refused with the field named: %s', async (_case, listener) => {
    pages['/feed'] = listener;
    await expect(follow()).rejects.toMatchObject({
      status: 400,
      error: { detail: expect.stringMatching(/^url: /) as string },
    });
    expect((await cast.alice.api('feed.list', { params: { workspaceId: cast.workspaceId } })).result).toEqual(
      [],
    );
  });

  it('has no entities that grow, and markup only as text', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>`;
    const hostile = rss([
      {
        id: 1,
        title: '&lt;img src=x onerror=alert(1)&gt;Bold &lt;b&gt;words&lt;/b&gt;',
        description: '<script>alert(1)</script><p>Text',
        link: 'javascript:alert(1)',
      },
      {
        id: 2,
        title: `\u0000${'x'.repeat(5_000)}`,
        description: '<div>'.repeat(400),
        link: `${site.url}/${'y'.repeat(3_000)}`,
      },
      { id: 3, title: '&b;' },
    ]).replace('<?xml version="1.0"?>', bomb);
    pages['/feed'] = sendsFeed(hostile);
    await follow();
    const found = await saved();
    expect(found.find(({ title }) => title === 'Bold words')).toMatchObject({
      type: 'note',
      url: null,
      notes: 'Text',
    });
    expect(found.every(({ title }) => (title ?? '').length <= 300)).toBe(true);
    expect(JSON.stringify(found)).not.toMatch(/javascript:|onerror|aaaaaaaaaa/);
  });

  itLong('is read away from the main thread, also 500 long entries', async () => {
    const long = `<p>${'word '.repeat(3_000)}</p>`;
    pages['/feed'] = sendsFeed(
      rss(manyItems(1, 500).map((item) => ({ ...item, description: long, link: null }))),
    );
    await follow();
    expect(await saved()).toHaveLength(FEED_LIMITS.firstEntries);
  });
});
