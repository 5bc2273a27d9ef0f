/** Explore says what it shows: what trends, the newest in its place, and nothing behind the last part of a list. */
import { expect, it } from 'vitest';
import { PUBLIC } from '#shared/spaces/limits.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { openWorld } from '#tests/support/world.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
const STAND_IN = 'Nothing is trending right now. These are the newest spaces.';

await ensureBuilt();
const world = await openWorld({ web: true });
const cast = await createCast(world);

const get = (path: string) =>
  fetch(world.url + path, { headers: { accept: 'text/html', 'user-agent': BROWSER } });
const headingOf = (html: string) => /<h2 id="spaces"[^>]*>(.*?)<\/h2>/.exec(html)?.[1];

it('calls the newest what they are while nothing trends, and trending what was looked at', async () => {
  const nothing = await (await get('/explore')).text();
  expect(nothing).not.toContain(STAND_IN);
  expect(nothing).toContain('No space is public here yet');
  const build = createBuild(cast);
  const space = await build.space({ name: 'Tide pools', visibility: 'public' });
  for (const title of ['One', 'Two', 'Three']) await build.link(space.id, (await build.memory({ title })).id);
  const quiet = await (await get('/explore')).text();
  expect(quiet).toContain('Tide pools');
  expect(quiet).toContain(STAND_IN);
  expect(headingOf(quiet)).toBe('Newest spaces');
  expect((await get(`/${cast.slug}/spaces/p/${space.slug}`)).status).toBe(200);
  world.clock.advance(PUBLIC.trendingCacheMs + 1_000);
  const busy = await (await get('/explore')).text();
  expect(busy).toContain('Tide pools');
  expect(busy).not.toContain(STAND_IN);
  expect(headingOf(busy)).toBe('Trending spaces');
  expect(await (await get('/explore?order=newest')).text()).not.toContain(STAND_IN);
});

it('answers 404 behind the last part of every list of the site', async () => {
  for (const path of ['/explore', '/explore?order=newest', '/explore?q=tide', '/blog']) {
    const more = (page: string) => `${path}${path.includes('?') ? '&' : '?'}page=${page}`;
    for (const [page, status] of [
      ...([
        ['1', 200],
        ['', 200],
        ['none', 200],
      ] as const),
      ...([
        ['2', 404],
        ['99', 404],
        ['99999999999999', 404],
      ] as const),
    ])
      expect([more(page), (await get(more(page))).status]).toEqual([more(page), status]);
  }
});
