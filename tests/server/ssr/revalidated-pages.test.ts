/** Stored pages of the database: served again only while everything they were made of is unchanged, seen from outside. */
import { describe, expect, it } from 'vitest';
import { createRevalidatedPages, recordCalls, type PageCalls } from '#server/ssr/revalidated-pages.ts';
import type { Row } from '#shared/entities.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { createWorld, openWorld } from '#tests/support/world.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(world.url + path, { headers: { 'user-agent': BROWSER, ...headers }, redirect: 'manual' });
/** As browsers ask again; fetch alone would say "no-cache" and get everything. */
const holding = (tag: string) => ({ 'if-none-match': tag, 'cache-control': 'max-age=0' });
const html = async (path: string) => (await get(path)).text();
const setSpace = (fields: { visibility?: Row<'space'>['visibility']; name?: string }) =>
  cast.alice.api('space.update', { params: { workspaceId: cast.workspaceId, id: space.id }, body: fields });

await ensureBuilt();
const world = await openWorld({ web: true });
const cast = await createCast(world);
const build = createBuild(cast);
const space = { ...(await build.space({ name: 'Tide pools', visibility: 'public' })), deletedAt: null };
const memory = await build.memory({ title: 'Beadlet anemone', url: 'https://sea.example/1' });
await build.link(space.id, memory.id);
const spacePath = `/${cast.slug}/spaces/p/${space.slug}`;

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
});

describe('a shared page on another node', () => {
  it('is gone or changed there at the next request after the write here', async () => {
    const other = await createWorld({ web: true, database: world.database });
    try {
      const elsewhere = async () => (await fetch(other.url + spacePath, { redirect: 'manual' })).status;
      expect([await elsewhere(), await elsewhere()]).toEqual([200, 200]);
      await setSpace({ visibility: 'private' });
      expect(await elsewhere()).toBe(404);
      await setSpace({ visibility: 'public' });
      expect(await elsewhere()).toBe(200);
      await setSpace({ name: 'Tidal pools' });
      const page = await (await fetch(other.url + spacePath)).text();
      expect(page).toContain('Tidal pools');
    } finally {
      await other.close();
    }
  });

  it('leaves lists at the next request after three people reported it', async () => {
    const workspacePath = `/p/${cast.slug}`;
    const lists = async () => (await html(workspacePath)).includes(`/spaces/p/${space.slug}`);
    expect([await lists(), await lists()]).toEqual([true, true]);
    for (const agent of ['a', 'b', 'c']) {
      const response = await fetch(`${world.url}/v1/public/spaces/report`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': agent },
        body: JSON.stringify({ workspaceId: cast.workspaceId, id: space.id, reason: 'spam' }),
      });
      expect(response.status).toBe(200);
    }
    expect(await lists()).toBe(false);
  });

  it('cannot be hidden or suspended without a new version of its workspace', async () => {
    const { db } = world.context;
    const since = world.clock.now().toISOString();
    const outside = [
      db.insertInto('hidden_resource').values({ workspaceId: cast.workspaceId, resourceId: space.id, since }),
      db.deleteFrom('hidden_resource'),
      db.insertInto('suspended_workspace').values({ workspaceId: cast.workspaceId, since }),
      db.deleteFrom('suspended_workspace'),
    ];
    for (const write of outside) await expect(write.execute()).rejects.toThrow('outside writeInRealm');
  });
});

describe('the cache', () => {
  const page = { html: '<p>seen</p>', noindex: false };
  const silent = async () => undefined;

  /** A visitor whose calls are answered from this table. */
  function visitorOf(answers: Record<string, unknown>, version?: string) {
    const made: string[] = [];
    const calls = recordCalls((onVisit) => async (_method, path) => {
      made.push(path);
      onVisit('space_1');
      if (answers[path] instanceof Response) throw answers[path];
      return answers[path];
    });
    return { visit: { address: '/page', version, calls, recordVisits: silent }, calls, made };
  }

  async function callAll(calls: PageCalls, answers: Record<string, unknown>, method = 'GET') {
    for (const path of Object.keys(answers)) await calls.callApi(method, path).catch(() => undefined);
  }

  async function storedWith(answers: Record<string, unknown>, version?: string, method?: string) {
    const pages = createRevalidatedPages();
    const { visit, calls } = visitorOf(answers, version);
    await callAll(calls, answers, method);
    await pages.store(visit, page);
    return pages;
  }

  it('makes no call while the version is the same, and counts the visit', async () => {
    const answers = { '/space': 1, '/memories': [1, 2] };
    const pages = await storedWith(answers, 'v1');
    const { visit, made } = visitorOf(answers, 'v1');
    const counted: string[] = [];
    const recordVisits = async (ids: ReadonlySet<string>) => void counted.push(...ids);
    expect((await pages.find({ ...visit, recordVisits }))?.html).toBe(page.html);
    expect([made, counted]).toEqual([[], ['space_1']]);
  });

  it('repeats the calls once after a write that changed none of their answers', async () => {
    const answers = { '/space': 1, '/memories': [1, 2] };
    const pages = await storedWith(answers, 'v1');
    const [first, second] = [visitorOf(answers, 'v2'), visitorOf(answers, 'v2')];
    expect((await pages.find(first.visit))?.html).toBe(page.html);
    expect((await pages.find(second.visit))?.html).toBe(page.html);
    expect([first.made.length, second.made.length]).toEqual([2, 0]);
  });

  it('repeats the calls for every visitor of a search, which counts against a limit', async () => {
    const answers = { '/search': 1 };
    const pages = await storedWith(answers, 'v1', 'POST');
    const { visit, made } = visitorOf(answers, 'v1');
    expect((await pages.find(visit))?.html).toBe(page.html);
    expect(made).toEqual(['/search']);
  });

  it('serves a page without a version while each answer is the same, and forgets it with the first that is not', async () => {
    const answers: Record<string, unknown> = { '/space': { name: 'a' }, '/memories': [1, 2] };
    const pages = await storedWith(answers);
    const find = () => pages.find(visitorOf(answers).visit);
    expect((await find())?.html).toBe(page.html);
    answers['/memories'] = [1, 3];
    expect(await find()).toBeUndefined();
    answers['/memories'] = [1, 2];
    expect(await find()).toBeUndefined();
  });

  it('treats a failing call as a change, and makes no call twice for one visitor', async () => {
    const pages = await storedWith({ '/space': 1, '/memories': 2 }, 'v1');
    const gone = new Response(null, { status: 404 });
    const { visit, calls, made } = visitorOf({ '/space': gone, '/memories': 2 }, 'v2');
    expect(await pages.find(visit)).toBeUndefined();
    await expect(calls.callApi('GET', '/space')).rejects.toMatchObject({ status: 404 });
    expect(await calls.callApi('GET', '/memories')).toBe(2);
    expect(made).toEqual(['/space', '/memories']);
  });

  it('stores nothing that a failed call stands in', async () => {
    const pages = await storedWith({ '/space': new Response(null, { status: 503 }) }, 'v1');
    expect(await pages.find(visitorOf({ '/space': 1 }, 'v1').visit)).toBeUndefined();
  });
});
