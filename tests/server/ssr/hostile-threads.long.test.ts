/** Public threads of texts that were made to stop the server: it stays responsive, and every form of them is served. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { cpuMsOf, heldUpMs } from '#tests/support/cpu-time.ts';
import { ensureBuilt } from '#tests/support/front.ts';
import { HOSTILE_MARKDOWN } from '#tests/support/hostile-markdown.ts';
import { createWorld, type World } from '#tests/support/world.ts';

/** The longest message. The first of these took 34 s of the main thread for each new query string. */
const LENGTH = 16_000;
const PATTERNS = [
  'nested emphasis *a_',
  'nested emphasis *a_ tight',
  'brackets [',
  'images ![[[',
  'links nested balanced',
  'quotes lazy',
  'lists - - -',
  'table expand rows',
  'table columns wide rows',
  'footnote in footnote',
  'lists flat',
  'underscores words',
];

const PAGES = 4;

let world: World;
let cast: Cast;
let path: string;

async function thread(name: string, contents: readonly string[]): Promise<string> {
  const made = await createBuild(cast).thread({ name, visibility: 'public' });
  for (const content of contents) {
    world.clock.advance(1_000);
    await cast.alice.api('message.create', {
      params: { workspaceId: cast.workspaceId, threadId: made.id },
      body: { content },
    });
  }
  return `/${cast.slug}/threads/p/${made.id}`;
}

beforeAll(async () => {
  await ensureBuilt();
  world = await createWorld({ web: true });
  cast = await createCast(world);
  const contents = PATTERNS.map((name) => (HOSTILE_MARKDOWN[name]?.(LENGTH) ?? '').slice(0, LENGTH));
  path = await thread('Hostile', [...contents, 'Last **words**.']);
  // What is loaded with the first page is no cost of a text.
  await fetch(world.url + (await thread('Harmless', ['*Hello*'])));
});
afterAll(() => world.close());

/** A page that no cache holds, as its text. */
let visits = 0;
async function visit(): Promise<string> {
  visits += 1;
  const answer = await fetch(`${world.url}${path}?a=${visits}`);
  expect(answer.status).toBe(200);
  return answer.text();
}

describe('a public thread of hostile texts', () => {
  it('is served under every address without holding up the server', async () => {
    // On a busy machine a text that has waited too long behind the others is shown as it was written, and formatted later.
    const isFormatted = () => expect.poll(visit).toContain('Last <strong>words</strong>.');
    expect(await heldUpMs(isFormatted)).toBeLessThan(250);
    const spent = await cpuMsOf(async () => {
      for (let page = 0; page < PAGES; page += 1)
        expect(await visit()).toContain('Last <strong>words</strong>.');
    });
    // Twelve texts of the greatest length on one page, its other work included.
    expect(spent).toBeLessThan(PAGES * 1_000);
  });

  it.each(['.md', '/feed.xml', '/feed.json'])('is served as %s', async (form) => {
    let status = 0;
    const spent = await cpuMsOf(async () => {
      const answer = await fetch(`${world.url}${path}${form}`);
      ({ status } = answer);
      await answer.text();
    });
    expect(status).toBe(200);
    expect(spent).toBeLessThan(1_000);
  });

  it('is exported in every format', async () => {
    for (const format of ['markdown', 'html', 'text', 'json']) {
      const body = JSON.stringify({
        workspaceId: cast.workspaceId,
        threadId: path.split('/').at(-1),
        format,
      });
      const spent = await cpuMsOf(async () => {
        const answer = await fetch(`${world.url}/v1/public/messages/export`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        expect(answer.status).toBe(200);
        await answer.text();
      });
      expect(spent).toBeLessThan(1_000);
    }
  });
});

it('a text that the machine was too busy for is formatted at the next request', async () => {
  const at = await thread('Busy', ['Some **words**.']);
  const read = async () => (await fetch(world.url + at)).text();
  // What a renderer under load returns; the load itself cannot be made to order.
  vi.spyOn(world.context.markdown, 'trees').mockResolvedValueOnce([undefined]);
  expect(await read()).toContain('Some **words**.</p>');
  expect(await read()).toContain('Some <strong>words</strong>.</p>');
});

describe('addresses that run', () => {
  const written = [
    '[x](javascript:alert(1))',
    '[x][r] and [r]\n\n[r]: &#106;avascript&colon;alert(1)',
    '[y](data:text/html,1) ![z](vbscript:x) [ok](https://ok.example/)',
  ];

  it('are in no form of a thread', async () => {
    const at = await thread('[name](javascript:alert(1))', written);
    const markdown = await (await fetch(`${world.url}${at}.md`)).text();
    expect(markdown).toContain('[ok](https://ok.example/)');
    expect(markdown).not.toMatch(/(?<!\\)\]\s*[(:]\s*(?:javascript|data|vbscript|&#106;)/i);
    const html = await (await fetch(`${world.url}${at}`)).text();
    expect(html).not.toMatch(/href="(?:javascript|data|vbscript)/i);
  });
});
