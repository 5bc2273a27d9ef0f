// Links whose page is fetched: through HTTP, with a real database and a site on this machine.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { abandonPage, capturePage } from '#server/capture/capture-page.ts';
import { queueForgottenPages } from '#server/capture/page-queue.ts';
import { runPageTask } from '#server/capture/page-process.ts';
import { TIMEOUTS } from '#server/limits.ts';
import { createEgress } from '#server/providers/egress.ts';
import { CAPTURE } from '#shared/capture/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import type { Memory } from '#shared/memories/memory.ts';
import { signUp, type Agent, type Wire } from '#tests/support/agent.ts';
import { page, redirect, serveSite, type LocalSite } from '#tests/support/local-site.ts';
import { createWorld, type World } from '#tests/support/world.ts';

const PROSE =
  'Barnacles glue themselves to rock head first and then kick food into their mouths with their feet. ' +
  'They spend the rest of their lives in the same place, which makes the choice of a rock the one that counts. ' +
  'Between the tides they close their plates and wait for the water to come back.';

const article = (title: string, text = PROSE) =>
  `<!doctype html><html lang="en"><head><title>${title}</title>
   <meta name="description" content="On barnacles."><meta name="author" content="Maria Marsh">
   <meta property="og:site_name" content="The Shore"><link rel="canonical" href="/canonical">
   <meta property="article:published_time" content="2026-02-03T04:05:06Z"></head>
   <body><nav><a href="/">Home</a> <a href="/about">About</a></nav>
   <article><h1>${title}</h1><p>${text}</p><h2>Feeding</h2><p>${text}</p><pre><code>let x = 1;</code></pre>
   <table><tr><th>Depth</th><th>Count</th></tr><tr><td>1 m</td><td>42</td></tr></table></article>
   <footer>Cookie settings and other links</footer><script>document.body.textContent = 'scripted'</script></body></html>`;

let broken = 0;
let emptied = 0;
const LOG = readFileSync(path.resolve(import.meta.dirname, '../../fixtures/files/lighthouse-log.pdf'));
const PAGES = {
  '/article': page(article('Life of a barnacle')),
  '/rare': page(article('Rare', `${PROSE} A xylophone was found on the beach.`)),
  '/latin1': page(Buffer.from(article('Crème brûlée'), 'latin1'), {
    'content-type': 'text/html; charset=iso-8859-1',
  }),
  '/declared': page(
    Buffer.from(article('Crème').replace('<title>', '<meta charset="windows-1252"><title>'), 'latin1'),
    { 'content-type': 'text/html' },
  ),
  '/unlabelled': page(Buffer.from(article('Crème'), 'latin1'), { 'content-type': 'text/html' }),
  '/utf16': page(Buffer.from(`\uFEFF${article('Crème')}`, 'utf16le'), { 'content-type': 'text/html' }),
  '/gzip': page(gzipSync(article('Packed')), { 'content-encoding': 'gzip' }),
  '/notes.md': page(`# Rock pools\n\n${PROSE}`, { 'content-type': 'text/markdown' }),
  '/moved': redirect('/moved-again', 301),
  '/moved-again': redirect('/article'),
  '/loop': redirect('/loop'),
  '/script': redirect('javascript:alert(1)'),
  '/gone': page('', {}, 410),
  '/teapot': page('', {}, 418),
  '/locked': page('', {}, 401),
  '/busy': page('', {}, 503),
  '/login': page('<title>Sign in</title><form><input type="password"></form>'),
  '/report.pdf': page('%PDF-1.7', { 'content-type': 'application/pdf' }),
  '/log.pdf': page(LOG, { 'content-type': 'application/pdf' }),
  '/film.mp4': page('film', { 'content-type': 'video/mp4' }),
  '/empty': page(''),
  '/emptied': ((_request, response) => {
    emptied += 1;
    response.writeHead(200, { 'content-type': 'text/html' }).end(emptied === 1 ? article('Full') : '');
  }) satisfies Parameters<typeof serveSite>[0][string],
  '/app-without': page(
    '<title>An application</title><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/app.js"></script>',
  ),
  '/app': page('<title>An application</title><div id="root"></div><script src="/app.js"></script>'),
  '/huge': page(Buffer.alloc(CAPTURE.pageBytesMax + 1, 'a')),
  '/bomb': page(gzipSync(Buffer.alloc(CAPTURE.pageBytesMax, 'a')), { 'content-encoding': 'gzip' }),
  '/cut': ((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' });
    response.write('<p>half');
    response.destroy();
  }) satisfies Parameters<typeof serveSite>[0][string],
  '/liar': page('not packed at all', { 'content-encoding': 'gzip' }),
  '/nul': page(article('A\0B \uD800 title'.replaceAll('\uD800', '&#xD800;'))),
  '/heals': ((_request, response) => {
    broken += 1;
    if (broken === 1) response.writeHead(502).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(article('Healed'));
  }) satisfies Parameters<typeof serveSite>[0][string],
};

let world: World;
let site: LocalSite;
let alice: Agent;
let workspaceId: Id<'workspace'>;

beforeAll(async () => {
  world = await createWorld({ env: { EGRESS: 'private' } });
  site = await serveSite(PAGES);
  alice = await signUp(world, 'alice');
  const { json } = await alice.raw('POST', '/v1/workspaces', { body: { name: 'Shore', slug: 'shore' } });
  workspaceId = idIn<'workspace'>(json);
});
afterAll(async () => {
  await world.close();
  await site.close();
});

/** Whatever a call made. */
function made(json: Wire | undefined): unknown {
  expect(json?.success).toBe(true);
  return json?.result;
}

const idIn = <K extends 'memory' | 'workspace'>(json: Wire | undefined) => (made(json) as { id: Id<K> }).id;

async function save(path: string, fields: Record<string, unknown> = {}): Promise<Id<'memory'>> {
  const { json } = await alice.raw('POST', '/v1/memories', {
    body: { workspaceId, url: site.url + path, ...fields },
  });
  return idIn<'memory'>(json);
}

async function read(id: string): Promise<Memory> {
  const { json } = await alice.raw('GET', `/v1/memories/${workspaceId}/${id}`);
  return json?.result as Memory;
}

const capture = (memoryId: Id<'memory'>) => capturePage(world.context, { workspaceId, memoryId });

async function textOf(id: string, token = alice.token): Promise<{ status: number; text: string }> {
  const response = await fetch(`${world.url}/v1/memories/${workspaceId}/${id}/page`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, text: await response.text() };
}

/** A link that was saved and fetched once. */
async function captured(path: string, fields?: Record<string, unknown>) {
  const id = await save(path, fields);
  await capture(id);
  return read(id);
}

describe('a page', () => {
  it('waits, and then gives its text, title and what it says about itself', async () => {
    const id = await save('/article?utm_source=x');
    expect(await read(id)).toMatchObject({ contentStatus: 'pending', title: null });
    expect((await textOf(id)).status).toBe(404);
    const done = await captured('/article');
    expect(done).toMatchObject({
      contentStatus: 'completed',
      title: 'Life of a barnacle',
      description: 'On barnacles.',
      metadata: {
        site: 'The Shore',
        author: 'Maria Marsh',
        language: 'en',
        published: '2026-02-03T04:05:06.000Z',
        canonicalUrl: `${site.url}/canonical`,
        httpStatus: 200,
      },
    });
    const { status, text } = await textOf(done.id);
    expect(status).toBe(200);
    expect(text).toContain('kick food into their mouths');
    expect(text).toContain('## Feeding');
    expect(text).toContain('let x = 1;');
    expect(text).toMatch(/\| 1 m\s*\| 42\s*\|/);
    for (const other of ['Cookie settings', 'About', 'scripted', '<']) expect(text).not.toContain(other);
  });

  it('never replaces the words of a person', async () => {
    const done = await captured('/article?own', {
      title: 'My title',
      description: 'My words',
      notes: 'My notes',
    });
    expect(done).toMatchObject({ title: 'My title', description: 'My words', notes: 'My notes' });
  });

  test.each(['/latin1', '/declared', '/unlabelled', '/utf16'])(
    'in the encoding of %s is read right',
    async (path) => {
      expect((await captured(path)).title).toMatch(/^Crème/);
    },
  );

  it('comes packed, as Markdown, or behind redirects', async () => {
    expect((await captured('/gzip')).title).toBe('Packed');
    expect((await captured('/notes.md')).title).toBe('Rock pools');
    const moved = await captured('/moved');
    expect(moved).toMatchObject({ contentStatus: 'completed', url: `${site.url}/moved` });
  });

  it('without text keeps what it says in its head, and the text that it had', async () => {
    const app = await captured('/app');
    expect(app).toMatchObject({ contentStatus: 'unavailable', title: 'An application' });
    expect((await textOf(app.id)).status).toBe(404);
    const emptied = await save('/emptied');
    await capture(emptied);
    await alice.raw('PATCH', `/v1/memories/${workspaceId}/${emptied}`, {
      body: { contentStatus: 'pending' },
    });
    await capture(emptied);
    expect((await read(emptied)).contentStatus).toBe('unavailable');
    expect((await textOf(emptied)).text).toContain('kick food');
  });

  it('that is a document is read as an uploaded one', async () => {
    const log = await captured('/log.pdf');
    expect(log).toMatchObject({
      type: 'link',
      contentStatus: 'completed',
      title: 'Lighthouse log',
      metadata: { pages: 2, httpStatus: 200 },
    });
    expect((await textOf(log.id)).text).toContain('the glazier replaced eleven panes');
  });

  it('with NUL and half characters can be stored', async () => {
    expect((await captured('/nul')).title).toMatch(/^A/);
  });
});

describe('a page that cannot be had', () => {
  test.each([
    ['/gone', 'unavailable', 'The page was removed.'],
    ['/missing', 'unavailable', 'There is no page at this address.'],
    ['/locked', 'unavailable', 'The page asks for a log-in.'],
    ['/login', 'unavailable', 'The page asks for a log-in.'],
    ['/teapot', 'unavailable', 'The site answered with an error (418).'],
    ['/report.pdf', 'unavailable', 'This PDF is damaged.'],
    ['/film.mp4', 'unavailable', 'This kind of file cannot be read.'],
    ['/empty', 'unavailable', 'The page has no text.'],
    ['/app', 'unavailable', expect.stringContaining('browser extension')],
    ['/app-without', 'unavailable', expect.stringContaining('browser extension')],
    ['/loop', 'unavailable', 'The page redirects without end.'],
    ['/script', 'unavailable', 'The page could not be fetched.'],
    ['/huge', 'failed', 'The page is too large.'],
    ['/bomb', 'failed', 'The page is too large.'],
  ])('%s ends as %s and says why', async (path, contentStatus, statusReason) => {
    expect(await captured(path)).toMatchObject({ contentStatus, metadata: { statusReason } });
  });

  test.each(['/busy', '/cut', '/liar'])(
    'for a moment (%s) is tried three times, and then has failed',
    async (path) => {
      const id = await save(path);
      await capture(id);
      const waiting = await read(id);
      expect(waiting).toMatchObject({ contentStatus: 'pending', metadata: { tries: 1 } });
      const next = world.clock.now().getTime() + 30_000;
      expect(Date.parse(String(waiting.metadata['nextTryAt']))).toBe(next);
      await capture(id);
      expect((await read(id)).contentStatus).toBe('pending');
      await capture(id);
      expect(await read(id)).toMatchObject({ contentStatus: 'failed', metadata: { tries: 3 } });
      await alice.raw('PATCH', `/v1/memories/${workspaceId}/${id}`, { body: { contentStatus: 'pending' } });
      expect((await read(id)).contentStatus).toBe('pending');
      await capture(id);
      expect((await read(id)).metadata['tries']).toBe(1);
    },
  );

  it('heals at the next try, and nothing of the fault stays', async () => {
    const id = await save('/heals');
    await capture(id);
    await capture(id);
    const done = await read(id);
    expect(done).toMatchObject({ contentStatus: 'completed', title: 'Healed' });
    for (const name of ['statusReason', 'tries', 'nextTryAt']) expect(done.metadata).not.toHaveProperty(name);
  });

  it('and holds its reader ends it, and the next page is read', async () => {
    const source = { url: 'https://shore.example/', mediaType: 'text/html', charset: 'utf-8' };
    const deep = Buffer.from(`<title>Deep</title>${'<div>'.repeat(60_000)}x`);
    expect(await runPageTask('page', { ...source, body: deep }, { limitMs: 1_000 })).toBeUndefined();
    // Takes more memory than its reader may have: of a thread, this would be the end of the server.
    const many = Buffer.from(`<title>Many</title>${'<p>a</p>'.repeat(400_000)}`);
    expect(await runPageTask('page', { ...source, body: many })).toBeUndefined();
    expect(await runPageTask('page', { ...source, body: Buffer.from(article('Next')) })).toMatchObject({
      title: 'Next',
    });
  });
});

describe('a capture', () => {
  it('that is delivered twice at once fetches once', async () => {
    const id = await save('/article?twice');
    const outcomes = await Promise.allSettled([capture(id), capture(id), capture(id)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(site.asked.filter((path) => path === '/article?twice')).toHaveLength(1);
    expect((await read(id)).contentStatus).toBe('completed');
    await capture(id);
    expect(site.asked.filter((path) => path === '/article?twice')).toHaveLength(1);
  });

  it('whose server died is taken over when its time is over, and not before', async () => {
    const id = await save('/article?killed');
    const host = {
      ...world.context,
      egress: { ...world.context.egress, get: () => Promise.reject(new Error('killed')) },
    };
    await expect(capturePage(host, { workspaceId, memoryId: id })).rejects.toThrow('killed');
    expect((await read(id)).contentStatus).toBe('processing');
    await expect(capture(id)).rejects.toThrow('Another job works on this page');
    world.clock.advance(TIMEOUTS.captureLease + 1);
    await capture(id);
    expect((await read(id)).contentStatus).toBe('completed');
  });

  it('whose server died goes on at once in the next try of its own job, and in no other job', async () => {
    const id = await save('/article?own-job');
    const [job, other] = ['5f0e7a52-0000-4000-8000-000000000001', '5f0e7a52-0000-4000-8000-000000000002'];
    const host = {
      ...world.context,
      egress: { ...world.context.egress, get: () => Promise.reject(new Error('killed')) },
    };
    await expect(capturePage(host, { workspaceId, memoryId: id }, job)).rejects.toThrow('killed');
    const again = (jobId: string) => capturePage(world.context, { workspaceId, memoryId: id }, jobId);
    await expect(again(other)).rejects.toThrow('Another job works on this page');
    await again(job);
    expect((await read(id)).contentStatus).toBe('completed');
  });

  it('that was given up has a final state', async () => {
    const id = await save('/article?given-up');
    await abandonPage(world.context, { workspaceId, memoryId: id });
    expect(await read(id)).toMatchObject({ contentStatus: 'failed' });
  });

  it('stores nothing for an address that was changed or deleted meanwhile', async () => {
    const change = async (act: (id: string) => Promise<unknown>) => {
      const id = await save(`/article?meanwhile-${newId('memory')}`);
      const egress = createEgress('private');
      const slow = {
        ...egress,
        get: async (...given: Parameters<typeof egress.get>) => {
          await act(id);
          return egress.get(...given);
        },
      };
      await capturePage({ ...world.context, egress: slow }, { workspaceId, memoryId: id });
      await egress.close();
      return id;
    };
    const moved = await change((id) =>
      alice.raw('PATCH', `/v1/memories/${workspaceId}/${id}`, { body: { url: `${site.url}/gone` } }),
    );
    expect(await read(moved)).toMatchObject({ contentStatus: 'pending', title: null });
    const deleted = await change((id) => alice.raw('DELETE', `/v1/memories/${workspaceId}/${id}`));
    expect((await textOf(deleted)).status).toBe(404);
  });

  it('goes with its address, whatever the next one brings', async () => {
    const { id } = await captured('/article?former');
    const change = (fields: Record<string, unknown>) =>
      alice.raw('PATCH', `/v1/memories/${workspaceId}/${id}`, { body: fields });
    await change({ url: `${site.url}/article?former`, description: 'Mine' });
    expect((await read(id)).metadata).toHaveProperty('site');
    await change({ url: `${site.url}/gone` });
    expect(await read(id)).toMatchObject({ contentStatus: 'pending', metadata: {} });
    expect((await textOf(id)).status).toBe(404);
    await capture(id);
    expect((await read(id)).metadata).toEqual({
      httpStatus: 410,
      statusReason: 'The page was removed.',
      tries: 1,
    });
    await change({ url: `${site.url}/article?former` });
    await capture(id);
    expect((await textOf(id)).text).toContain('kick food');
    await change({ url: null });
    expect(await read(id)).toMatchObject({ type: 'note', contentStatus: 'completed', metadata: {} });
    expect((await textOf(id)).status).toBe(404);
  });

  it('of a link that came in without a job is found by the hourly look', async () => {
    const id = await save('/article?forgotten');
    await world.context.db.deleteFrom('memory_page').where('memoryId', '=', id).execute();
    const jobs: unknown[] = [];
    const queue = { enqueue: async (...given: unknown[]) => void jobs.push(given[2]) };
    await queueForgottenPages(world.context.db, queue, world.clock.now());
    expect(jobs).toContainEqual({ workspaceId, memoryId: id });
    jobs.length = 0;
    await queueForgottenPages(world.context.db, queue, world.clock.now());
    expect(jobs).toEqual([]);
  });
});

describe('the text of a page', () => {
  it('is searched', async () => {
    const done = await captured('/rare');
    const find = async (query: string) => {
      const { json } = await alice.raw('POST', '/v1/memories/search', { body: { workspaceId, query } });
      return json?.result as { id: string; snippets: { field: string; text: string }[] }[];
    };
    const [hit] = await find('xylophone');
    expect(hit).toMatchObject({ id: done.id, snippets: [{ field: 'page' }] });
    expect(hit?.snippets[0]?.text).toContain('xylophone');
  });

  it('is for those who read the memory', async () => {
    const { id } = await captured('/article?readers');
    const eve = await signUp(world, 'eve');
    expect((await textOf(id, eve.token)).status).toBe(403);
    expect((await textOf(id, 'nothing')).status).toBe(401);
    const { json } = await eve.raw('POST', '/v1/workspaces', { body: { name: 'Other', slug: 'other' } });
    const foreign = await fetch(`${world.url}/v1/memories/${idIn(json)}/${id}/page`, {
      headers: { authorization: `Bearer ${eve.token}` },
    });
    expect(foreign.status).toBe(404);
  });
});
