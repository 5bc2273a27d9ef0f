/** Texts that were made to stop a page: a message, a memory and a public thread of them stay usable. */
import type { Page } from '@playwright/test';
import { LIMITS } from '#shared/constants.ts';
import { newId } from '#shared/ids.ts';
import { memberCitationPath } from '#shared/member-citation-path.ts';
import { pathTo } from '#shared/pages.ts';
import { HOSTILE_MARKDOWN } from '../support/hostile-markdown.ts';
import { joinServer, proveAddress, sitDown, type Person } from '../support/person.ts';
import { expect, test } from './support/stories.ts';

// Each new browser profile would install it, which takes more of the processor than the story.
test.use({ serviceWorkers: 'block' });

const PATTERNS = [
  'nested emphasis *a_',
  'lists - - -',
  'table expand rows',
  'quotes lazy',
  'images ![[[',
  'lists flat',
  'one long word',
];

const hostile = (name: string, length: number): string =>
  (HOSTILE_MARKDOWN[name]?.(length) ?? '').slice(0, length);

async function thread({ api, workspaceId }: Person, name: string, contents: readonly string[]) {
  const id = newId('thread');
  await api('thread.create', { body: { id, workspaceId, name, visibility: 'public' } });
  for (const content of contents)
    await api('message.create', { params: { workspaceId, threadId: id }, body: { content } });
  return id;
}

const prose = (length: number): string => hostile('prose', length);

/** Ordinary Markdown of every kind, to be looked at beside the hostile texts. */
const RICH = `# Heading

Some **bold**, *italic*, ~~struck~~ and \`code\`, a [link](https://example.com/a), https://example.com/bare.

| Left | Right |
| :--- | ---: |
| one | 1 |
| two | 22 |

- [ ] to do
- [x] done

1. first
   - nested
     - deeper
2. second[^note]

> A quote
> of two lines

\`\`\`ts
const a = 1 < 2;
\`\`\`

[^note]: What the second means.`;

/** Every task of the page that took longer than 50 ms, from its first script on. */
async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Reflect.set(globalThis, 'longTasks', tasks);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
  });
}

/** Opens an address and returns the longest task of the page until its text stands, in ms; 0 without one over 50 ms. */
async function longestTask(page: Page, url: string, end: string): Promise<number> {
  await page.goto(url);
  await expect(page.getByText(end).last()).toBeAttached({ timeout: 60_000 });
  // The pieces of a long text follow one by one; a page that is still drawing has no second without a new element.
  let elements = 0;
  await expect
    .poll(
      async () => {
        const before = elements;
        elements = await page.evaluate(() => document.getElementsByTagName('*').length);
        return elements === before;
      },
      { intervals: [1_000], timeout: 60_000 },
    )
    .toBe(true);
  return page.evaluate(() => Math.max(0, ...[Reflect.get(globalThis, 'longTasks')].flat().map(Number)));
}

test('hostile texts hold up neither the dashboard nor a public page', async ({
  browser,
  ownServer,
}, info) => {
  test.setTimeout(600_000);
  const { url } = ownServer;
  const owner = await joinServer(url, 'mallory');
  await proveAddress(url, owner);
  const { api, workspaceId, slug } = owner;
  const end = 'The **end** of it';
  const bad = await thread(owner, 'Hostile', [...PATTERNS.map((name) => hostile(name, LIMITS.message)), end]);
  const good = await thread(owner, 'Harmless', [...PATTERNS.map(() => prose(LIMITS.message)), end]);
  const memory = async (notes: string) =>
    (await api('memory.create', { body: { workspaceId, title: 'The end', notes } })).result.id;
  const harmless = await memory(prose(LIMITS.notes));
  const rich = await memory(RICH);
  const richThread = await thread(owner, 'Rich', [RICH, end]);
  const memories: (typeof harmless)[] = [];
  for (const name of PATTERNS) memories.push(await memory(hostile(name, LIMITS.notes)));

  const context = await browser.newContext();
  await sitDown(context, url, owner);
  const page = await context.newPage();
  await watchTasks(page);
  const at = (id: string) => url + pathTo('thread', { workspace_slug: slug, thread_id: id });
  const publicPath = (id: string) => url + pathTo('public_thread', { workspace_slug: slug, thread_id: id });
  const readMemory = (id: typeof harmless) =>
    longestTask(page, url + memberCitationPath(slug, id), 'The end');
  // The first page brings the replica up; it is no cost of a text.
  await readMemory(rich);
  await page.screenshot({ path: info.outputPath('rich-memory.png') });

  const usual = {
    thread: await longestTask(page, at(good), 'of it'),
    memory: await readMemory(harmless),
    public: await longestTask(page, publicPath(good), 'of it'),
  };
  const figures: Record<string, number> = {};
  figures['thread'] = await longestTask(page, at(bad), 'of it');
  await page.screenshot({ path: info.outputPath('thread.png') });
  figures['public'] = await longestTask(page, publicPath(bad), 'of it');
  await page.screenshot({ path: info.outputPath('public.png') });
  await longestTask(page, publicPath(richThread), 'of it');
  await page.screenshot({ path: info.outputPath('rich-public.png'), fullPage: true });
  for (const [index, id] of memories.entries()) {
    figures[`memory: ${PATTERNS[index] ?? ''}`] = await readMemory(id);
    if (index === 0) await page.screenshot({ path: info.outputPath('memory.png') });
  }
  console.log({ usual, figures });
  // A page of harmless texts of the same length in the same run is the measure, because the machine may be busy. One of
  // the texts once held a page up for half a minute, so a hold of seconds is what this must never see again.
  for (const [name, ms] of Object.entries(figures)) {
    const same = name === 'thread' ? usual.thread : name === 'public' ? usual.public : usual.memory;
    expect(ms, name).toBeLessThan(Math.max(1_500, same * 3));
  }
});
