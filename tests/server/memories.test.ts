/** Memories through HTTP: saving, reading, changing, deleting, and who may. */
import { describe, expect, it } from 'vitest';
import { writeAs } from '#server/http/write.ts';
import { newId, type Id } from '#shared/ids.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';
import { asPerson } from '#server/sync/readable.ts';

const world = await openWorld();
const cast = await createCast(world);
const build = createBuild(cast);

it('takes no null for an object of fields', async () => {
  const memory = await createBuild(cast).memory({ title: 'Stays' });
  const answer = await cast.alice.raw('PATCH', `/v1/memories/${cast.workspaceId}/${memory.id}`, {
    body: null,
  });
  expect([answer.status, answer.json?.error?.code]).toEqual([400, 'invalid']);
});

describe('saving a memory', () => {
  it('answers 201 with the row and the version that replicas will show', async () => {
    const { workspaceId, bob } = cast;
    const { status, result, meta, headers } = await bob.api('memory.create', {
      body: { workspaceId, notes: '# Tide tables\n\nHigh water at nine.', tags: [' Sea ', 'sea', 'Harbour'] },
    });
    expect(status).toBe(201);
    expect(result).toMatchObject({
      type: 'note',
      contentStatus: 'completed',
      origin: 'manual_entry',
      archived: false,
      tags: ['sea', 'harbour'],
      ownerId: bob.user.id,
      createdBy: bob.user.id,
      spaceId: null,
      created: world.clock.now().toISOString(),
    });
    expect(result).not.toHaveProperty('urlKey');
    expect(meta.syncVersion).toBe(Number(headers.get('x-sync-version')));
  });

  it('takes the time when it was saved elsewhere, and none to come', async () => {
    const { workspaceId } = cast;
    const create = async (created: string) =>
      (await cast.alice.api('memory.create', { body: { workspaceId, title: 'Found again', created } }))
        .result;
    const earlier = await create('2019-05-06T07:08:09.000Z');
    expect(earlier).toMatchObject({ created: '2019-05-06T07:08:09.000Z', origin: 'manual_entry' });
    const now = world.clock.now().toISOString();
    expect((await create('2999-01-01T00:00:00.000Z')).created <= now).toBe(true);
    const bad = { body: { workspaceId, title: 'Found again', created: 'yesterday' } };
    expect((await cast.alice.raw('POST', '/v1/memories', bad)).status).toBe(400);
  });

  it('works unchanged for the browser extension', async () => {
    const { workspaceId, bob } = cast;
    const body = {
      workspaceId,
      url: 'https://example.org/a?utm_source=x',
      title: 'An article',
      description: '',
      tags: ['Reading'],
      origin: 'browser_extension',
      notes: '',
    };
    const origin = 'chrome-extension://abcdefghijklmnop';
    const saved = await bob.raw('POST', '/v1/memories', { body, headers: { origin } });
    expect([saved.status, saved.headers.get('access-control-allow-origin')]).toEqual([201, origin]);
    expect(saved.json?.result).toMatchObject({ type: 'link', contentStatus: 'pending', notes: null });
    const { id } = Object(saved.json?.result);
    const noted = await bob.raw('PATCH', `/v1/memories/${workspaceId}/${id}`, { body: { notes: 'mine' } });
    expect(noted.json?.result).toMatchObject({ id, notes: 'mine' });
    const wrong = await bob.raw('POST', '/v1/memories', { body: { ...body, url: 'chrome://settings' } });
    expect([wrong.status, wrong.json?.error?.detail]).toEqual([400, 'url: Must be an http or https address']);
  });

  it('recognises the same page: un-archives, adds tags, files, and answers 200 with meta.duplicate', async () => {
    const { workspaceId, alice, bob } = cast;
    const space = await build.space();
    const url = 'https://www.example.com/page/?b=2&a=1';
    const first = await build.memory({ url, title: 'First', tags: ['one'] });
    await alice.api('memory.update', { params: { workspaceId, id: first.id }, body: { archived: true } });
    const again = await bob.api('memory.create', {
      body: {
        workspaceId,
        url: 'http://example.com/page?a=1&b=2&fbclid=9#top',
        tags: ['two'],
        spaceId: space.id,
      },
    });
    expect([again.status, again.meta.duplicate, again.result.id]).toEqual([200, true, first.id]);
    expect(again.result).toMatchObject({ archived: false, title: 'First', tags: ['one', 'two'] });
    const links = await bob.api('space_memory.list', {
      params: { workspaceId },
      query: { spaceId: space.id },
    });
    expect(links.result.map((link) => link.memoryId)).toEqual([first.id]);
  });

  it('does not give away a page that the person cannot read', async () => {
    const { workspaceId, bob } = cast;
    const secret = await build.space({ visibility: 'private', name: 'Secret' });
    const hidden = await build.memory({ url: 'https://example.com/secret', spaceId: secret.id });
    const { status, result } = await bob.api('memory.create', {
      body: { workspaceId, url: 'https://example.com/secret' },
    });
    expect(status).toBe(201);
    expect(result.id).not.toBe(hidden.id);
  });

  it('takes an id from the client, once: again the same, foreign a conflict', async () => {
    const { workspaceId, alice, bob, eve, evesWorkspaceId } = cast;
    const id = newId('memory');
    const body = { workspaceId, id, title: 'Mine' };
    expect((await bob.raw('POST', '/v1/memories', { body })).status).toBe(201);
    expect((await bob.raw('POST', '/v1/memories', { body })).json?.result).toMatchObject({
      id,
      title: 'Mine',
    });
    const stolen = { ...body, workspaceId: evesWorkspaceId, title: 'Eve’s' };
    expect((await eve.raw('POST', '/v1/memories', { body: stolen })).status).toBe(409);
    const { result } = await alice.api('memory.get', { params: { workspaceId, id } });
    expect(result.title).toBe('Mine');
  });

  it.each([
    ['nothing to save', {}, 'url: Send a url, notes or a file'],
    ['an origin of the server', { title: 'x', origin: 'system' }, 'origin: Given by the server only'],
    ['an unknown origin', { title: 'x', origin: 'fax' }, 'origin: '],
    ['too long a title', { title: 'x'.repeat(301) }, 'title: At most 300 characters'],
    ['too long notes', { notes: 'x'.repeat(100_001) }, 'notes: At most 100000 characters'],
    ['51 tags', { title: 'x', tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'tags: At most 50'],
    ['a javascript address', { url: 'javascript:alert(1)' }, 'url: Must be an http or https address'],
    ['NUL', { title: 'a\u0000b' }, 'title: Contains characters'],
    ['half a character', { notes: 'a\ud800' }, 'notes: Contains characters'],
    ['a list for a text', { title: ['x'] }, 'title: '],
    ['an id of another kind', { title: 'x', id: newId('space') }, 'id: Invalid memory id'],
  ])('refuses %s', async (_what, fields, detail) => {
    const body = { workspaceId: cast.workspaceId, ...fields };
    const { status, json } = await cast.alice.raw('POST', '/v1/memories', { body });
    expect(status).toBe(400);
    expect(json?.error?.detail).toContain(detail);
  });
});

describe('a repeated request', () => {
  it('that failed may be sent again under its key', async () => {
    const { workspaceId, bob } = cast;
    const headers = { 'idempotency-key': 'key-2' };
    const spaceId = newId('space');
    const missing = { workspaceId, title: 'x', spaceId };
    expect((await bob.raw('POST', '/v1/memories', { body: missing, headers })).status).toBe(404);
    const good = { workspaceId, title: 'x' };
    expect((await bob.raw('POST', '/v1/memories', { body: good, headers })).status).toBe(201);
  });
});

describe('reading memories', () => {
  it('leaves long notes out of lists and sends them whole with the memory and as text with an ETag', async () => {
    const { workspaceId, bob } = cast;
    const notes = 'Long tale. '.repeat(1_000);
    const { id, bodyHash } = await build.memory({ title: 'Long', notes });
    const { result } = await bob.api('memory.list', { params: { workspaceId }, query: { id } });
    expect(result[0]).toMatchObject({ id, notes: null, bodyBytes: 11_000 });
    expect((await bob.api('memory.get', { params: { workspaceId, id } })).result.notes).toBe(notes);
    const body = await bob.raw('GET', `/v1/memories/${workspaceId}/${id}/body`);
    expect([body.status, body.text, body.headers.get('etag')]).toEqual([200, notes, `"${bodyHash}"`]);
    const headers = { 'if-none-match': `"${bodyHash}"` };
    const same = await bob.raw('GET', `/v1/memories/${workspaceId}/${id}/body`, { headers });
    expect([same.status, same.text]).toEqual([304, '']);
  });

  it('hands out many texts at once, only readable ones, and ends an answer that is large enough', async () => {
    const { workspaceId, bob } = cast;
    const notes = 'word '.repeat(19_000);
    const long = await Promise.all(Array.from({ length: 15 }, () => build.memory({ notes })));
    const space = await build.space({ visibility: 'private' });
    const hidden = await build.memory({ notes, spaceId: space.id });
    const ask = (ids: Id<'memory'>[]) =>
      bob.api('memory.texts', {
        params: { workspaceId },
        body: { texts: ids.map((id) => ({ id, part: 'body' as const })) },
      });
    const ids = [hidden.id, ...long.map(({ id }) => id)];
    const { result } = await ask(ids);
    expect(result[0]).toEqual({ id: hidden.id, part: 'body', text: null });
    expect(result.slice(1).every(({ text }) => text === notes)).toBe(true);
    expect(result.map(({ id }) => id)).toEqual(ids.slice(0, 13));
    expect((await ask(ids.slice(13))).result).toHaveLength(3);
  });

  it('filters by equality, any of, none, dates and tags, and pages in a stable order', async () => {
    const own = await createCast(world);
    const make = createBuild(own);
    const start = world.clock.now();
    for (const [index, title] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      world.clock.set(new Date(start.getTime() + index * 86_400_000));
      await make.memory({
        title,
        tags: [`tag-${title}`, 'all'],
        ...(index > 2 && { url: `https://x.example/${title}` }),
      });
    }
    world.clock.set(start);
    const { workspaceId, bob } = own;
    const titles = async (query: Record<string, string | readonly string[]>) =>
      (await bob.api('memory.list', { params: { workspaceId }, query })).result.map(({ title }) => title);
    expect(await titles({})).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(await titles({ order: 'asc', perPage: '2', page: '2' })).toEqual(['c', 'd']);
    expect(await titles({ orderBy: 'title', order: 'asc', type: 'link' })).toEqual(['d', 'e']);
    expect(await titles({ title: 'a,c,x' })).toEqual(['c', 'a']);
    expect(await titles({ url: 'null' })).toEqual(['c', 'b', 'a']);
    expect(await titles({ tags: 'tag-a,tag-e' })).toEqual(['e', 'a']);
    expect(await titles({ tags: ['tag-a', 'tag-e'] })).toEqual(['e', 'a']);
    const repeated = await bob.raw('GET', `/v1/memories/${workspaceId}?tags=tag-a&tags=tag-e`);
    expect(repeated.json?.result).toMatchObject([{ title: 'e' }, { title: 'a' }]);
    const day = (index: number) => new Date(start.getTime() + index * 86_400_000).toISOString();
    expect(await titles({ created: `${day(1)}..${day(3)}` })).toEqual(['d', 'c', 'b']);
    expect(await titles({ created: `${day(3).slice(0, 10)}..` })).toEqual(['e', 'd']);
    expect(await titles({ archived: 'true' })).toEqual([]);
    const { meta } = await bob.api('memory.list', { params: { workspaceId }, query: { perPage: 2 } });
    expect(meta).toMatchObject({ page: 1, perPage: 2, total: 5, orderBy: 'created', order: 'desc' });
  });

  it('tells the total of this moment to each reader, whatever was counted before', async () => {
    const own = await createCast(world);
    const { workspaceId } = own;
    const made = createBuild(own);
    const total = async ({ api }: Cast['bob'], query: Record<string, string> = {}) =>
      (await api('memory.list', { params: { workspaceId }, query: { perPage: '1', ...query } })).meta.total;
    const hidden = await made.space({ visibility: 'private' });
    for (const spaceId of [null, null, hidden.id]) await made.memory({ spaceId });
    const seen = async () => [await total(own.alice), await total(own.bob)];
    expect([await seen(), await seen()]).toEqual([
      [3, 2],
      [3, 2],
    ]);
    const { id } = await made.memory({ tags: ['late'] });
    expect([...(await seen()), await total(own.bob, { tags: 'late' })]).toEqual([4, 3, 1]);
    await own.alice.api('memory.remove', { params: { workspaceId, id } });
    expect(await seen()).toEqual([3, 2]);
    await own.alice.api('space.update', {
      params: { workspaceId, id: hidden.id },
      body: { visibility: 'workspace' },
    });
    expect(await seen()).toEqual([3, 3]);
  });

  it.each([
    'perPage=0',
    'perPage=101',
    'page=10001',
    'orderBy=notes',
    'archived=maybe',
    'type=film',
    'spaceId=spc_1',
    'created=2026-13-01',
  ])('refuses %s', async (query) => {
    const { status, json } = await cast.bob.raw('GET', `/v1/memories/${cast.workspaceId}?${query}`);
    expect([status, json?.error?.detail?.split(':')[0]]).toEqual([400, query.split('=')[0]]);
  });

  it('in random order repeats with the seed, and leaves archived ones out', async () => {
    const own = await createCast(world);
    const make = createBuild(own);
    const { workspaceId, bob } = own;
    for (let n = 0; n < 12; n += 1) await make.memory({ title: `m${n}` });
    const archived = await make.memory({ title: 'old' });
    await own.alice.api('memory.update', {
      params: { workspaceId, id: archived.id },
      body: { archived: true },
    });
    const random = async (seed: string, limit = 20) =>
      (await bob.api('memory.random', { params: { workspaceId }, query: { seed, limit } })).result.map(
        ({ id }) => id,
      );
    expect(await random('s1')).toEqual(await random('s1'));
    expect(await random('s1')).not.toEqual(await random('s2'));
    expect((await random('s1')).length).toBe(12);
    expect((await random('it\'s \\ "odd"', 5)).length).toBe(5);
    expect((await bob.raw('GET', `/v1/memories/random/${workspaceId}?limit=101`)).status).toBe(400);
  });

  it('counts tags of readable memories only', async () => {
    const own = await createCast(world);
    const make = createBuild(own);
    const hidden = await make.space({ visibility: 'private', name: 'Hidden' });
    await make.memory({ tags: ['one', 'two'] });
    await make.memory({ tags: ['one'] });
    await make.memory({ tags: ['secret', 'one'], spaceId: hidden.id });
    const { result, meta } = await own.bob.api('tag.list', { params: { workspaceId: own.workspaceId } });
    expect(result).toEqual([
      { tag: 'one', count: 2 },
      { tag: 'two', count: 1 },
    ]);
    expect(meta.total).toBe(2);
  });
});

describe('changing a memory', () => {
  it('sets what PATCH names and replaces everything with PUT', async () => {
    const { workspaceId, bob } = cast;
    const { id } = await build.memory({ title: 'Old', notes: 'old text', tags: ['a', 'b'] });
    const params = { workspaceId, id };
    const patched = await bob.api('memory.update', { params, body: { title: 'New', tags: ['b', 'c'] } });
    expect(patched.result).toMatchObject({ title: 'New', notes: 'old text', tags: ['b', 'c'] });
    expect(patched.result.lastEditedBy).toBe(bob.user.id);
    const put = await bob.api('memory.replace', { params, body: { title: 'Whole' } });
    expect(put.result).toMatchObject({
      title: 'Whole',
      notes: null,
      bodyHash: null,
      tags: [],
      archived: false,
    });
  });

  it('takes only `pending` as content status, for links', async () => {
    const { workspaceId, bob } = cast;
    const link = await build.memory({ url: 'https://example.net/retry' });
    const path = `/v1/memories/${workspaceId}/${link.id}`;
    expect((await bob.raw('PATCH', path, { body: { contentStatus: 'completed' } })).status).toBe(400);
    const retried = await bob.raw('PATCH', path, { body: { contentStatus: 'pending' } });
    expect(retried.json?.result).toMatchObject({ contentStatus: 'pending' });
  });

  it('keeps both texts and tells both authors when notes were changed on two sides', async () => {
    const own = await createCast(world);
    const { workspaceId, alice, bob } = own;
    const { id, bodyHash } = await createBuild(own).memory({ title: 'Plan', notes: 'base' });
    await alice.api('memory.update', { params: { workspaceId, id }, body: { notes: 'from alice' } });
    await writeAs(world.context, { realmId: workspaceId, ...asPerson(bob.user.id) }, ({ apply, at }) =>
      apply('memory.set_notes', { id, at, notes: 'from bob', baseHash: bodyHash }),
    );
    const { result } = await bob.api('memory.get', { params: { workspaceId, id } });
    expect(result.notes).toMatch(/^from bob[\s\S]+Conflicting version[\s\S]+from alice$/);
    for (const person of [alice, bob]) {
      const notices = await person.api('notification.list', { query: { triggerId: 'memory.conflict' } });
      expect(notices.result.map(({ metadata }) => metadata.link)).toEqual([`/${own.slug}?memory=${id}`]);
    }
  });

  it('deletes: then everywhere 404, also for a second DELETE', async () => {
    const { workspaceId, alice } = cast;
    const { id } = await build.memory();
    const path = `/v1/memories/${workspaceId}/${id}`;
    expect((await alice.raw('DELETE', path)).status).toBe(200);
    const after = await Promise.all(['GET', 'DELETE'].map((method) => alice.raw(method, path)));
    expect(after.map(({ status }) => status)).toEqual([404, 404]);
    expect((await alice.raw('PATCH', path, { body: { title: 'x' } })).status).toBe(404);
    const { result } = await alice.api('memory.list', { params: { workspaceId }, query: { id } });
    expect(result).toEqual([]);
  });
});
