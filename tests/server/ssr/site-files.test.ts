/** What machines read about the site: feeds, sitemap, robots, llms.txt, Markdown forms, preview pictures; and the plain form. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PAGES, type PageRow } from '#shared/pages.ts';
import { sourceDocument } from '#shared/site/content.ts';
import { previewPicture, type PreviewWords } from '#server/ssr/og.ts';
import { type Front, startFront } from '#tests/support/front.ts';
import { ALIVE_BUDGET, SCRIPT_BUDGET } from '#tests/support/page-budgets.ts';
import { describeLong } from '#tests/support/long-test.ts';

let front: Front;
const calls: unknown[][] = [];

beforeAll(async () => {
  front = await startFront(async (...call) => {
    calls.push(call);
    const body: unknown = call[2];
    if (typeof body === 'object' && body !== null && Reflect.get(body, 'email') === 'wrong') {
      throw new Response(null, { status: 400 });
    }
    return [];
  });
});
afterAll(() => front.close());

const text = async (at: string): Promise<string> => (await fetch(front.origin + at)).text();
const sources = () =>
  z
    .array(sourceDocument)
    .parse(
      JSON.parse(
        readFileSync(path.resolve(import.meta.dirname, '../../../dist/server/content.json'), 'utf8'),
      ),
    );

describeLong('the sitemap', () => {
  it('lists every page of the table that may be indexed and every listed document, and each of them opens', async () => {
    const xml = await text('/sitemap.xml');
    const listed = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url ?? '').pathname);
    const rows: PageRow[] = Object.values(PAGES);
    for (const row of rows.filter(({ indexable }) => indexable)) expect(listed).toContain(row.path);
    for (const { path: at } of sources().filter(
      ({ kind, listed: isListed }) => kind !== 'page' && isListed,
    )) {
      expect(listed).toContain(at);
    }
    expect(new Set(listed).size).toBe(listed.length);
    for (const at of listed) {
      const status = (await fetch(front.origin + at, { headers: { 'user-agent': 'Mozilla/5.0 Chrome/140' } }))
        .status;
      expect([at, status]).toEqual([at, 200]);
    }
  });
});

describe('feeds', () => {
  it('hold every post with its full text and absolute links, in both formats', async () => {
    const posts = sources().filter(({ kind }) => kind === 'post');
    const atom = await text('/feed.xml');
    const json = z
      .object({ items: z.array(z.object({ url: z.string(), content_html: z.string() })) })
      .parse(JSON.parse(await text('/feed.json')));
    expect(posts.length).toBeGreaterThan(0);
    expect(json.items).toHaveLength(posts.length);
    for (const post of posts) expect(atom).toContain(`${front.origin}${post.path}`);
    for (const { content_html: html } of json.items) {
      expect(html.length).toBeGreaterThan(500);
      expect(html).not.toMatch(/href="\//);
    }
  });
});

describe('texts for machines', () => {
  it('robots.txt names the sitemap and closes the API', async () => {
    const robots = await text('/robots.txt');
    expect(robots).toContain(`Sitemap: ${front.origin}/sitemap.xml`);
    expect(robots).toContain('Disallow: /v1/');
  });

  it('llms.txt has a heading and links to Markdown that exists', async () => {
    const llms = await text('/llms.txt');
    expect(llms).toMatch(/^# Loci\n/);
    const links = [...llms.matchAll(/\]\(([^)]+)\)/g)].map(([, url]) => url ?? '');
    expect(links.length).toBeGreaterThan(5);
    for (const url of links) {
      const response = await fetch(url);
      expect([url, response.status]).toEqual([url, 200]);
      expect(response.headers.get('content-type')).toContain('text/markdown');
      expect(await response.text()).toMatch(/^# .+\n\n> .+/);
    }
  });

  it('each page of the site names its Markdown form, which says what the page says', async () => {
    for (const [path, form, words] of [
      ['/', '/index.md', 'One field for everything'],
      ['/pricing', '/pricing.md', '€0'],
      ['/explore', '/explore.md', '[How sharing works](/docs/sharing)'],
      ['/request-access', '/request-access.md', 'one field: `email`'],
      ['/blog', '/blog.md', `${front.origin}/blog/why-local-first.md`],
      ['/docs/search', '/docs/search.md', 'is:archived'],
    ] as const) {
      expect(await text(path)).toContain(`<link rel="alternate" type="text/markdown" href="${form}"`);
      const answer = await fetch(front.origin + form);
      expect(answer.headers.get('link')).toBe(`<${front.origin}${path}>; rel="canonical"`);
      const markdown = await answer.text();
      expect(markdown).toMatch(/^# .+\n\n> .+/);
      expect([form, markdown.includes(words)]).toEqual([form, true]);
    }
  });

  it('answers 404 for the Markdown of a page that does not exist', async () => {
    expect((await fetch(`${front.origin}/docs/nothing.md`)).status).toBe(404);
  });
});

describe('a preview picture', () => {
  it('is a PNG of the size that link previews want, and known to a second visitor', async () => {
    const first = await fetch(`${front.origin}/og/pricing.png`);
    const { format, width, height } = await sharp(Buffer.from(await first.arrayBuffer())).metadata();
    expect([format, width, height]).toEqual(['png', 1200, 630]);
    const again = await fetch(`${front.origin}/og/pricing.png`, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
  });

  /** Whether everything in a strip of the picture has one colour. */
  const isEmpty = async (png: Buffer, top: number, height: number): Promise<boolean> => {
    // Figures are always of the whole picture, so the strip becomes one.
    const strip = await sharp(png).extract({ left: 0, top, width: 1200, height }).png().toBuffer();
    const { channels } = await sharp(strip).stats();
    return channels.every(({ min, max }) => min === max);
  };

  it('shows title and text whole, above the arcade', async () => {
    for (const words of [
      { title: 'Pricing', text: 'Free to run yourself' },
      { title: 'long '.repeat(40), text: 'words '.repeat(60), eyebrow: 'of a workspace '.repeat(8) },
    ]) {
      const { png } = await previewPicture(words);
      expect(await isEmpty(png, 500, 8)).toBe(true);
      expect(await isEmpty(png, 570, 60)).toBe(false);
      expect(await isEmpty(png, 160, 80)).toBe(false);
      expect(await isEmpty(png, 0, 60)).toBe(true);
    }
  });

  it('draws other alphabets, and nothing in the place of signs that it has no letters for', async () => {
    const pixels = async (words: PreviewWords) =>
      sharp((await previewPicture(words)).png)
        .raw()
        .toBuffer();
    const one = await pixels({ title: 'Книги', text: 'Βιβλία' });
    expect(one.equals(await pixels({ title: 'Работа', text: 'Βιβλία' }))).toBe(false);
    expect(one.equals(await pixels({ title: 'Книги', text: 'Μνήμη' }))).toBe(false);
    const known = await pixels({ title: 'Books', text: 'To read', eyebrow: 'Demo' });
    expect(known.equals(await pixels({ title: '📚 Books', text: '本 To read', eyebrow: 'Demo 🏠' }))).toBe(
      true,
    );
    const unknown = await pixels({ title: '日本語の本', text: '', eyebrow: 'Demo' });
    expect(unknown.equals(await pixels({ title: 'Demo', text: '' }))).toBe(true);
  });

  it('does not exist for a page that does not', async () => {
    expect((await fetch(`${front.origin}/og/nothing.png`)).status).toBe(404);
  });
});

/** A chunk of the build, and what it fetches at once and later, by the names of the manifest. */
const chunk = z.object({
  file: z.string(),
  imports: z.array(z.string()).default([]),
  dynamicImports: z.array(z.string()).default([]),
});

const built = path.resolve(import.meta.dirname, '../../../dist/client');
const readBuilt = (file: string) => readFileSync(path.join(built, file));
const chunksOf = (manifest: string) =>
  z.record(z.string(), chunk).parse(JSON.parse(readBuilt(`.vite/${manifest}`).toString()));

it('the script of public pages stays small with each part that a visitor may ask for', () => {
  const chunks = chunksOf('site-manifest.json');
  const weightOf = (...names: string[]): number => {
    const all = new Set(names);
    for (const name of all) for (const other of chunks[name]?.imports ?? []) all.add(other);
    return [...all].reduce((sum, name) => sum + gzipSync(readBuilt(chunks[name]?.file ?? '')).length, 0);
  };
  expect(weightOf('page.html')).toBeLessThan(SCRIPT_BUDGET);
  const parts = chunks['page.html']?.dynamicImports ?? [];
  expect(parts.length).toBeGreaterThan(7);
  for (const part of parts) expect([part, weightOf('page.html', part) < ALIVE_BUDGET]).toEqual([part, true]);
  for (const part of [
    'threads/visitor-questions.ts',
    'threads/visitor-rating.ts',
    'spaces/save-space-dialog.ts',
  ])
    expect([part, weightOf('page.html', part) < SCRIPT_BUDGET]).toEqual([part, true]);
});

it('shares no script with the application', () => {
  const scripts = (manifest: string) =>
    new Set(Object.values(chunksOf(manifest)).flatMap(({ file }) => (file.endsWith('.js') ? [file] : [])));
  expect([...scripts('site-manifest.json').intersection(scripts('manifest.json'))]).toEqual([]);
});

describe('the form of visitors without JavaScript', () => {
  const post = (body: Record<string, string>) =>
    fetch(`${front.origin}/request-access`, {
      method: 'POST',
      body: new URLSearchParams(body),
      redirect: 'manual',
    });

  it('registers the address and sends the browser to a page that says so', async () => {
    const response = await post({ email: 'ada@example.com', website: '' });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/request-access?registered=ok',
    ]);
    expect(calls).toContainEqual(['POST', '/signup', { email: 'ada@example.com', news: false }]);
    const page = await fetch(`${front.origin}/request-access?registered=ok`, {
      headers: { 'user-agent': 'Mozilla/5.0 Chrome/140' },
    });
    expect(await page.text()).toContain('Your invite is incoming!');
  });

  it('says which address it did not take', async () => {
    expect((await post({ email: 'wrong' })).headers.get('location')).toBe(
      '/request-access?registered=invalid',
    );
  });
});
