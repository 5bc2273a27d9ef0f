/** No text of a person occupies the page for longer than a reader notices: opened as a memory and as a message, by processor time. */
import type { Browser, Page } from '@playwright/test';
import { LIMITS } from '#shared/constants.ts';
import { newId } from '#shared/ids.ts';
import { HOSTILE_MARKDOWN } from '../support/hostile-markdown.ts';
import { sitDown } from '../support/person.ts';
import { takePerson } from '../support/ready-people.ts';
import { LONG_LOOK } from './support/looks.ts';
import { mainThreadTasks } from './support/main-thread.ts';
import { expect, test } from './support/stories.ts';

/** One of each kind of cost: inline marks, brackets, code, nesting, blocks, cells, bare addresses, one line without a break. */
const PATTERNS = [
  'nested emphasis *a_ tight',
  'links nested balanced',
  'brackets balanced',
  'backtick runs growing',
  'quotes nested lines',
  'lists flat',
  'lists deep then lines',
  'table columns wide rows',
  'fences',
  'footnote in footnote',
  'plain words',
  'one long word',
] as const;

/** Messages are shorter and drawn by the same parts. */
const MESSAGES = ['prose', 'links nested balanced', 'lists flat', 'fences', 'one long word'];

/** Just below the sizes at which a text is shown as it is: the most that is drawn as elements. */
const LARGEST: Readonly<Record<string, string>> = {
  'a list of 2,400': '- a\n'.repeat(2_400),
  'a table of 2,400 cells': `| a | b | c | d |\n| - | - | - | - |\n${'| 1 | 2 | 3 | 4 |\n'.repeat(480)}`,
  'a list within a list': `- a\n${'  - b\n'.repeat(2_300)}`,
  '600 blocks of code': '```\na\n```\n'.repeat(600),
  '9,000 paragraphs': '*a*\n\n'.repeat(4_500),
};

const hostile = (name: string, length: number): string =>
  (HOSTILE_MARKDOWN[name]?.(length) ?? '').slice(0, length);

/** Until nothing was drawn for a while; a page that is still drawing adds something in every frame. */
async function settled(page: Page): Promise<void> {
  let elements = 0;
  await expect
    .poll(
      async () => {
        const before = elements;
        elements = await page.evaluate(() => document.getElementsByTagName('*').length);
        return elements === before;
      },
      { intervals: [500] },
    )
    .toBe(true);
}

async function longest(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  const [most = 0] = await mainThreadTasks(browser, page, async () => {
    await act();
    await settled(page);
  });
  return Math.round(most);
}

test('hostile texts are drawn in short tasks', LONG_LOOK, async ({ browser, ownServer }) => {
  const { url } = ownServer;
  const owner = takePerson(ownServer);
  const { api, workspaceId, slug } = owner;
  const context = await browser.newContext();
  await sitDown(context, url, owner);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(`${url}/${slug}`);
  await expect(page.getByRole('button', { name: 'Sync: Synced' })).toBeVisible();
  const figures: Record<string, number> = {};
  const measure = async (what: string, label: string) => {
    const link = page.getByRole('link', { name: label }).first();
    await expect(link).toBeVisible();
    await settled(page);
    figures[what] = await longest(browser, page, () => link.click());
  };
  const notes = ['prose', ...PATTERNS].map((name): [string, string] => [name, hostile(name, LIMITS.notes)]);
  // The first text brings the renderer; that is no cost of a text.
  for (const [name, text] of [['first', 'A line.'], ...notes, ...Object.entries(LARGEST)] as const) {
    const body = { workspaceId, title: `Note: ${name}`, notes: text };
    await api('memory.create', { body });
    await measure(`note: ${name}`, body.title);
    await expect(page.getByRole('dialog', { name: body.title })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  delete figures['note: first'];
  await page.getByRole('link', { name: 'Threads' }).first().click();
  for (const name of MESSAGES) {
    const id = newId('thread');
    await api('thread.create', {
      body: { id, workspaceId, name: `Thread: ${name}`, visibility: 'private' },
    });
    const content = hostile(name, LIMITS.message);
    await api('message.create', { params: { workspaceId, threadId: id }, body: { content } });
    await measure(`message: ${name}`, `Thread: ${name}`);
    await page.goBack();
  }
  await context.close();
  console.log(figures);
  for (const [name, ms] of Object.entries(figures)) expect(ms, name).toBeLessThan(50);
});
