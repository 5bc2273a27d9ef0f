/** What visitors get of shared spaces, threads and workspaces over HTTP, without running any script. */
import { describe, expect, it } from 'vitest';
import type { Row } from '#shared/entities.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { openWorld } from '#tests/support/world.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
const SECRET = 'xylophone-secret';
const PUBLISHED = 'Seen with a **wentletrap** <img src=x onerror=alert(1)>';

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(world.url + path, { headers: { 'user-agent': BROWSER, ...headers }, redirect: 'manual' });
const html = async (path: string) => (await get(path)).text();
await ensureBuilt();
const world = await openWorld({ web: true });
const cast = await createCast(world);
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
    // Annotations on links are private, the text of notes is published.
    notes: number > 3 ? SECRET : PUBLISHED,
  });
  await build.link(shared.id, memory.id);
}
const space = { ...shared, deletedAt: null };
const said = await build.thread({ name: 'Which anemone is this?', visibility: 'public' });
const thread = { ...said, deletedAt: null };
await cast.alice.api('message.create', {
  params: { workspaceId: cast.workspaceId, threadId: said.id },
  body: {
    content:
      'It is **green**, see [this](https://sea.example/green).\n\n# Loud\n\n![x](https://evil.example/p.png)',
  },
});
const spacePath = `/${cast.slug}/spaces/p/${space.slug}`;
const threadPath = `/${cast.slug}/threads/p/${thread.id}`;

const setSpace = (fields: Partial<Pick<Row<'space'>, 'visibility' | 'slug' | 'publishText'>>) =>
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

  it('pages by links and searches by a form', async () => {
    expect(await html(spacePath)).toContain(`href="${spacePath}?page=2"`);
    const second = await html(`${spacePath}?page=2`);
    expect(second).toContain('Anemone 1<');
    expect(second).toContain('Page 2');
    const found = await html(`${spacePath}?q=anemone+17`);
    expect(found).toContain('Anemone 17');
    expect(found).not.toContain('Anemone 18');
    expect(found).toContain('noindex');
    expect(await html(`${spacePath}?q=${SECRET}`)).toContain('Nothing found for');
  });

  it('has no page behind its last, nor have the thread and the workspace', async () => {
    for (const path of [spacePath, threadPath, `/p/${cast.slug}`])
      expect([path, (await get(`${path}?page=99`)).status]).toEqual([path, 404]);
    expect((await get(`${spacePath}?page=2`)).status).toBe(200);
  });

  it('shows the one memory that an address names, on whichever page it stands', async () => {
    const { items } = await (await get(`${spacePath}/feed.json`)).json();
    const item = items.find(({ title }: { title: string }) => title === 'Anemone 1');
    const id = new URL(item.url).pathname.split('/').at(-1);
    expect(await html(spacePath)).not.toContain('Anemone 1<');
    await setSpace({ publishText: false });
    const page = await html(`${spacePath}?memory=${id}`);
    await setSpace({ publishText: true });
    expect(page).toContain(`id="${id}"`);
    expect(page).toContain('Anemone 1<');
    expect(page).not.toContain('Anemone 41');
    expect(page).toContain('One of 41 memories');
    expect(page).toContain('noindex');
    expect(page).not.toContain(SECRET);
  });

  it('shows all its memories where an address names none of them', async () => {
    const elsewhere = await createBuild(cast).memory({ title: SECRET });
    for (const name of [
      elsewhere.id,
      'mem_1',
      '',
      '..%2F..',
      '%00',
      `${elsewhere.id}&memory=2`,
      'x'.repeat(3000),
    ]) {
      const answer = await get(`${spacePath}?memory=${name}`);
      const page = await answer.text();
      expect([name, answer.status, page.includes('Anemone 41'), page.includes(SECRET)]).toEqual([
        name,
        200,
        true,
        false,
      ]);
    }
  });

  it('is offered as feeds, Markdown, picture, card and in the sitemap', async () => {
    const atom = await get(`${spacePath}/feed.xml`);
    expect(atom.headers.get('content-type')).toContain('application/atom+xml');
    expect(await atom.text()).toContain('Anemone 41');
    const { items } = await (await get(`${spacePath}/feed.json`)).json();
    expect(items[0].title).toBe('Anemone 41');
    expect(await html(`${spacePath}.md`)).toMatch(/- \[Anemone 41\]\(<.*\.md>\) \(<.*sea\.example\/41>\)/);
    expect((await get(`/og${spacePath}.png`)).headers.get('content-type')).toBe('image/png');
    const sitemap = await html('/sitemap.xml');
    for (const path of [spacePath, threadPath, `/p/${cast.slug}`]) expect(sitemap).toContain(`${path}<`);
    const card = await get(`/oembed?url=${encodeURIComponent(`http://localhost:4000${spacePath}`)}`);
    expect(await card.json()).toMatchObject({ type: 'link', title: 'Tide pools' });
  });

  it('tells link previews and readers where its other forms are', async () => {
    const page = await html(spacePath);
    const card = encodeURIComponent(`http://localhost:4000${spacePath}`);
    expect(page).toContain(`type="application/json+oembed" href="http://localhost:4000/oembed?url=${card}"`);
    for (const [type, end] of [
      ['application/atom+xml', '/feed.xml'],
      ['application/feed+json', '/feed.json'],
      ['text/markdown', '.md'],
    ])
      expect(page).toContain(`<link rel="alternate" type="${type}" href="${spacePath}${end}"`);
    const text = await get(`${spacePath}.md`);
    expect(text.headers.get('link')).toBe(`<http://localhost:4000${spacePath}>; rel="canonical"`);
    expect(text.headers.get('cache-control')).toBe('no-cache');
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

describe('the forms of a public thread and of a workspace', () => {
  it('a thread has feeds and a text of its own, without people', async () => {
    const atom = await get(`${threadPath}/feed.xml`);
    expect(atom.headers.get('content-type')).toContain('application/atom+xml');
    const { items, feed_url: self } = await (await get(`${threadPath}/feed.json`)).json();
    expect(items[0].title).toContain('It is **green**');
    expect(self).toBe(`http://localhost:4000${threadPath}/feed.json`);
    const text = await html(`${threadPath}.md`);
    expect(text).toContain('# Which anemone is this?');
    expect(text).toContain('[this](https://sea.example/green)');
    expect(text).not.toContain('![');
    for (const form of [await atom.text(), text]) expect(form).not.toContain(cast.alice.user.id);
    expect(await html(threadPath)).toContain(`href="${threadPath}/feed.xml"`);
  });

  it('a workspace has a text that leads to the texts of what it shows', async () => {
    const text = await html(`/p/${cast.slug}.md`);
    expect(text).toContain(`[Tide pools](<http://localhost:4000${spacePath}.md>)`);
    expect(text).toContain(`(<http://localhost:4000${threadPath}.md>)`);
    expect((await get('/p/nobody-here.md')).status).toBe(404);
  });

  it('each page names its card', async () => {
    for (const path of [threadPath, `/p/${cast.slug}`]) {
      const page = await html(path);
      const at = `/oembed?url=${encodeURIComponent(`http://localhost:4000${path}`)}`;
      expect(page).toContain(`href="http://localhost:4000${at}"`);
      expect(await (await get(`${at}%2F`)).json()).toEqual(await (await get(at)).json());
      expect((await get(`${at}&format=xml`)).status).toBe(501);
    }
    const elsewhere = `/oembed?url=${encodeURIComponent('https://elsewhere.example/x')}`;
    for (const at of [elsewhere, '/oembed', '/oembed?url=%00', '/oembed?url=a&url=b'])
      expect([at, (await get(at)).status]).toEqual([at, 404]);
  });

  it('an unlisted thread is in no feed and asks not to be indexed', async () => {
    const unlisted = await createBuild(cast).thread({ name: 'By link', visibility: 'unlisted' });
    const path = `/${cast.slug}/threads/p/${unlisted.id}`;
    expect((await get(path)).headers.get('x-robots-tag')).toBe('noindex');
    expect((await get(`${path}.md`)).headers.get('x-robots-tag')).toBe('noindex');
    expect((await get(`${path}/feed.xml`)).status).toBe(404);
    expect(await html('/sitemap.xml')).not.toContain(path);
  });
});

describe('a report without script', () => {
  const post = (path: string, body: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(world.url + path, {
      method: 'POST',
      body: new URLSearchParams(body),
      headers: { 'user-agent': BROWSER, ...headers },
      redirect: 'manual',
    });
  const outcome = async (answer: Promise<Response>) => (await answer).headers.get('location');
  const reports = () =>
    world.context.db.selectFrom('internal_event').selectAll().where('resourceId', '=', space.id).execute();

  it('is a link to a form in the page, which posts to the page itself', async () => {
    expect(await html(spacePath)).toContain(`href="${spacePath}?report=1#report"`);
    const page = await html(`${spacePath}?report=1`);
    const form = /<form[^>]*method="post"[^>]*action="([^"]+)"|<form[^>]*action="([^"]+)"[^>]*method="post"/;
    expect(form.exec(page)?.slice(1)).toContain(spacePath);
    expect(page).toContain('Report this space');
    expect(await html(`${threadPath}?report=1`)).toContain('Report this thread');
  });

  it('is stored, answered by a page that says so, and judged as the API judges', async () => {
    const sent = post(spacePath, { reason: 'spam', details: 'Buy now', email: '' });
    expect(await outcome(sent)).toBe(`${spacePath}?reported=ok#report`);
    expect(await reports()).toMatchObject([{ reason: 'spam', details: 'Buy now', email: null }]);
    expect(await html(`${spacePath}?reported=ok`)).toContain('Report sent');
    expect(await outcome(post(spacePath, { reason: 'because' }))).toBe(
      `${spacePath}?reported=invalid#report`,
    );
    const long = post(spacePath, { reason: 'spam', details: '潮'.repeat(2_000) });
    expect(await outcome(long)).toBe(`${spacePath}?reported=invalid#report`);
    expect(await html(`${spacePath}?reported=invalid`)).toContain('the length of the details');
  });

  it('of nothing is answered alike, and another site cannot send one', async () => {
    const nowhere = `/${cast.slug}/spaces/p/nowhere`;
    expect(await outcome(post(nowhere, { reason: 'spam' }))).toBe(`${nowhere}?reported=ok#report`);
    const before = (await reports()).length;
    await post(spacePath, { reason: 'spam' }, { 'sec-fetch-site': 'cross-site' });
    expect(await reports()).toHaveLength(before);
  });

  it('counts against the limit of the visitor', async () => {
    await Promise.all(Array.from({ length: 5 }, () => post(threadPath, { reason: 'spam' })));
    expect(await outcome(post(threadPath, { reason: 'spam' }))).toBe(`${threadPath}?reported=later#report`);
  });
});

describe('the page of a workspace', () => {
  it('lists what is public of it', async () => {
    const page = await html(`/p/${cast.slug}`);
    expect(page).toContain(`href="${spacePath}"`);
    expect(page).toContain(`href="${threadPath}"`);
  });
});

describe('explore', () => {
  it('lists the newest first and leaves out what holds nothing', async () => {
    const build = createBuild(cast);
    world.clock.advance(60_000);
    const empty = await build.space({ name: 'Empty shelf', visibility: 'public' });
    const young = await build.space({ name: 'Young garden', visibility: 'public' });
    await build.link(young.id, (await build.memory({ title: 'Seed' })).id);
    const page = await html('/explore?order=newest');
    expect(page).not.toContain(`/${empty.slug}"`);
    expect(page.indexOf(`/${young.slug}"`)).toBeGreaterThan(0);
    expect(page.indexOf(`/${young.slug}"`)).toBeLessThan(page.indexOf(`href="${spacePath}"`));
    // One memory is enough to be new, three make a trend.
    expect(await html('/explore')).not.toContain(`/${young.slug}"`);
  });

  it('is searched by a form', async () => {
    const found = await html('/explore?q=tide');
    expect(found).toContain(`href="${spacePath}"`);
    expect(found).toContain('noindex');
    expect(await html('/explore?q=qqqzzz')).toContain('No public space has');
    expect(await html('/explore?q=%3Cscript%3Ealert(1)')).not.toContain('<script>alert');
  });
});

describe('a space that is not public', () => {
  it('answers exactly as an address that does not exist, at the next request and in every form', async () => {
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
