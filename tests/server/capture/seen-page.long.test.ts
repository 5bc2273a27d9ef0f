// Pages that come with their HTML, as a browser extension sends them: stored without a fetch, and refused deny-first.
import { beforeEach, describe, expect, it, test } from 'vitest';
import { capturePage } from '#server/capture/capture-page.ts';
import { CAPTURE } from '#shared/capture/limits.ts';
import { newId, type Id } from '#shared/ids.ts';
import { createBuild, createCast, type Cast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { openWorld } from '#tests/support/world.ts';

const PROSE =
  'Barnacles glue themselves to rock head first and then kick food into their mouths with their feet. ' +
  'They spend the rest of their lives in the same place, which makes the choice of a rock the one that counts.';
const article = (title: string, text = PROSE) =>
  `<html lang="en"><head><title>${title}</title></head><body><nav>Menu</nav>
   <article><h1>${title}</h1><p>${text}</p><p>${PROSE}</p></article></body></html>`;

let cast: Cast;
let asked: string[];
const world = await openWorld();
beforeEach(async () => {
  cast = await createCast(world);
  asked = [];
});

interface Given {
  html?: string | Uint8Array<ArrayBuffer>;
  type?: string;
  payload?: Record<string, unknown>;
  headers?: Record<string, string>;
  token?: string;
}

const URL_OF_PAGE = 'https://intranet.example/handbook';

async function save({ html = article('Handbook'), type = 'text/html', payload, headers, token }: Given = {}) {
  const form = new FormData();
  form.set(
    'payload',
    JSON.stringify({ workspaceId: cast.workspaceId, url: URL_OF_PAGE, page: true, ...payload }),
  );
  if (html !== '') form.set('file', new Blob([html], { type }), 'page.html');
  const response = await fetch(`${world.url}/v1/memories`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token ?? cast.alice.token}`, 'x-upload': 'file', ...headers },
    body: form,
  });
  return { status: response.status, json: await response.json() };
}

/** What the job for the page does; nothing is ever fetched here. */
function capture(memoryId: Id<'memory'>) {
  const get = (url: string) => {
    asked.push(url);
    return Promise.reject(new Error('fetched'));
  };
  return capturePage({ ...world.context, egress: { get } }, { workspaceId: cast.workspaceId, memoryId });
}

async function textOf(id: string, token = cast.alice.token) {
  const response = await fetch(`${world.url}/v1/memories/${cast.workspaceId}/${id}/page`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, text: await response.text() };
}

describe('a page that comes with its HTML', () => {
  it('is completed with its text at once, and its address is never fetched', async () => {
    const { status, json } = await save({ payload: { origin: 'browser_extension' } });
    expect(status).toBe(201);
    expect(json.result).toMatchObject({
      type: 'link',
      contentStatus: 'completed',
      title: 'Handbook',
      url: URL_OF_PAGE,
      origin: 'browser_extension',
      filename: null,
      notes: null,
      metadata: { language: 'en' },
    });
    const { text } = await textOf(json.result.id);
    expect(text).toContain('kick food into their mouths');
    expect(text).not.toContain('Menu');
    await capture(json.result.id);
    expect(asked).toEqual([]);
    const search = () =>
      cast.alice.api('memory.search', { body: { workspaceId: cast.workspaceId, query: 'barnacles rock' } });
    await expect.poll(async () => (await search()).result).toMatchObject([{ id: json.result.id }]);
  });

  it('is brought into the memory of its address, with the newer text and every word of a person', async () => {
    const before = await cast.alice.api('memory.create', {
      body: {
        workspaceId: cast.workspaceId,
        url: `${URL_OF_PAGE}?utm_source=mail`,
        title: 'Mine',
        notes: 'Own',
      },
    });
    const again = await save({ html: article('Theirs', 'The second edition is about limpets.') });
    expect([again.status, again.json.meta.duplicate, again.json.result.id]).toEqual([
      200,
      true,
      before.result.id,
    ]);
    expect(again.json.result).toMatchObject({ title: 'Mine', notes: 'Own', contentStatus: 'completed' });
    expect((await textOf(before.result.id)).text).toContain('limpets');
    await capture(before.result.id);
    expect(asked).toEqual([]);
  });

  it('sent again under the same id or key changes nothing', async () => {
    const id = newId('memory');
    const headers = { 'idempotency-key': 'one-key-for-one-page' };
    const first = await save({ payload: { id }, headers });
    const replayed = await save({ payload: { id }, headers });
    const repeated = await save({ payload: { id }, html: article('Other', 'Limpets.') });
    expect([first.json.result.id, replayed.json.result.id, repeated.json.result.id]).toEqual([id, id, id]);
    expect((await textOf(id)).text).not.toContain('Limpets');
    const listed = await cast.alice.api('memory.list', { params: { workspaceId: cast.workspaceId } });
    expect(listed.result).toHaveLength(1);
  });

  test.each([
    ['only asks for a log-in', '<title>In</title><form><input type="password"></form>'],
    ['has no text', '<html><head><script>1</script></head><body></body></html>'],
  ])('that %s is fetched as any link is', async (_what, html) => {
    const { status, json } = await save({ html });
    expect([status, json.result.contentStatus]).toEqual([201, 'pending']);
  });

  it('brings no script, no markup that runs and no control character into the text', async () => {
    const hostile = article(
      'Free <img src=x onerror=alert(1)>',
      `${PROSE}<script>alert(1)</script><a href="javascript:alert(2)">press</a>\0
       <svg><script>alert(3)</script></svg><object data="x"></object>`,
    );
    const { status, json } = await save({ html: hostile });
    expect(status).toBe(201);
    const { text } = await textOf(json.result.id);
    expect(text).toContain('kick food');
    for (const part of ['alert(1)', 'alert(3)', '<script', '<object', '\0']) expect(text).not.toContain(part);
  });
});

describe('a page is refused', () => {
  test.each<[string, Given, number, string]>([
    ['without its HTML', { html: '' }, 400, 'file: Send multipart'],
    ['without the header', { headers: { 'x-upload': '' } }, 400, 'file: Announce'],
    ['without an address', { payload: { url: null } }, 400, 'url: A page has an address'],
    ['at an address that is no page of the web', { payload: { url: 'file:///etc/passwd' } }, 400, 'url: '],
    ['as a picture', { type: 'image/png' }, 415, 'file: Send the page as text/html'],
    ['over its size', { html: 'x'.repeat(CAPTURE.pageBytesMax + 1) }, 413, 'file: larger than 10 MB'],
    ['with an origin of the server', { payload: { origin: 'system' } }, 400, 'origin: '],
  ])('%s', async (_what, given, status, words) => {
    const answer = await save(given);
    expect([answer.status, answer.json.error?.detail]).toEqual([status, expect.stringContaining(words)]);
  });

  it('in a JSON body, where it has no place', async () => {
    const body = { workspaceId: cast.workspaceId, url: URL_OF_PAGE, page: true };
    const { status, json } = await cast.alice.raw('POST', '/v1/memories', { body });
    expect([status, json?.error?.detail]).toEqual([400, 'page: Send the HTML of the page as a file']);
  });

  it('from strangers, from people who only read, and from keys without the scope', async () => {
    const { secret } = await createKey(world, cast.alice, {
      workspaceId: cast.workspaceId,
      scopes: ['memories:read'],
    });
    for (const token of [cast.eve.token, cast.rita.token, secret, 'no-token']) {
      expect([401, 403]).toContain((await save({ token })).status);
    }
    const listed = await cast.alice.api('memory.list', { params: { workspaceId: cast.workspaceId } });
    expect(listed.result).toEqual([]);
  });

  it('into a space that the person does not reach, and never reads out a memory of others', async () => {
    const build = createBuild(cast);
    const secret = await build.space({ name: 'Secret', visibility: 'private' });
    expect((await save({ payload: { spaceId: secret.id }, token: cast.bob.token })).status).toBe(404);
    const hidden = await save({ payload: { spaceId: secret.id } });
    const bobs = await save({ token: cast.bob.token });
    expect([hidden.status, bobs.status]).toEqual([201, 201]);
    expect(bobs.json.result.id).not.toBe(hidden.json.result.id);
    expect((await textOf(hidden.json.result.id, cast.bob.token)).status).toBe(404);
  });
});
