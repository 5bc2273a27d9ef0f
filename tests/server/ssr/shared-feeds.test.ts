/** Feeds of public spaces and threads, by the rules of their formats, with text that would break a careless one. */
import { beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC_PAGE_MESSAGES } from '#shared/threads/limits.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { openWorld } from '#tests/support/world.ts';

await ensureBuilt();
const world = await openWorld({ web: true });
const cast = await createCast(world);

const get = (path: string) => fetch(world.url + path);
const html = async (path: string) => (await get(path)).text();

describe('a feed', () => {
  const NAME = 'Q&A "quoted" <b>loud</b>';
  const TEXT = 'First & last\n<img src=x onerror=alert(1)>';
  let base: string;
  let said: string;
  beforeAll(async () => {
    const build = createBuild(cast);
    const made = await build.space({
      name: NAME,
      description: NAME,
      slug: 'q-and-a',
      visibility: 'public' as const,
    });
    base = `/${cast.slug}/spaces/p/${made.slug}`;
    // Signs that no XML document may hold, as they come along when people paste.
    const memory = await build.memory({
      title: 'R&D \v<i>',
      description: `${TEXT}\u0001`,
      tags: ['r&d', 'a<b', 'shore'],
    });
    await build.link(made.id, memory.id);
    const thread = await build.thread({ name: NAME, visibility: 'public' });
    await cast.alice.api('message.create', {
      params: { workspaceId: cast.workspaceId, threadId: thread.id },
      body: { content: `${TEXT}\u0001` },
    });
    said = `/${cast.slug}/threads/p/${thread.id}`;
  });

  it('is Atom as the standard has it: well-formed, with an author, a term for each category, and HTML named as such', async () => {
    for (const path of [base, said]) {
      const atom = await html(`${path}/feed.xml`);
      // oxlint-disable-next-line no-control-regex -- none of them may be in it
      expect(atom).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
      expect(atom).toMatch(/<author>\s*<name>[^<]+<\/name>/);
      const [head = ''] = atom.split('<entry>');
      expect(head).toContain(
        '<title type="html">Q&amp;A &amp;quot;quoted&amp;quot; &amp;lt;b&amp;gt;loud&amp;lt;/b&amp;gt;</title>',
      );
      expect(head).not.toMatch(/<(?:title|subtitle)>/);
      expect(atom).toContain('<![CDATA[First &amp; last<br>&lt;img src=x onerror=alert(1)&gt;]]>');
      for (const [category] of atom.matchAll(/<category[^>]*>/g)) expect(category).toMatch(/ term="[^"<]+"/);
    }
    expect(await html(`${base}/feed.xml`)).toContain('<category label="r&amp;d" term="r&amp;d"/>');
  });

  it('is a JSON Feed whose texts are HTML and whose titles are words', async () => {
    for (const path of [base, said]) {
      const feed = await (await get(`${path}/feed.json`)).json();
      expect(feed).toMatchObject({ title: NAME, author: { name: expect.stringMatching(/./) } });
      const [item] = feed.items;
      expect(item.content_html).toMatch(/^First &amp; last<br>&lt;img src=x onerror=alert\(1\)&gt;/);
      expect(item.id).toMatch(/^http:\/\/localhost:4000\//);
    }
    const { items } = await (await get(`${base}/feed.json`)).json();
    expect(items[0]).toMatchObject({ title: 'R&D \u000b<i>', tags: ['r&d', 'a<b', 'shore'] });
  });

  it('of a long thread leads to each message where it stands, and names it as ever', {}, async () => {
    const thread = await createBuild(cast).thread({ name: 'Long', visibility: 'public' });
    const params = { workspaceId: cast.workspaceId, threadId: thread.id };
    const write = () => cast.alice.api('message.create', { params, body: { content: 'A word' } });
    for (let written = 0; written < PUBLIC_PAGE_MESSAGES + 4; written += 6)
      await Promise.all(Array.from({ length: 6 }, write));
    // Those that were written at once stand in the order of the page, which the API has too.
    const listed = await (
      await get(`/v1/public/messages/${cast.workspaceId}/${thread.id}?perPage=100`)
    ).json();
    const ids: string[] = listed.result.map(({ id }: { id: string }) => id);
    const path = `/${cast.slug}/threads/p/${thread.id}`;
    const queryOf = (index: number) => (index < PUBLIC_PAGE_MESSAGES ? '' : '?page=2');
    const { items } = await (await get(`${path}/feed.json`)).json();
    const { origin } = new URL(items[0].id);
    expect(items.map(({ id, url }: { id: string; url: string }) => [id, url])).toEqual(
      ids
        .map((id, index) => [`${origin}${path}#${id}`, `${origin}${path}${queryOf(index)}#${id}`])
        .slice(-50)
        .reverse(),
    );
    const atom = await html(`${path}/feed.xml`);
    for (const query of ['', '?page=2']) {
      const page = await html(path + query);
      expect(page).toContain(`<link rel="canonical" href="${origin}${path}${query}"`);
      for (const [index, id] of ids.entries())
        expect([id, page.includes(`<li id="${id}"`)]).toEqual([id, queryOf(index) === query]);
    }
    for (const { id, url } of items) {
      expect(atom).toContain(`<link href="${url}"/>`);
      expect(atom).toContain(`<id>${id}</id>`);
    }
  });
});

describe('a space with notes', () => {
  it('shows their first words on its page, in its text form and in its feeds, as text', async () => {
    const build = createBuild(cast);
    const { id, slug } = await build.space({ name: 'Notes', slug: 'notes', visibility: 'public' });
    const notes = 'Seen with a **wentletrap** <3 & more <img src=x onerror=alert(1)>';
    await build.link(id, (await build.memory({ title: 'A walk', notes })).id);
    const path = `/${cast.slug}/spaces/p/${slug}`;
    const page = await html(path);
    expect(page).toContain('Seen with a wentletrap &lt;3 &amp; more');
    expect(page).not.toContain('src=x');
    expect(await html(`${path}?q=wentletrap`)).toContain('Found for');
    expect(await html(`${path}.md`)).toContain('Seen with a wentletrap \\<3');
    for (const form of ['/feed.xml', '/feed.json']) {
      const feed = await html(path + form);
      expect(feed).toContain('wentletrap');
      expect(feed).not.toContain('<img');
    }
  });
});
