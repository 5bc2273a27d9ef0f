/** What the front answers over HTTP: pages, shell, files, not-found, headers. Runs against the real build. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Front, startFront } from '#tests/support/front.ts';

let front: Front;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
const get = (path: string, userAgent = BROWSER) =>
  fetch(front.origin + path, { headers: { 'user-agent': userAgent }, redirect: 'manual' });

/** What the pages asked the API. */
const asked: string[] = [];

beforeAll(async () => {
  front = await startFront(async (_method, path) => {
    asked.push(path);
    return [];
  });
});
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

  it('has the promised links in header and footer, the year and who hosts it', async () => {
    const html = await (await get('/pricing')).text();
    const linksOf = (part: string) => {
      const inside = new RegExp(`<${part}\\b[\\s\\S]*?</${part}>`).exec(html)?.[0] ?? '';
      return [...inside.matchAll(/href="([^"]+)"[^>]*>([^<]*)</g)].map(([, to, label]) => `${label} ${to}`);
    };
    expect(linksOf('header')).toEqual(
      expect.arrayContaining([' /', 'Explore /explore', 'Pricing /pricing', 'Blog /blog']),
    );
    expect(linksOf('footer')).toEqual(
      expect.arrayContaining(['Why Loci? /blog/why', 'Pricing /pricing', 'Blog /blog', 'Docs /docs']),
    );
    const footer = /<footer[\s\S]*<\/footer>/.exec(html)?.[0] ?? '';
    const words = footer.replaceAll(/<!--[\s\S]*?-->|<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    for (const said of ['About', 'Developers', `© ${new Date().getFullYear()} Loci`, 'Powered by'])
      expect(words).toContain(said);
    expect(footer).toMatch(/<form[^>]*action="\/request-access"/);
  });

  it('carries its styles inline and asks for no stylesheet', async () => {
    const html = await (await get('/')).text();
    expect(html).toMatch(/<style>[\s\S]{1000,}<\/style>/);
    // What only a browser without script reads is its own.
    expect(html.replaceAll(/<noscript>.*?<\/noscript>/gs, '')).not.toContain('rel="stylesheet"');
  });

  it('asks for the fonts that its styles declare, and for no other file before its script', async () => {
    const html = await (await get('/')).text();
    const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, css]) => css).join('');
    const preloads = [...html.matchAll(/<link rel="preload"[^>]*href="([^"]+)"/g)].map(([, to]) => to ?? '');
    expect(preloads).toHaveLength(2);
    for (const font of preloads) {
      expect(styles).toContain(font);
      expect((await get(font)).headers.get('content-type')).toBe('font/woff2');
    }
  });

  it.each(['/', '/login'])('asks first for the font on %s, in the application too', async (path) => {
    const [link = ''] = /<link[^>]*as="font"[^>]*>/.exec(await (await get(path)).text()) ?? [];
    expect(link).toContain('rel="preload"');
    expect(link).toContain('fetchpriority="high"');
  });

  it('hands no data to its script, and its template is no page', async () => {
    expect(await (await get('/docs')).text()).not.toContain('application/json');
    expect((await get('/page.html')).status).toBe(404);
  });

  it('must be asked for again each time', async () => {
    expect((await get('/')).headers.get('cache-control')).toBe('no-cache');
  });
});

/** The answer as it lies on the wire, which fetch would unpack. */
function wire(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const call = request(
        front.origin + path,
        { headers: { 'user-agent': BROWSER, ...headers } },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
          );
        },
      );
      call.on('error', reject).end();
    },
  );
}

describe('what is sent', () => {
  it('is compressed as the browser likes it, page and file alike, and says the same in every form', async () => {
    const plain = await wire('/', {});
    const file = /src="(\/assets\/[^"]+\.js)"/.exec(plain.body.toString())?.[1] ?? 'none';
    for (const path of ['/', '/docs', '/acme', file]) {
      const whole = (await wire(path, {})).body;
      const brotli = await wire(path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
      const gzip = await wire(path, { 'accept-encoding': 'gzip' });
      expect([path, brotli.headers['content-encoding']]).toEqual([path, 'br']);
      expect([path, gzip.headers['content-encoding']]).toEqual([path, 'gzip']);
      expect(brotliDecompressSync(brotli.body).equals(whole)).toBe(true);
      expect(gunzipSync(gzip.body).equals(whole)).toBe(true);
      expect(brotli.body.length).toBeLessThan(gzip.body.length);
      for (const { headers } of [brotli, gzip]) expect(headers['vary']).toContain('Accept-Encoding');
      expect(brotli.headers['content-type']).toBe(gzip.headers['content-type']);
      expect(brotli.headers['etag']).not.toBe(gzip.headers['etag']);
    }
  });

  it('is not sent again to who has it', async () => {
    for (const path of ['/', '/docs/api', '/acme']) {
      const first = await wire(path, { 'accept-encoding': 'br' });
      const etag = String(first.headers['etag']);
      const second = await wire(path, { 'accept-encoding': 'br', 'if-none-match': etag });
      expect([path, second.status, second.body.length]).toEqual([path, 304, 0]);
      expect(second.headers['content-security-policy']).toBe(first.headers['content-security-policy']);
    }
  });

  it('is rendered anew when it shows what the API said', async () => {
    for (const path of ['/', '/explore']) await get(path);
    asked.length = 0;
    for (const path of ['/', '/', '/explore', '/explore']) await get(path);
    expect(asked).toEqual(['/v1/public/spaces/trending', '/v1/public/spaces/trending']);
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

describe('the link of a mail that turns e-mails off', () => {
  it('opens the application although its token has dots, which elsewhere mean a file', async () => {
    const token = `workspace.${'a'.repeat(36)}.20453.${'b'.repeat(43)}`;
    const page = await get(`/_unsubscribe/${token}`);
    expect([page.status, page.headers.get('x-robots-tag')]).toEqual([200, 'noindex']);
    expect((await get(`/_unsubscribe/${token}/more.js`)).status).toBe(404);
    expect((await get('/acme/missing.js')).status).toBe(404);
  });
});

describe('an address that does not exist', () => {
  it('is a real 404 with the fixed message', async () => {
    const response = await get('/no/such/page');
    const html = await response.text();
    expect(response.status).toBe(404);
    expect(html).toContain('Page not found');
    expect(html).toContain('We are sorry but this page could not be found.');
    expect(html).toContain('Page Not Found: /no/such/page');
    expect(html).toContain('<html lang="en"');
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

  it('is never taken for another host', async () => {
    for (const path of ['//evil.example/', '//evil.example/pricing', '//evil.example/?a=1', '//', '///x']) {
      const answer = await wire(path, {});
      expect([path, answer.status < 500]).toEqual([path, true]);
      const addresses = [...answer.body.toString().matchAll(/(?:href|content)="(https?:[^"]+)"/g)];
      expect([path, addresses.filter(([, to]) => !to?.startsWith(front.origin))]).toEqual([path, []]);
    }
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

  it('name the build, equal to the mark of the application’s document', async () => {
    const { build } = await (await get('/build.json')).json();
    expect(await (await get('/login')).text()).toContain(`<meta name="build" content="${build}"`);
  });
});

describe('an address in another spelling', () => {
  it('leads to the page for good, with its query', async () => {
    for (const [from, to] of [
      ['/docs/', '/docs'],
      ['/docs///', '/docs'],
      ['/Pricing', '/pricing'],
      ['/BLOG/Why/', '/blog/why'],
      ['/docs/API', '/docs/api'],
      ['/docs/api/', '/docs/api'],
      ['/Docs/API/Reference', '/docs/api/reference'],
      ['/Request-Access/?registered=ok', '/request-access?registered=ok'],
      ['/explore/?order=newest&page=1', '/explore?order=newest&page=1'],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(front.origin + from, { method, redirect: 'manual' });
        expect([from, answer.status, answer.headers.get('location')]).toEqual([from, 308, to]);
      }
      expect([to, (await get(to)).status]).toEqual([to, 200]);
    }
  });

  it('of the application, of a file, of no page and of another site leads nowhere', async () => {
    for (const [path, status] of [
      ...([
        ['/login/', 200],
        ['/acme/', 200],
        ['/acme/settings/', 200],
        ['/Docs/No-Such-Page/', 404],
      ] as const),
      ...([
        ['/No/Such/Page', 404],
        ['/FAVICON.SVG', 404],
        ['/Docs/API.MD', 404],
        ['/BUILD.JSON', 404],
      ] as const),
      ...([
        ['//docs/', 404],
        ['//example.org/', 404],
        ['/%5Cexample.org/', 404],
      ] as const),
    ]) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, status, null]);
    }
    const posted = await fetch(`${front.origin}/Request-Access/`, { method: 'POST', redirect: 'manual' });
    expect(posted.status).not.toBe(308);
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

  it('comes with the shell under the name by which the service worker keeps it', async () => {
    const [page, kept] = [await get('/acme'), await get('/index.html')];
    for (const header of ['content-security-policy', 'x-robots-tag', 'cache-control', 'content-type'])
      expect([header, kept.headers.get(header)]).toEqual([header, page.headers.get(header)]);
    expect(kept.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await kept.text()).toBe(await page.text());
  });

  it('lets the way in tell no other site where a person comes from', async () => {
    const ways = ['/login?redirect=/acme', '/signup', '/reset-password', '/forgot-password', '/imp'];
    for (const path of [...ways, '/oauth/app', '/auth/github/callback?code=1', '/onboarding/verify-email'])
      expect([path, (await get(path)).headers.get('referrer-policy')]).toEqual([path, 'no-referrer']);
    for (const path of ['/', '/docs', '/no/such/page', '/acme', '/acme/settings', '/index.html'])
      expect([path, (await get(path)).headers.get('referrer-policy')]).toEqual([
        path,
        'strict-origin-when-cross-origin',
      ]);
  });

  it('lets no text become HTML or the address of a script, on pages and in the application', async () => {
    for (const path of ['/', '/docs', '/explore', '/no/such/page', '/acme', '/login']) {
      const policy = (await get(path)).headers.get('content-security-policy') ?? '';
      expect([path, policy]).toEqual([path, expect.stringContaining("require-trusted-types-for 'script'")]);
      expect(policy).toContain('trusted-types default');
    }
  });
});
