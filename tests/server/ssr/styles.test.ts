/** Public pages carry a small stylesheet of their own; here it is compared with the whole one, class by class. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openContent } from '#server/ssr/content-store.ts';
import { builtContent } from '#server/ssr/page-source.ts';
import { type Front, startFront } from '#tests/support/front.ts';
import { htmlBudgetOf, STYLE_BUDGET } from '#tests/support/page-budgets.ts';
import { itLong } from '#tests/support/long-test.ts';

const PAGES = [
  '/',
  '/explore',
  '/pricing',
  '/request-access',
  '/blog',
  '/blog/why',
  '/docs',
  '/docs/api',
  '/no/such/page',
];
const built = path.resolve(import.meta.dirname, '../../../dist/client');
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36';

let front: Front;
beforeAll(async () => {
  front = await startFront();
});
afterAll(() => front.close());

/** The stylesheet of the application, which has every class. */
function wholeStyles(): string {
  const shell = readFileSync(path.join(built, 'index.html'), 'utf8');
  const [, href = ''] = /<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"/.exec(shell) ?? [];
  return readFileSync(path.join(built, href), 'utf8');
}

function selectorOf(className: string): string {
  return `.${className.replace(/[^\w-]/g, (sign) => `\\${sign}`)}`;
}

it.each(PAGES)('%s has every class that it uses in its inlined styles', async (at) => {
  const html = await (await fetch(front.origin + at, { headers: { 'user-agent': BROWSER } })).text();
  const all = wholeStyles();
  const inlined = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, css]) => css).join('\n');
  const used = new Set(
    [...html.matchAll(/ class="([^"]+)"/g)].flatMap(([, names]) => (names ?? '').split(/\s+/)),
  );
  expect(used.size).toBeGreaterThan(30);
  const missing = [...used].filter(
    (name) => all.includes(selectorOf(name)) && !inlined.includes(selectorOf(name)),
  );
  expect(missing).toEqual([]);
});

it('leaves every dark colour where visitors without script get it, and nothing of that in the page', async () => {
  const html = await (await fetch(front.origin + '/docs', { headers: { 'user-agent': BROWSER } })).text();
  const link =
    '<noscript><link rel="stylesheet" href="/dark.css" media="(prefers-color-scheme:dark)"></noscript>';
  expect(html).toContain(link);
  const answer = await fetch(`${front.origin}/dark.css`);
  expect(answer.headers.get('content-type')).toContain('text/css');
  const rules = await answer.text();
  // Tokens, faces, utilities; and paper stays white.
  for (const part of [':root{', '--paper:#0d1420', ':root .avatar-face{', '@media print{'])
    expect(rules).toContain(part);
  expect(rules).toMatch(/@layer utilities\{\.dark\\:block\{/);
  expect(rules).not.toMatch(/\.dark(?![\w\\-])/);
  expect(html).not.toContain(':root .avatar-face');
});

itLong('keeps every page within its budgets of HTML and styles, compressed', async () => {
  const documents = openContent(builtContent).all();
  const paths = new Set([...PAGES, ...documents.map(({ path: at }) => at)]);
  expect(paths.size).toBeGreaterThan(30);
  const heavy: [string, number, number][] = [];
  for (const at of paths) {
    const html = await (await fetch(front.origin + at, { headers: { 'user-agent': BROWSER } })).text();
    const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, css]) => css).join('');
    const [page, look] = [gzipSync(html).length, gzipSync(styles).length];
    if (page > htmlBudgetOf(at) || look > STYLE_BUDGET) heavy.push([at, page, look]);
  }
  expect(heavy).toEqual([]);
});
