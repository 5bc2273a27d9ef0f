/** What visitors get of shared spaces, threads and workspaces over HTTP, without running any script. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '#shared/entities.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
const SECRET = 'xylophone-secret';

let world: World;
let cast: Cast;
let space: Row<'space'>;
let thread: Row<'thread'>;
let spacePath: string;
let threadPath: string;

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(world.url + path, { headers: { 'user-agent': BROWSER, ...headers }, redirect: 'manual' });
const html = async (path: string) => (await get(path)).text();

beforeAll(async () => {
  await ensureBuilt();
  world = await createWorld({ web: true });
  cast = await createCast(world);
  const build = createBuild(cast);
  const shared = await build.space({
    name: 'Tide pools',
    description: 'What lives between the tides',
    visibility: 'public',
  });
  for (let number = 1; number <= 41; number += 1) {
    world.clock.advance(1000);
    const memory = await build.memory({
      title: `Anemone ${number}`,
      // Explore wants three that need no further work, which notes do not.
      ...(number > 3 ? { url: `https://www.sea.example/${number}` } : {}),
      tags: ['biology'],
      notes: SECRET,
    });
    await build.link(shared.id, memory.id);
  }
  space = { ...shared, deletedAt: null };
  const said = await build.thread({ name: 'Which anemone is this?', visibility: 'public' });
  thread = { ...said, deletedAt: null };
  await cast.alice.api('message.create', {
    params: { workspaceId: cast.workspaceId, threadId: said.id },
    body: {
      content:
        'It is **green**, see [this](https://sea.example/green).\n\n# Loud\n\n![x](https://evil.example/p.png)',
    },
  });
  spacePath = `/${cast.slug}/spaces/p/${space.slug}`;
  threadPath = `/${cast.slug}/threads/p/${thread.id}`;
}, 240_000);
afterAll(() => world.close());

const setSpace = (fields: { visibility?: Row<'space'>['visibility']; slug?: string }) =>
  cast.alice.api('space.update', { params: { workspaceId: cast.workspaceId, id: space.id }, body: fields });

describe('a public space', () => {
  it('arrives as readable HTML with its memories, its own head and structured data', async () => {
    const page = await html(spacePath);
    for (const words of [
      'Tide pools',
      'What lives between the tides',
      'Anemone 41',
      'sea.example',
      'biology',
      '41 memories',
    ])
      expect(page).toContain(words);
    expect(page).toContain(`<link rel="canonical" href="http://localhost:4000${spacePath}"`);
    expect(page).toContain('"@type":"CollectionPage"');
    expect(page).toContain(`content="http://localhost:4000/og${spacePath}.png"`);
    expect(page).toContain(`href="${spacePath}/feed.xml"`);
    expect(page).not.toContain('noindex');
  });

  it('says nothing that is private', async () => {
    const page = await html(spacePath);
    for (const word of [SECRET, cast.alice.user.id, cast.alice.user.email, 'ownerId', 'createdBy'])
      expect(page).not.toContain(word);
  });

  it('pages by links and searches by a form', async () => {
    expect(await html(spacePath)).toContain(`href="${spacePath}?page=2"`);
    const second = await html(`${spacePath}?page=2`);
    expect(second).toContain('Anemone 1<');
    expect(second).toContain('Page <!-- -->2');
    const found = await html(`${spacePath}?q=anemone+17`);
    expect(found).toContain('Anemone 17');
    expect(found).not.toContain('Anemone 18');
    expect(found).toContain('noindex');
    expect(await html(`${spacePath}?q=${SECRET}`)).toContain('Nothing found for');
  });

  it('must be asked for again each time and is not sent twice', async () => {
    const first = await get(spacePath);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    expect((await get(spacePath, { 'if-none-match': etag, 'cache-control': 'max-age=0' })).status).toBe(304);
  });

  it('is offered as feeds, Markdown, picture, card and in the sitemap', async () => {
    const atom = await get(`${spacePath}/feed.xml`);
    expect(atom.headers.get('content-type')).toContain('application/atom+xml');
    expect(await atom.text()).toContain('Anemone 41');
    const { items } = await (await get(`${spacePath}/feed.json`)).json();
    expect(items[0].title).toBe('Anemone 41');
    expect(await html(`${spacePath}.md`)).toContain('- [Anemone 41](<https://www.sea.example/41>)');
    expect((await get(`/og${spacePath}.png`)).headers.get('content-type')).toBe('image/png');
    const sitemap = await html('/sitemap.xml');
    for (const path of [spacePath, threadPath, `/p/${cast.slug}`]) expect(sitemap).toContain(`${path}<`);
    const card = await get(`/oembed?url=${encodeURIComponent(`http://localhost:4000${spacePath}`)}`);
    expect(await card.json()).toMatchObject({ type: 'link', title: 'Tide pools' });
  });

  it('moves visitors of an earlier address for good', async () => {
    await setSpace({ slug: 'rock-pools' });
    const moved = await get(spacePath);
    expect([moved.status, moved.headers.get('location')]).toEqual([301, `/${cast.slug}/spaces/p/rock-pools`]);
    await setSpace({ slug: space.slug });
  });
});

describe('a public thread', () => {
  it('shows its messages as sanitised Markdown', async () => {
    const page = await html(threadPath);
    expect(page).toContain('<strong>green</strong>');
    expect(page).toContain(
      '<a href="https://sea.example/green" rel="noopener noreferrer nofollow ugc">this</a>',
    );
    expect(page).toContain('<h3>Loud</h3>');
    expect(page).not.toContain('<img');
    for (const word of [cast.alice.user.id, cast.alice.user.email]) expect(page).not.toContain(word);
  });
});

describe('the page of a workspace', () => {
  it('lists what is public of it', async () => {
    const page = await html(`/p/${cast.slug}`);
    expect(page).toContain(`href="${spacePath}"`);
    expect(page).toContain(`href="${threadPath}"`);
  });

  it('does not exist where nothing is public', async () => {
    const { result } = await cast.eve.api('workspace.get', { params: { workspaceId: cast.evesWorkspaceId } });
    expect((await get(`/p/${result.slug}`)).status).toBe(404);
  });
});

describe('explore', () => {
  it('lists the space', async () => {
    expect(await html('/explore')).toContain(`href="${spacePath}"`);
  });
});

describe('a space that is not public', () => {
  it('answers exactly as an address that is nobody’s, at the next request and in every form', async () => {
    const plain = (page: string, path: string) => page.replaceAll(path, '').replaceAll(/\s+/g, ' ');
    for (const visibility of ['private', 'workspace', 'internal'] as const) {
      await setSpace({ visibility });
      const nowhere = `/${cast.slug}/spaces/p/nowhere`;
      const [hidden, unknown] = await Promise.all([get(spacePath), get(nowhere)]);
      expect([hidden.status, unknown.status]).toEqual([404, 404]);
      expect(plain(await hidden.text(), spacePath)).toBe(plain(await unknown.text(), nowhere));
      for (const path of [`${spacePath}/feed.xml`, `${spacePath}.md`, `/og${spacePath}.png`])
        expect([path, (await get(path)).status]).toEqual([path, 404]);
      expect(await html('/sitemap.xml')).not.toContain(spacePath);
    }
    await setSpace({ visibility: 'public' });
  });

  it('is reached by its link when unlisted, and kept from search engines, lists and feeds', async () => {
    await setSpace({ visibility: 'unlisted' });
    const page = await get(spacePath);
    expect([page.status, page.headers.get('x-robots-tag')]).toEqual([200, 'noindex']);
    const text = await page.text();
    expect(text).toContain('<meta name="robots" content="noindex"');
    expect(text).not.toContain('CollectionPage');
    expect((await get(`${spacePath}/feed.xml`)).status).toBe(404);
    expect(await html('/sitemap.xml')).not.toContain(spacePath);
    expect(await html(`/p/${cast.slug}`)).not.toContain(spacePath);
    await setSpace({ visibility: 'public' });
  });
});

describe('text from people', () => {
  const ATTACKS = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '"><iframe src=javascript:alert(1)>',
    '</script><script>alert(1)</script>',
    '[x](javascript:alert(1)) ![y](data:text/html;base64,PHNjcmlwdD4=)',
    '[z](//evil.example) <a href="vbscript:x" style="position:fixed">x</a>',
  ];
  const DANGEROUS =
    /<script>alert|<img[^>]+onerror|<svg onload|<iframe|<a [^>]*href="(?:javascript|vbscript|data|\/\/evil)/i;

  it('never becomes markup: names, descriptions, tags, messages, feeds', async () => {
    const build = createBuild(cast);
    for (const [index, attack] of ATTACKS.entries()) {
      const made = await build.space({
        name: attack.slice(0, 100),
        slug: `attack-${index}`,
        description: attack,
        visibility: 'public',
      });
      const memory = await build.memory({ title: attack, tags: [attack.slice(0, 60).replaceAll(',', '')] });
      await build.link(made.id, memory.id);
      const said = await build.thread({ name: attack.slice(0, 100), visibility: 'public' });
      await cast.alice.api('message.create', {
        params: { workspaceId: cast.workspaceId, threadId: said.id },
        body: { content: attack },
      });
      const base = `/${cast.slug}/spaces/p/${made.slug}`;
      for (const path of [base, `/${cast.slug}/threads/p/${said.id}`, `${base}/feed.xml`, `${base}.md`])
        expect([path, DANGEROUS.exec((await html(path)).replaceAll(/\\</g, ''))]).toEqual([path, null]);
    }
  });
});
