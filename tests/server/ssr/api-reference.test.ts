/** The API reference as built: one list of all calls, each of which leads to the place that describes it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { FIELD_TEXTS } from '#shared/field-texts.ts';
import { PROTOCOL_CALLS } from '#shared/oauth/protocol-calls.ts';
import { type Front, startFront } from '#tests/support/front.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36';
const CALLS = Object.values({ ...ENDPOINTS, ...PROTOCOL_CALLS }).map(
  ({ method, path }) => `${method} ${path}`,
);

let front: Front;
beforeAll(async () => {
  front = await startFront();
});
afterAll(() => front.close());

const open = async (path: string) => {
  const answer = await fetch(front.origin + path, { headers: { 'user-agent': BROWSER } });
  return { status: answer.status, html: await answer.text() };
};

it('lists every call once and leads from each to its description', async () => {
  const { html } = await open('/docs/api/reference');
  const rows = [
    ...html.matchAll(
      /<tr id="([^"]+)"><td><a [^>]*href="(\/docs\/api\/reference\/[a-z-]+)#([^"]+)"[^>]*>([^<]+)<\/a>/g,
    ),
  ];
  expect(rows).toHaveLength(CALLS.length);
  expect(new Set(rows.map(([, , , , name]) => name))).toEqual(new Set(CALLS));
  const pages = new Map<string, string>();
  for (const [, id, path = '', hash, name] of rows) {
    expect(id).toBe(hash);
    const page = pages.get(path) ?? (await open(path)).html;
    pages.set(path, page);
    expect(page).toMatch(
      new RegExp(`<h[23] id="${hash}"[^>]*><a [^>]*>${name?.replaceAll(/[{}.]/g, '\\$&')}</a>`),
    );
  }
  expect(pages.size).toBeGreaterThan(4);
});

it('says what every field means, and describes each component on the page that names it', async () => {
  const { html } = await open('/docs/api/reference/spaces');
  const text = html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  const { Space: space } = FIELD_TEXTS;
  for (const field of ['color', 'publishText']) {
    const [sentence = ''] = (space?.[field] ?? '').split(/[;`]/);
    expect(text).toContain(`${field} `);
    expect(text).toContain(sentence);
  }
  let named = 0;
  for (const page of [
    'accounts',
    'credentials',
    'oauth',
    'workspaces',
    'memories',
    'files',
    'archives',
    'feeds',
    'spaces',
    'threads',
    'public',
    'public-threads',
    'staff',
    'webhooks',
    'more',
  ]) {
    const { html: whole } = await open(`/docs/api/reference/${page}`);
    const names = new Set([...whole.matchAll(/href="#([a-z]+-object)"/g)].map(([, name = '']) => name));
    for (const name of names) expect(whole).toContain(`<h3 id="${name}"`);
    named += names.size;
  }
  expect(named).toBeGreaterThan(30);
});

it('keeps the headings under which calls were found before', async () => {
  const { html } = await open('/docs/api/reference');
  for (const id of ['accounts', 'memories', 'space-memory-links', 'import', 'public-spaces', 'newsletter'])
    expect(html).toContain(`<h2 id="${id}"`);
});

it('has pages like all others: found, in the navigation, as text, with neighbours', async () => {
  const sitemap = (await open('/sitemap.xml')).html;
  for (const name of ['accounts', 'workspaces', 'memories', 'spaces', 'threads', 'public', 'more']) {
    const path = `/docs/api/reference/${name}`;
    const { status, html } = await open(path);
    expect([path, status]).toEqual([path, 200]);
    expect(html).toContain('rel="prev"');
    expect(sitemap).toContain(`${path}</loc>`);
    expect((await open(`${path}.md`)).html).toMatch(/^# API reference: /);
  }
  expect((await open('/docs/api/reference/nothing')).status).toBe(404);
});
