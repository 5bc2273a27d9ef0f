/** Search over memories through HTTP: words, phrases, operators, ranking, marks, and that nothing unreadable is found. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { foldText, termsOf } from '#shared/memories/text-analysis.ts';
import { createApi, createRaw, TEST_PASSWORD, type RawRequest } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { openWorld } from '#tests/support/world.ts';

const LIBRARY = [
  { title: 'Docker containers', notes: 'How images become containers, layer by layer.', tags: ['docker', 'devops'] },
  { title: 'Cooking pasta', notes: 'Salt the water. A container of broth helps.', tags: ['recipe'] },
  { title: 'Crème brûlée', notes: 'Cream, eggs, sugar, and a torch for the crust.', tags: ['recipe', 'dessert'] },
  { title: 'foo-bar/baz.qux', notes: 'Path like names: src/client_search/run-search.ts v1.2.3', tags: [] },
  { title: '日本語の検索', notes: '全文検索は難しい。', tags: ['日本'] },
  { title: 'Straße nach Łódź', notes: 'Ein Weg, ein Ziel.', tags: ['reise'] },
  { title: 'Ключ от сейфа', notes: 'В ЯЩИКЕ стола', tags: [] },
  { title: 'Postgres search', notes: 'tsvector and tsquery', url: 'https://www.postgresql.org/docs/textsearch.html', tags: ['postgres'] },
  { title: 'Elephants', notes: `${'Grey and large. '.repeat(300)}Somebody mentioned postgres once.`, tags: [] },
  { title: "Quotes ' and \\ backslashes", notes: 'it’s 100% _odd_ & (strange) | !really <-> :*', tags: [] },
]; // prettier-ignore

const world = await openWorld();
const cast = await createCast(world);
const build = createBuild(cast);
for (const each of LIBRARY) await build.memory(each);

async function titles(query: string, more: object = {}): Promise<(string | null)[]> {
  const { workspaceId, alice } = cast;
  const { result } = await alice.api('memory.search', { body: { workspaceId, query, ...more } });
  return result.map(({ title }) => title);
}

describe('words', () => {
  it.each([
    ['one word in title and notes, the title first', 'container', ['Docker containers', 'Cooking pasta']],
    ['a plural for a singular', 'torches', ['Crème brûlée']],
    ['the beginning of the last word', 'elepha', ['Elephants']],
    ['no beginning of an earlier word', 'elepha grey', ['Elephants']],
    ['without accents', 'creme brulee', ['Crème brûlée']],
    ['with accents', 'crème', ['Crème brûlée']],
    ['another case and script', 'ящике КЛЮЧ', ['Ключ от сейфа']],
    ['letters that fold to two', 'strasse lodz', ['Straße nach Łódź']],
    ['signs of a script without spaces', '検索', ['日本語の検索']],
    [
      'parts of a path, and beside it what comes near',
      'run search ts',
      ['foo-bar/baz.qux', 'Postgres search'],
    ],
    ['a path as written', 'client_search/run-search', ['foo-bar/baz.qux']],
    ['a version', 'v1.2.3', ['foo-bar/baz.qux']],
    ['a part of an address', 'postgresql.org', ['Postgres search']],
    ['a tag', 'dessert', ['Crème brûlée']],
    ['the middle of a word in a title, at last', 'lephan', ['Elephants']],
  ])('are found: %s', async (_what, query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  it('must all be there; when nothing has all, some of them do, and the answer says so', async () => {
    expect(await titles('salt broth')).toEqual(['Cooking pasta']);
    const { workspaceId, alice } = cast;
    const some = await alice.api('memory.search', { body: { workspaceId, query: 'salt tsquery zebra' } });
    const found = new Set(some.result.map(({ title }) => title));
    expect(found).toEqual(new Set(['Cooking pasta', 'Postgres search']));
    expect(some.meta).toMatchObject({ match: 'any', total: 2, orderBy: 'score' });
    expect(await titles('zebra quagga')).toEqual([]);
  });

  it('rank a short text about something before a long one that mentions it', async () => {
    expect(await titles('postgres')).toEqual(['Postgres search', 'Elephants']);
  });

  it('in quotes stand side by side', async () => {
    expect(await titles('"layer by layer"')).toEqual(['Docker containers']);
    expect(await titles('"layer layer by"')).toEqual([]);
    expect(await titles('"layer by')).toEqual(['Docker containers']);
  });

  it('with a minus must not be there', async () => {
    expect(await titles('container -docker')).toEqual(['Cooking pasta']);
    expect(await titles('container -"layer by layer"')).toEqual(['Cooking pasta']);
  });
});

describe('operators', () => {
  it.each([
    ['tag:recipe', ['Crème brûlée', 'Cooking pasta']],
    ['tag:recipe -tag:dessert', ['Cooking pasta']],
    ['tag:日本', ['日本語の検索']],
    ['type:link', ['Postgres search']],
    ['origin:web', ['Postgres search']],
    ['title:postgres', ['Postgres search']],
    ['url:textsearch', ['Postgres search']],
    ['postgres -url:textsearch', ['Elephants']],
    ['is:archived', []],
    ['after:2030', []],
    ['before:2000 pasta', []],
    ['before:2030 pasta', ['Cooking pasta']],
  ])('%s', async (query, expected) => {
    expect(new Set(await titles(query))).toEqual(new Set(expected));
  });

  it('space: and spaceIds count readable spaces only', async () => {
    const { workspaceId, alice, bob } = cast;
    const open = await build.space({ name: 'Open shelf' });
    const shut = await build.space({ name: 'Shut drawer', visibility: 'private' });
    const memory = await build.memory({ title: 'Shelved thing' });
    await build.link(open.id, memory.id);
    await build.link(shut.id, memory.id);
    const find = async (who: typeof bob, body: { query?: string; spaceIds?: (typeof open.id)[] }) =>
      (await who.api('memory.search', { body: { workspaceId, ...body } })).meta.total;
    expect(await find(bob, { query: 'space:"open shelf"' })).toBe(1);
    expect(await find(bob, { query: 'space:open-shelf thing' })).toBe(1);
    expect(await find(alice, { query: 'space:shut-drawer' })).toBe(1);
    expect(await find(bob, { query: 'space:shut-drawer' })).toBe(0);
    expect(await find(bob, { spaceIds: [shut.id] })).toBe(0);
    expect(await find(bob, { spaceIds: [open.id] })).toBe(1);
  });

  it('and body filters go together', async () => {
    expect(await titles('cream', { tags: ['recipe'] })).toEqual(['Crème brûlée']);
    expect(await titles('cream', { tags: ['docker'] })).toEqual([]);
    expect(await titles('', { types: ['link'] })).toEqual(['Postgres search']);
    expect(await titles('', { from: '2030-01-01T00:00:00Z' })).toEqual([]);
    expect(await titles('pasta', { origins: ['import'] })).toEqual([]);
  });

  it('find archived memories only when asked', async () => {
    const { workspaceId, alice } = cast;
    const { id } = await build.memory({ title: 'Dusty attic' });
    await alice.api('memory.update', { params: { workspaceId, id }, body: { archived: true } });
    expect(await titles('attic')).toEqual([]);
    expect(await titles('attic is:archived')).toEqual(['Dusty attic']);
    expect(await titles('attic', { archived: true })).toEqual(['Dusty attic']);
  });
});

describe('an answer', () => {
  it('marks what matched as ranges of plain text', async () => {
    const { workspaceId, alice } = cast;
    await build.memory({
      title: '<b>Bold</b>',
      notes: 'x '.repeat(500) + 'the <img onerror=alert(1)> needle is here',
    });
    const { result } = await alice.api('memory.search', { body: { workspaceId, query: 'needle' } });
    const [snippet] = result[0]?.snippets ?? [];
    expect(snippet?.field).toBe('notes');
    const [start = 0, end = 0] = snippet?.ranges[0] ?? [];
    expect(snippet?.text.slice(start, end)).toBe('needle');
    expect(snippet?.text.length).toBeLessThanOrEqual(160);
  });

  it('pages through all hits without repeating one', async () => {
    const own = await createCast(world);
    const make = createBuild(own);
    for (let n = 0; n < 23; n += 1)
      await make.memory({ title: `Page ${n}`, notes: 'turning '.repeat(n + 1) });
    const seen = new Set<string>();
    for (let page = 1; page <= 3; page += 1) {
      const body = { workspaceId: own.workspaceId, query: 'turning', perPage: 10, page };
      const { result, meta } = await own.alice.api('memory.search', { body });
      expect(meta.total).toBe(23);
      for (const { id } of result) seen.add(id);
    }
    expect(seen.size).toBe(23);
  });

  it('never holds or counts what the person cannot read', async () => {
    const { workspaceId, bob, eve, evesWorkspaceId } = cast;
    const diary = await build.space({ name: 'Diary', visibility: 'private' });
    await build.memory({ title: 'Unspeakable zanzibar', spaceId: diary.id });
    for (const query of ['zanzibar', 'zanzi', 'anzib', 'title:zanzibar', 'zanzibar elephants']) {
      const { result, meta } = await bob.api('memory.search', { body: { workspaceId, query } });
      expect(result.filter(({ title }) => title?.includes('zanzibar'))).toEqual([]);
      expect(meta.total).toBe(result.length);
    }
    const outside = await eve.api('memory.search', {
      body: { workspaceId: evesWorkspaceId, query: 'zanzibar' },
    });
    expect(outside.meta.total).toBe(0);
    expect((await eve.raw('POST', '/v1/memories/search', { body: { workspaceId, query: 'x' } })).status).toBe(
      403,
    );
  });

  it('forgets deleted memories and follows edits', async () => {
    const { workspaceId, alice } = cast;
    const { id } = await build.memory({ title: 'Butterfly net' });
    await alice.api('memory.update', { params: { workspaceId, id }, body: { title: 'Moth trap' } });
    expect([await titles('butterfly'), await titles('moth')]).toEqual([[], ['Moth trap']]);
    await alice.api('memory.remove', { params: { workspaceId, id } });
    expect(await titles('moth')).toEqual([]);
  });
});

describe('hostile queries', () => {
  // A session of its own, since searches are counted per session.
  let raw: RawRequest;
  beforeAll(async () => {
    const { result } = await createApi(world)('auth.login', {
      body: { email: cast.alice.user.email, password: TEST_PASSWORD },
    });
    raw = createRaw(world, result.token);
  });

  const texts = [
    "'", "''", '\\', "\\' or 1=1 --", ':*', '!', '&', '|', '<->', '( ) | & !', '%', '_', '%%%', "a'b\\c:*d",
    '-', '--', '"', '"""', '-"', 'tag:', 'tag:""', 'is:', 'before:9999999', 'after:0001', 'before:0000', '😀', '\ufffd',
    'a'.repeat(400), '日'.repeat(300), 'x-'.repeat(200), '-a '.repeat(150), '"a b" '.repeat(60), 'title:\'); drop table memory;--',
  ]; // prettier-ignore

  it.each(texts.map((text) => [text.slice(0, 30), text]))('%s is answered', async (_short, query) => {
    const { workspaceId } = cast;
    const { status } = await raw('POST', '/v1/memories/search', { body: { workspaceId, query } });
    expect([200, 400]).toContain(status);
  });

  it('that ask nothing, are too long or of another type get 400', async () => {
    const { workspaceId } = cast;
    const bodies = [
      {}, { query: '' }, { query: 'x'.repeat(501) }, { query: 7 }, { query: '\u0000' }, { query: '\ud800' },
      { query: 'a', perPage: 0 }, { query: 'a', perPage: 101 }, { query: 'a', mode: 'semantic' }, { query: 'a', types: ['film'] },
      { query: 'a', from: 'yesterday' }, { query: 'a', spaceIds: ['x'] },
    ]; // prettier-ignore
    for (const body of bodies) {
      const { status } = await raw('POST', '/v1/memories/search', { body: { workspaceId, ...body } });
      expect([status, body]).toEqual([400, body]);
    }
  });
});

it('the database folds and divides text as the shared analysis does', async () => {
  const texts = [
    ...LIBRARY.flatMap(({ title, notes }) => [title, notes]),
    'ÆØÅ œuvre İstanbul ıß ﬁ ﬀ ½ ²',
    'Ελλάδας ΣΟΦΟΣ',
    'naïve—café…“x”',
    'a_b c-d e.f g/h i@j.k 1,5 -7',
    'ＦＵＬＬ ｗｉｄｔｈ',
    'ｶﾞｷﾞ 한국어 검색',
    '「東京・大阪」、人々。',
  ];
  for (const text of texts) {
    const { rows } = await sql<{ folded: string; words: string[] }>`
      select search_fold(${text}) as folded, tsvector_to_array(search_vector(${text})) as words`.execute(
      world.context.db,
    );
    expect(rows[0]?.folded).toBe(foldText(text));
    // Pairs of ideographs are phrases in a query, so here only their signs are compared.
    const terms = termsOf(text).flatMap((term) =>
      /[\u3005\u3040-\u30ff\u4e00-\u9fff]/.test(term) ? [...term] : [term],
    );
    expect(new Set(rows[0]?.words)).toEqual(new Set(terms));
  }
});

describe('the memories of one page', () => {
  it('are found by any address of it, and only by those who read them', async () => {
    const own = await createCast(world);
    const { workspaceId, alice, bob, eve } = own;
    const building = createBuild(own);
    const secret = await building.space({ name: 'Secret', visibility: 'private' });
    const url = 'https://www.example.com/tides/?b=2&a=1';
    const { id } = await building.memory({ title: 'Tides', url, spaceId: secret.id });
    const shared = await building.memory({ title: 'Rocks', url: 'https://example.com/rocks' });
    const idsFor = async (person: typeof alice, address: string) =>
      (await person.api('memory.list', { params: { workspaceId }, query: { address } })).result.map(
        (row) => row.id,
      );
    for (const address of [url, 'http://example.com/tides?a=1&b=2&utm_source=x#top'])
      expect(await idsFor(alice, address)).toEqual([id]);
    expect(await idsFor(alice, 'https://example.com/tides?a=1')).toEqual([]);
    // The space is Alice's alone.
    expect(await idsFor(bob, url)).toEqual([]);
    expect(await idsFor(bob, 'https://example.com/rocks?fbclid=1')).toEqual([shared.id]);
    const query = `address=${encodeURIComponent(url)}`;
    expect((await eve.raw('GET', `/v1/memories/${workspaceId}?${query}`)).status).toBe(403);
    for (const wrong of ['javascript:alert(1)', 'tides', `https://example.com/${'x'.repeat(10_000)}`]) {
      const path = `/v1/memories/${workspaceId}?address=${encodeURIComponent(wrong)}`;
      expect([wrong.slice(0, 20), (await alice.raw('GET', path)).status]).toEqual([wrong.slice(0, 20), 400]);
    }
    await alice.api('memory.remove', { params: { workspaceId, id } });
    expect(await idsFor(alice, url)).toEqual([]);
  });
});
