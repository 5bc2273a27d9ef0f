/** What the front answers over HTTP: pages, shell, files, not-found, headers. Runs against the real build. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { type Front, startFront } from '#tests/support/front.ts';

let front: Front;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
const get = (path: string, userAgent = BROWSER) =>
  fetch(front.origin + path, { headers: { 'user-agent': userAgent }, redirect: 'manual' });

beforeAll(async () => {
  front = await startFront();
}, 120_000);
afterAll(() => front.close());

describe('a public page', () => {
  it('arrives as readable HTML with its own head', async () => {
    const response = await get('/');
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toMatch(/<h1[^>]*>[^<]+/);
    expect(html.match(/<title>/g)).toHaveLength(1);
    expect(html).toContain(`<link rel="canonical" href="${front.origin}/"`);
  });

  it('carries its styles inline and asks for no stylesheet', async () => {
    const html = await (await get('/')).text();
    expect(html).toMatch(/<style>[\s\S]{1000,}<\/style>/);
    expect(html).not.toContain('rel="stylesheet"');
  });

  it('must be asked for again each time', async () => {
    expect((await get('/')).headers.get('cache-control')).toBe('no-cache');
  });
});

describe('the application shell', () => {
  it('is the same file for every dashboard address and stays out of search engines', async () => {
    const [home, thread] = await Promise.all([get('/acme'), get('/acme/threads/thrd_1')]);
    expect(home.status).toBe(200);
    expect(home.headers.get('x-robots-tag')).toBe('noindex');
    expect(await home.text()).toBe(await thread.text());
  });
});

describe('an address that is nobody’s', () => {
  it('is a real 404 with the specification’s message', async () => {
    const response = await get('/no/such/page');
    const html = await response.text();
    expect(response.status).toBe(404);
    expect(html).toContain('Page not found');
    expect(html).toContain('We are sorry but this page could not be found.');
    expect(html).toContain('Page Not Found: /no/such/page');
  });

  it('does not fall to the shell when the first segment is reserved or no slug', async () => {
    for (const path of ['/feed', '/Not_A_Slug', '/a', '/api/threads'])
      expect((await get(path)).status).toBe(404);
  });

  it('gives bots plain text', async () => {
    const response = await get('/no/such/page', 'Googlebot/2.1 (+http://www.google.com/bot.html)');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('text/plain');
  });

  it('escapes the path in the page', async () => {
    const html = await (await get('/x/%3Cscript%3Ealert(1)%3C/script%3E')).text();
    expect(html).not.toContain('<script>alert(1)');
  });
});

describe('files', () => {
  it('are immutable for a year when their name holds a hash', async () => {
    const html = await (await get('/')).text();
    const asset = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? 'none';
    const response = await get(asset);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toContain('immutable');
  });

  it('that are missing answer 404 and never the shell', async () => {
    for (const path of ['/assets/gone-abc.js', '/acme/picture.png', '/llms.txt.bak', '/.env']) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get('content-type')).toContain('text/plain');
    }
  });

  it('name the build, equal to the page’s own mark', async () => {
    const { build } = await (await get('/build.json')).json();
    expect(await (await get('/')).text()).toContain(`<meta name="build" content="${build}"`);
  });
});

describe('the security policy', () => {
  it('allows exactly the inline scripts that the page holds', async () => {
    const response = await get('/');
    const html = await response.text();
    const policy = response.headers.get('content-security-policy') ?? '';
    const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text ?? '');
    expect(inline.length).toBeGreaterThan(0);
    for (const text of inline) {
      expect(policy).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    }
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).not.toContain('unsafe');
    expect(policy).toContain("default-src 'none'");
  });
});
