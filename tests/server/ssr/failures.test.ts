/** What a browser gets when the server fails: the error page with the right status and words, never JSON, never kept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBalancer, type Balancer } from '#tests/support/balancer.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
const BOT = 'Googlebot/2.1 (+http://www.google.com/bot.html)';
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const SEARCHES_PER_MINUTE = 30;

let database: TestDatabase;
let wire: Balancer;
let world: World;
let cast: Cast;
let spacePath: string;

beforeAll(async () => {
  await ensureBuilt();
  database = await createTestDatabase();
  const { port } = new URL(database.url);
  wire = await startBalancer(() => [Number(port)]);
  const url = new URL(database.url);
  url.host = `127.0.0.1:${wire.port}`;
  // Lost connections are what this file is about, and not news.
  const env = { LOG_LEVEL: 'fatal' };
  world = await createWorld({ web: true, database: { ...database, url: url.href }, env });
  cast = await createCast(world);
  const space = await createBuild(cast).space({ name: 'Tide pools', visibility: 'public' });
  spacePath = `/${cast.slug}/spaces/p/${space.slug}`;
});
afterAll(async () => {
  await world.close();
  await wire.close();
  await database.drop();
});

const open = (path: string, options: { accept?: string; agent?: string; body?: URLSearchParams } = {}) =>
  fetch(world.url + path, {
    headers: { accept: options.accept ?? HTML, 'user-agent': options.agent ?? BROWSER },
    redirect: 'manual',
    ...(options.body && { method: 'POST', body: options.body }),
  });

/** A whole page of the site with these words, which nothing keeps. */
async function expectErrorPage(response: Response, status: number, words: RegExp): Promise<void> {
  const html = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([
    status,
    'text/html; charset=utf-8',
  ]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-robots-tag')).toBe('noindex');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(html).toMatch(words);
  const title = /<title>(.*?)<\/title>/.exec(html)?.[1];
  const heading = /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1];
  expect(title).toBe(`${heading} | Loci`);
  expect(html).not.toContain('Page not found');
  for (const part of ['<header', '<main', '<footer', 'Back to home']) expect(html).toContain(part);
}

describe('a visitor who asks too often', () => {
  it('is told so and how long to wait, on the page of a space and on explore', async () => {
    for (let count = 0; count < SEARCHES_PER_MINUTE; count += 1) await open(`${spacePath}?q=anemone`);
    for (const path of [`${spacePath}?q=anemone`, '/explore?q=anemone']) {
      const response = await open(path);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      await expectErrorPage(response, 429, /Too Many Requests<\/h1>.*try again in \d+ seconds/s);
    }
    const bot = await open('/explore?q=anemone', { agent: BOT });
    expect([bot.status, await bot.text()]).toEqual([429, 'Too Many Requests']);
  });
});

describe('an address that cannot be read', () => {
  it('is refused with a page for browsers and with JSON for programs', async () => {
    await expectErrorPage(await open('/%E0%A4%A'), 400, /Bad Request<\/h1>.*malformed percent-encoding/s);
    for (const [path, accept] of [
      ['/%E0%A4%A', '*/*'],
      ['/v1/%E0%A4%A', HTML],
    ] as const) {
      const response = await open(path, { accept });
      expect([path, response.status, await response.json()]).toMatchObject([path, 400, { success: false }]);
    }
  });
});

describe('while the database is away', () => {
  beforeAll(() => wire.close());

  it('a page says so, and when to come back', async () => {
    for (const path of [spacePath, `/p/${cast.slug}`]) {
      const response = await open(path);
      expect(response.headers.get('retry-after')).toBe('1');
      await expectErrorPage(response, 503, /Service Unavailable<\/h1>.*please try again/s);
    }
  });

  it('a form without script is answered with a page too', async () => {
    const body = new URLSearchParams({ reason: 'spam' });
    await expectErrorPage(await open(spacePath, { body }), 503, /Service Unavailable<\/h1>/);
  });

  it('pages without the database open as ever', async () => {
    for (const path of ['/', '/docs', '/explore'])
      expect([path, (await open(path)).status]).toEqual([path, 200]);
  });

  it('robots get the status in words, programs JSON', async () => {
    const bot = await open(spacePath, { agent: BOT });
    expect([bot.status, await bot.text()]).toEqual([503, 'Service Unavailable']);
    for (const path of [`/v1/public/spaces/slug/${cast.slug}/tide-pools`, `${spacePath}/feed.xml`]) {
      const response = await open(path);
      expect([path, response.status, await response.json()]).toMatchObject([
        path,
        503,
        { success: false, error: { code: 'unavailable' } },
      ]);
    }
  });
});
