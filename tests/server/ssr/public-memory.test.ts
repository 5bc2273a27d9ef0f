/** The page of one memory in a public space that publishes texts, and its machine forms, over HTTP. */
import { describe, expect, it } from 'vitest';
import type { Id } from '#shared/ids.ts';
import type { Visibility } from '#shared/spaces/visibility.ts';
import type { Agent } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { HOSTILE_MARKDOWN } from '#tests/support/hostile-markdown.ts';
import { STORED_XSS } from '#tests/support/stored-xss.ts';
import { openWorld } from '#tests/support/world.ts';
import { itLong } from '#tests/support/long-test.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
const ORIGIN = 'http://localhost:4000';
const NOTES = '# Mussels\n\nThey close at **low tide**.\n\n## Where\n\nOn [the pier](https://pier.example/).';
const SECRET = 'xylophone-secret';
const FORMS = ['', '.md'] as const;

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(world.url + path, { headers: { 'user-agent': BROWSER, ...headers }, redirect: 'manual' });
const text = async (path: string) => (await get(path)).text();
const status = async (path: string) => (await get(path)).status;
await ensureBuilt();
const world = await openWorld({ web: true });
const cast = await createCast(world);
const build = createBuild(cast);

interface Given {
  title?: string;
  notes?: string;
  url?: string;
  description?: string;
  visibility?: Visibility;
}

async function share({ visibility = 'public', ...fields }: Given = {}) {
  world.clock.advance(1_000);
  const space = await build.space({ name: 'Shore life', visibility });
  const memory = await build.memory({ title: 'Mussels', notes: NOTES, tags: ['shore', 'shells'], ...fields });
  await build.link(space.id, memory.id);
  const spacePath = `/${cast.slug}/spaces/p/${space.slug}`;
  return { space, memory, spacePath, path: `${spacePath}/${memory.id}` };
}

const setSpace = (
  id: Id<'space'>,
  body: { visibility?: Visibility; publishText?: boolean; slug?: string },
  by: Agent = cast.alice,
) => by.api('space.update', { params: { workspaceId: cast.workspaceId, id }, body });

const setMemory = (id: Id<'memory'>, body: { archived?: boolean; title?: string; notes?: string }) =>
  cast.alice.api('memory.update', { params: { workspaceId: cast.workspaceId, id }, body });

describe('the page of a memory', () => {
  it('shows title, formatted text, tags and where it stands, with its title once and headings in order', async () => {
    const { path, spacePath } = await share();
    const page = await text(path);
    expect(page.match(/<h1[^>]*>[^<]*/g)).toEqual([expect.stringMatching(/>Mussels$/)]);
    expect(page).toContain('<h2>Where</h2>');
    expect(page).toContain('<strong>low tide</strong>');
    expect(page).toContain(
      '<a href="https://pier.example/" rel="noopener noreferrer nofollow ugc">the pier</a>',
    );
    for (const words of ['shells', 'Shore life', `href="${spacePath}"`, `href="/p/${cast.slug}"`])
      expect(page).toContain(words);
    for (const word of [cast.alice.user.id, cast.alice.user.email, 'ownerId'])
      expect(page).not.toContain(word);
  });

  it('has a head of its own: canonical address, previews, other forms, structured data', async () => {
    const { path } = await share();
    const page = await text(path);
    for (const words of [
      '<title>Mussels | Loci</title>',
      `<link rel="canonical" href="${ORIGIN}${path}"`,
      `<meta property="og:image" content="${ORIGIN}/og${path}.png"`,
      '<meta property="og:type" content="article"',
      `<link rel="alternate" type="text/markdown" href="${path}.md"`,
      '"@type":"Article"',
      `"mainEntityOfPage":"${ORIGIN}${path}"`,
      '"keywords":["shore","shells"]',
    ])
      expect(page).toContain(words);
    expect(page).not.toContain('noindex');
    expect((await get(`/og${path}.png`)).headers.get('content-type')).toBe('image/png');
    const card = await get(`/oembed?url=${encodeURIComponent(ORIGIN + path)}`);
    expect(await card.json()).toMatchObject({ type: 'link', title: 'Mussels' });
  });

  it('leads to the source of a link, and its annotations stay private', async () => {
    const { path } = await share({
      url: 'https://www.sea.example/mussels',
      notes: SECRET,
      description: 'Shells',
    });
    const page = await text(path);
    expect(page).toContain('href="https://www.sea.example/mussels" rel="noopener noreferrer nofollow ugc"');
    expect(page).toContain('Open sea.example');
    for (const form of FORMS) expect(await text(path + form)).not.toContain(SECRET);
    expect(await text(`${path}.md`)).toContain('Source: <https://www.sea.example/mussels>');
  });

  it('is offered as Markdown with its canonical address', async () => {
    const { path } = await share();
    const answer = await get(`${path}.md`);
    expect(answer.headers.get('content-type')).toContain('text/markdown');
    expect(answer.headers.get('link')).toBe(`<${ORIGIN}${path}>; rel="canonical"`);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const said = await answer.text();
    for (const words of ['# Mussels\n', 'They close at **low tide**.', 'Tags: shore, shells'])
      expect(said).toContain(words);
  });

  it('leads to its neighbours in the order of the list, and only to those that are public', async () => {
    const { space, memory, spacePath } = await share();
    const more: Id<'memory'>[] = [];
    for (const title of ['Second', 'Third', 'Fourth']) {
      world.clock.advance(1_000);
      const next = await build.memory({ title, notes: title });
      await build.link(space.id, next.id);
      more.push(next.id);
    }
    const [second, third, fourth] = more as [Id<'memory'>, Id<'memory'>, Id<'memory'>];
    const beside = async (id: string) =>
      [...(await text(`${spacePath}/${id}`)).matchAll(/<a href="[^"]*\/(mem_\w+)"/g)].map(([, to]) => to);
    expect(await beside(second)).toEqual([third, memory.id]);
    await setMemory(third, { archived: true });
    expect(await beside(second)).toEqual([fourth, memory.id]);
    expect(await beside(memory.id)).toEqual([second]);
    expect(await beside(fourth)).toEqual([second]);
  });

  it('is listed: in its space, in searches there, in feeds, in the text of the space, in the sitemap', async () => {
    const { path, spacePath } = await share();
    expect(await text(spacePath)).toContain(`href="${path}"`);
    expect(await text(`${spacePath}?q=low+tide`)).toContain(`href="${path}"`);
    const { items } = await (await get(`${spacePath}/feed.json`)).json();
    expect(items[0]).toMatchObject({
      id: `${ORIGIN}${spacePath}#${path.split('/').at(-1)}`,
      url: ORIGIN + path,
    });
    expect(await text(`${spacePath}/feed.xml`)).toContain(`href="${ORIGIN}${path}"`);
    expect(await text(`${spacePath}.md`)).toContain(`[Mussels](<${ORIGIN}${path}.md>)`);
    expect(await text('/sitemap.xml')).toContain(`<loc>${ORIGIN}${path}</loc>`);
  });

  it('takes over from the address that named the memory in the list', async () => {
    const { path, spacePath, memory } = await share();
    const moved = await get(`${spacePath}?memory=${memory.id}`);
    expect([moved.status, moved.headers.get('location')]).toEqual([301, path]);
  });

  it('moves with the address of its space', async () => {
    const { path, space, memory } = await share();
    await setSpace(space.id, { slug: `${space.slug}-now` });
    const moved = await get(path);
    const now = `/${cast.slug}/spaces/p/${space.slug}-now/${memory.id}`;
    expect([moved.status, moved.headers.get('location')]).toEqual([301, now]);
  });
});

describe('a memory in several spaces', () => {
  it('has one canonical address, which the other pages and the sitemap name', async () => {
    const { memory, path } = await share();
    world.clock.advance(1_000);
    const later = await build.space({ name: 'Later', visibility: 'public' });
    await build.link(later.id, memory.id);
    const other = `/${cast.slug}/spaces/p/${later.slug}/${memory.id}`;
    const page = await text(other);
    expect(page).toContain(`<link rel="canonical" href="${ORIGIN}${path}"`);
    expect(page).toContain('Later');
    expect((await get(`${other}.md`)).headers.get('link')).toBe(`<${ORIGIN}${path}>; rel="canonical"`);
    const sitemap = await text('/sitemap.xml');
    expect([sitemap.includes(`${path}<`), sitemap.includes(`${other}<`)]).toEqual([true, false]);
  });

  it('gets another canonical address when the first space no longer shows it', async () => {
    for (const closing of [
      { visibility: 'private' },
      { visibility: 'unlisted' },
      { publishText: false },
    ] as const) {
      const { memory, space, path } = await share();
      world.clock.advance(1_000);
      const later = await build.space({ name: 'Later', visibility: 'public' });
      await build.link(later.id, memory.id);
      const other = `/${cast.slug}/spaces/p/${later.slug}/${memory.id}`;
      await text(other);
      await setSpace(space.id, closing);
      expect(await text(other)).toContain(`<link rel="canonical" href="${ORIGIN}${other}"`);
      const sitemap = await text('/sitemap.xml');
      expect([sitemap.includes(`${path}<`), sitemap.includes(`${other}<`)]).toEqual([false, true]);
    }
  });
});

describe('an unlisted space', () => {
  it('has such pages for everyone with the address, outside of search engines, sitemap and feeds', async () => {
    const { path } = await share({ visibility: 'unlisted' });
    for (const visit of [1, 2, 3]) {
      const page = await get(path);
      expect([visit, page.status, page.headers.get('x-robots-tag')]).toEqual([visit, 200, 'noindex']);
    }
    const page = await text(path);
    expect(page).toContain('<meta name="robots" content="noindex"');
    expect(page).not.toContain('rel="canonical"');
    expect(page).not.toContain('application/ld+json');
    expect((await get(`${path}.md`)).headers.get('x-robots-tag')).toBe('noindex');
    expect(await text('/sitemap.xml')).not.toContain(path);
  });
});

describe('there is no page', () => {
  const closings: [string, (place: Awaited<ReturnType<typeof share>>) => Promise<unknown>][] = [
    ['in a space that shows titles only', ({ space }) => setSpace(space.id, { publishText: false })],
    ['in a space for members', ({ space }) => setSpace(space.id, { visibility: 'workspace' })],
    ['in a private space', ({ space }) => setSpace(space.id, { visibility: 'private' })],
    ['of an archived memory', ({ memory }) => setMemory(memory.id, { archived: true })],
    [
      'of a deleted memory',
      ({ memory }) =>
        cast.alice.api('memory.remove', { params: { workspaceId: cast.workspaceId, id: memory.id } }),
    ],
    [
      'of a memory that left the space',
      ({ space, memory }) =>
        cast.alice.api('space_memory.remove', {
          params: { workspaceId: cast.workspaceId, spaceId: space.id, id: memory.id },
        }),
    ],
    [
      'in a deleted space',
      ({ space }) =>
        cast.alice.api('space.remove', { params: { workspaceId: cast.workspaceId, id: space.id } }),
    ],
  ];

  it.each(closings)('%s, from the next request on, though it was stored', async (_name, close) => {
    const place = await share();
    const { path } = place;
    const forms = [path, `${path}.md`, `/og${path}.png`];
    const open = await get(path);
    const tag = open.headers.get('etag') ?? '';
    for (const form of forms) expect([form, await status(form)]).toEqual([form, 200]);
    await close(place);
    for (const form of forms) expect([form, await status(form)]).toEqual([form, 404]);
    const closed = await get(path, { 'if-none-match': tag, 'cache-control': 'max-age=0' });
    expect(closed.status).toBe(404);
    expect(await closed.text()).not.toContain('low tide');
    expect(await text('/sitemap.xml')).not.toContain(path);
    expect(await status(`/oembed?url=${encodeURIComponent(ORIGIN + path)}`)).toBe(404);
  });

  it('for members and owners of a closed space either: what is public is the same for everyone', async () => {
    const { path, space } = await share();
    await setSpace(space.id, { visibility: 'workspace' });
    for (const person of [cast.alice, cast.bob])
      expect((await person.raw('GET', path, { headers: { accept: 'text/html' } })).status).toBe(404);
  });

  it('of a memory of another space or workspace, under a malformed id or below an unknown place', async () => {
    const { spacePath, path, memory } = await share();
    const elsewhere = await build.memory({ title: SECRET, notes: SECRET });
    for (const id of [elsewhere.id, 'mem_1', 'x', '%00', "'", 'x'.repeat(3000)]) {
      const answer = await get(`${spacePath}/${id}`);
      expect([id, answer.status, (await answer.text()).includes(SECRET)]).toEqual([id, 404, false]);
      expect([id, await status(`${spacePath}/${id}.md`)]).toEqual([id, 404]);
    }
    for (const wrong of [`/no-such/spaces/p/x/${memory.id}`, `${spacePath}-x/${memory.id}`, `${path}/more`])
      expect([wrong, await status(wrong)]).toEqual([wrong, 404]);
  });

  it('and the list of a space that shows titles only leads to none', async () => {
    const { path, spacePath, space, memory } = await share({ url: 'https://sea.example/m' });
    await setSpace(space.id, { publishText: false });
    expect(await text(spacePath)).not.toContain(path);
    expect(await text(`${spacePath}.md`)).not.toContain(path);
    expect(await text(`${spacePath}/feed.json`)).not.toContain(path);
    expect(await text(`${spacePath}?memory=${memory.id}`)).toContain('One of 1 memories');
  });
});

describe('hostile words', () => {
  itLong('of every kind stay words, in the page and as Markdown', async () => {
    const { space, spacePath } = await share();
    for (const words of STORED_XSS.map((said) => said.replaceAll('\u0000', ''))) {
      const title = words.replaceAll(/\s+/g, ' ').slice(0, 200);
      const memory = await build.memory({ title, notes: words, description: words });
      await build.link(space.id, memory.id);
      const answer = await get(`${spacePath}/${memory.id}`);
      expect([words, answer.status]).toEqual([words, 200]);
      const page = await answer.text();
      const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(page) ?? [];
      expect(main).not.toBe('');
      expect([
        words,
        main.match(/<(?:script|iframe|object|embed|base|meta|link|math|style|img|details)\b/gi),
      ]).toEqual([words, null]);
      expect([words, main.match(/<[^>]*\s(?:on\w+|srcdoc)\s*=/gi)]).toEqual([words, null]);
      expect([words, main.match(/(?:href|src|action)="\s*(?:javascript|data|vbscript|\/\/)/gi)]).toEqual([
        words,
        null,
      ]);
      expect([words, page.match(/<script>alert/g)]).toEqual([words, null]);
      const markdown = await text(`${spacePath}/${memory.id}.md`);
      expect([words, markdown.match(/(?<!\\)\]\s*[(:]\s*<?(?:javascript|data|vbscript)/gi)]).toEqual([
        words,
        null,
      ]);
      expect([words, markdown.match(/(?<!\\)<(?:script|img|svg|iframe)/gi)]).toEqual([words, null]);
    }
  });

  it.each(['nested emphasis *a_', 'brackets [', 'quotes lazy', 'table columns wide rows', 'lists flat'])(
    'made to stop the server do not: %s',
    async (name) => {
      const notes = `${(HOSTILE_MARKDOWN[name]?.(90_000) ?? '').slice(0, 90_000)}\n\nLast words.`;
      const { path } = await share({ notes });
      for (const form of FORMS) {
        const before = process.threadCpuUsage();
        const answer = await get(path + form);
        expect([form, answer.status]).toEqual([form, 200]);
        expect(await answer.text()).toContain('Last words');
        const { user, system } = process.threadCpuUsage(before);
        expect((user + system) / 1_000).toBeLessThan(1_000);
      }
    },
  );
});

describe('a visit', () => {
  it('counts as one of the space, once a day', async () => {
    const { path, space } = await share();
    const visits = async () =>
      (
        await world.context.db
          .selectFrom('public_visit')
          .select('visitor')
          .where('resourceId', '=', space.id)
          .execute()
      ).length;
    for (const browser of ['one', 'two', 'two']) await get(path, { 'user-agent': `${BROWSER} ${browser}` });
    expect(await visits()).toBe(2);
  });
});

describe('a report', () => {
  const reports = () =>
    world.context.db.selectFrom('internal_event').selectAll().orderBy('created', 'desc').execute();

  it('without script names the memory, and sends the visitor back', async () => {
    const { path, space, memory } = await share();
    expect(await text(`${path}?report=1`)).toContain(`action="${path}"`);
    const answer = await fetch(world.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'reason=copyright&details=Mine',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}?reported=ok#report`]);
    expect((await reports()).filter(({ resourceId }) => resourceId === space.id)).toMatchObject([
      { kind: 'space.report', reason: 'copyright', details: `Memory: ${memory.id}\nMine` },
    ]);
    expect(await text(`${path}?reported=ok`)).toContain('Report sent.');
  });
});
