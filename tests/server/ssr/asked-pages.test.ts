/** Kept pages of the database: sent again only while everything they were made of is answered alike, seen from outside. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askOnce, createAskedPages } from '#server/ssr/asked-pages.ts';
import type { Row } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

let world: World;
let cast: Cast;
let space: Row<'space'>;
let memory: { id: Id<'memory'> };
let spacePath: string;

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(world.url + path, { headers: { 'user-agent': BROWSER, ...headers }, redirect: 'manual' });
/** As browsers ask again; fetch alone would say "no-cache" and get everything. */
const holding = (tag: string) => ({ 'if-none-match': tag, 'cache-control': 'max-age=0' });
const html = async (path: string) => (await get(path)).text();
const setSpace = (fields: { visibility?: Row<'space'>['visibility']; name?: string }) =>
  cast.alice.api('space.update', { params: { workspaceId: cast.workspaceId, id: space.id }, body: fields });

beforeAll(async () => {
  await ensureBuilt();
  world = await createWorld({ web: true });
  cast = await createCast(world);
  const build = createBuild(cast);
  space = { ...(await build.space({ name: 'Tide pools', visibility: 'public' })), deletedAt: null };
  memory = await build.memory({ title: 'Beadlet anemone', url: 'https://sea.example/1' });
  await build.link(space.id, memory.id);
  spacePath = `/${cast.slug}/spaces/p/${space.slug}`;
}, 240_000);
afterAll(() => world.close());

describe('a shared page that was seen before', () => {
  it('is the same page for the next visitor, in every encoding, and known to a browser that has it', async () => {
    const first = await html(spacePath);
    for (const encoding of ['br', 'gzip', 'identity']) {
      const again = await get(spacePath, { 'accept-encoding': encoding });
      expect([encoding, again.status, await again.text()]).toEqual([encoding, 200, first]);
      const tag = again.headers.get('etag') ?? '';
      const known = await get(spacePath, { 'accept-encoding': encoding, ...holding(tag) });
      expect([encoding, known.status]).toEqual([encoding, 304]);
    }
  });

  it('shows a change of what stands in it at the very next request, also to a browser that has the old one', async () => {
    for (const path of [spacePath, `/p/${cast.slug}`]) await html(path);
    const tag = (await get(spacePath)).headers.get('etag') ?? '';
    await cast.alice.api('memory.update', {
      params: { workspaceId: cast.workspaceId, id: memory.id },
      body: { title: 'Snakelocks anemone' },
    });
    const changed = await get(spacePath, holding(tag));
    expect(changed.status).toBe(200);
    const page = await changed.text();
    expect(page).toContain('Snakelocks anemone');
    expect(page).not.toContain('Beadlet');
    await setSpace({ name: 'Rock pools' });
    for (const path of [spacePath, `/p/${cast.slug}`]) expect(await html(path)).toContain('Rock pools');
  });

  it('loses a memory that was archived or deleted at the very next request', async () => {
    const build = createBuild(cast);
    const params = { workspaceId: cast.workspaceId };
    const gone = await build.memory({ title: 'Velvet crab', url: 'https://sea.example/2' });
    await build.link(space.id, gone.id);
    expect(await html(spacePath)).toContain('Velvet crab');
    await cast.alice.api('memory.update', { params: { ...params, id: gone.id }, body: { archived: true } });
    expect(await html(spacePath)).not.toContain('Velvet crab');
    await cast.alice.api('memory.update', { params: { ...params, id: gone.id }, body: { archived: false } });
    expect(await html(spacePath)).toContain('Velvet crab');
    await cast.alice.api('memory.remove', { params: { ...params, id: gone.id } });
    expect(await html(spacePath)).not.toContain('Velvet crab');
  });

  it('is a 404 at the very next request once it is closed, and itself again once it is open', async () => {
    for (const visibility of ['private', 'workspace'] as const) {
      const open = await get(spacePath);
      const tag = open.headers.get('etag') ?? '';
      await setSpace({ visibility });
      const closed = await get(spacePath, holding(tag));
      expect([visibility, closed.status]).toEqual([visibility, 404]);
      expect(await closed.text()).not.toContain('Rock pools');
      await setSpace({ visibility: 'public' });
      expect((await get(spacePath)).status).toBe(200);
    }
  });

  it('stays out of search engines every time while unlisted', async () => {
    await setSpace({ visibility: 'unlisted' });
    for (const visit of [1, 2, 3]) {
      const page = await get(spacePath);
      expect([visit, page.status, page.headers.get('x-robots-tag')]).toEqual([visit, 200, 'noindex']);
    }
    await setSpace({ visibility: 'public' });
    expect((await get(spacePath)).headers.get('x-robots-tag')).toBeNull();
  });

  it('counts every visitor once', async () => {
    const visits = async () =>
      (
        await world.context.db
          .selectFrom('public_visit')
          .select('visitor')
          .where('resourceId', '=', space.id)
          .execute()
      ).length;
    const before = await visits();
    for (const browser of ['one', 'two', 'two'])
      await get(spacePath, { 'user-agent': `${BROWSER} ${browser}` });
    expect(await visits()).toBe(before + 2);
  });
});

describe('the rule', () => {
  const page = { html: '<p>seen</p>', noindex: false };

  async function keptAfter(answers: Record<string, unknown>) {
    const pages = createAskedPages();
    const asking = askOnce(async (_method, path) => answers[path]);
    for (const path of Object.keys(answers)) await asking.callApi('GET', path);
    await pages.keep('/page', page, asking);
    return pages;
  }

  it('keeps a page while each call is answered alike, and forgets it with the first that is not', async () => {
    const answers: Record<string, unknown> = { '/space': { name: 'a' }, '/memories': [1, 2] };
    const pages = await keptAfter(answers);
    const find = () =>
      pages.find(
        '/page',
        askOnce(async (_method, path) => answers[path]),
      );
    expect((await find())?.html).toBe(page.html);
    answers['/memories'] = [1, 3];
    expect(await find()).toBeUndefined();
    answers['/memories'] = [1, 2];
    expect(await find()).toBeUndefined();
  });

  it('takes a failing call for a change, and makes no call twice for one visitor', async () => {
    const pages = await keptAfter({ '/space': 1, '/memories': 2 });
    const made: string[] = [];
    const asking = askOnce(async (_method, path) => {
      made.push(path);
      if (path === '/space') throw new Response(null, { status: 404 });
      return 2;
    });
    expect(await pages.find('/page', asking)).toBeUndefined();
    await expect(asking.callApi('GET', '/space')).rejects.toMatchObject({ status: 404 });
    expect(await asking.callApi('GET', '/memories')).toBe(2);
    expect(made).toEqual(['/space', '/memories']);
  });

  it('keeps nothing that a failed call stands in', async () => {
    const pages = createAskedPages();
    const failing = askOnce(async () => {
      throw new Response(null, { status: 503 });
    });
    await failing.callApi('GET', '/space').catch(() => undefined);
    expect((await pages.keep('/page', page, failing)).html).toBe(page.html);
    expect(
      await pages.find(
        '/page',
        askOnce(async () => 1),
      ),
    ).toBeUndefined();
  });
});
